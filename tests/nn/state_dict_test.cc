#include "src/nn/state_dict.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <keylens/mask.h>
#include <keylens/nn/attention_head.h>
#include <keylens/nn/cross_attention.h>
#include <keylens/nn/memory.h>
#include <keylens/nn/residual_block.h>
#include <keylens/nn/spatial_attention.h>
#include <keylens/nn/transformer_encoder.h>

#include <cmath>
#include <filesystem>
#include <memory>

#include "src/base/error.h"
#include "src/checkpoint/safetensors.h"
#include "tests/nn/composed.h"

namespace keylens::nn {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

const std::filesystem::path kData =
    std::filesystem::path(KEYLENS_SOURCE_DIR) / "tests/nn/data";

// The modules of scripts/make-state-dict-fixture.py.
struct Layers : torch::nn::Module {
  Layers() {
    register_module("head", head);
    register_module("multi_head", multi_head);
    register_module("spatial", spatial);
    register_module("cross", cross);
    register_module("encoder", encoder);
    register_module("residual", residual);
  }

  static TransformerEncoderOptions EncoderOptions() {
    TransformerEncoderOptions options;
    options.hidden_size = 16;
    options.num_heads = 2;
    return options;
  }

  AttentionHead head{20, 12};
  MultiHeadAttention multi_head{48, 4};
  SpatialAttention spatial{8};
  CrossAttention cross{8, 10, 2, 6};
  TransformerEncoderLayer encoder{EncoderOptions()};
  ResidualBlock residual{8, 12, 5, 4};
};

using Source = std::shared_ptr<const WeightSource>;

// What PyTorch was given and what it computed, by name.
torch::Tensor FromPyTorch(const std::string& name) {
  static const Safetensors file =
      Safetensors::Read(kData / "layers_expected.safetensors");
  const NamedTensor* stored = file.Find(name);
  if (stored == nullptr) throw Error("no tensor " + name);
  const std::vector<float> values = ToFloat32(*stored);
  return torch::tensor(at::ArrayRef<float>(values)).view(stored->shape);
}

// The message of the Error that loading `file` throws.
std::string LoadError(torch::nn::Module& module, const Source& file) {
  try {
    LoadStateDict(module, *file);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

class StateDict : public ::testing::Test {
 protected:
  void SetUp() override {
    LoadStateDict(layers, *OpenSafetensors(kData / "layers.safetensors"));
  }
  void TearDown() override { std::filesystem::remove(path); }

  // A file of `module`'s state, read back.
  Source Saved(const torch::nn::Module& module,
               ElementType type = ElementType::kFloat32) const {
    SaveStateDict(module, path, type);
    return OpenSafetensors(path);
  }

  Layers layers;
  const std::filesystem::path path =
      std::filesystem::path(::testing::TempDir()) /
      ("keylens_state_" + std::to_string(getpid()) + ".safetensors");
};

TEST_F(StateDict, OfPyTorchGivesPyTorchsSequences) {
  const auto [head, head_weights] = layers.head(FromPyTorch("tokens"));
  EXPECT_LT(RelativeError(head, FromPyTorch("head")), 1e-5);
  EXPECT_LT(RelativeError(head_weights, FromPyTorch("head_weights")), 1e-5);
  const auto [multi_head, weights] =
      layers.multi_head->forward_with_weights(FromPyTorch("sequence"));
  EXPECT_LT(RelativeError(multi_head, FromPyTorch("multi_head")), 1e-5);
  EXPECT_LT(RelativeError(weights, FromPyTorch("multi_head_weights")), 1e-5);
  TransformerEncoderCall call;
  call.mask = KeyPaddingMask({5, 2});
  EXPECT_LT(RelativeError(layers.encoder(FromPyTorch("short"), call),
                          FromPyTorch("encoder")),
            1e-5);
}

TEST_F(StateDict, OfPyTorchGivesPyTorchsMaps) {
  const torch::Tensor image = FromPyTorch("image"), text = FromPyTorch("text");
  EXPECT_LT(RelativeError(layers.spatial(image), FromPyTorch("spatial")), 1e-5);
  EXPECT_LT(RelativeError(layers.residual(image, FromPyTorch("time")),
                          FromPyTorch("residual")),
            1e-5);
  AttentionMaps maps;
  const torch::Tensor cross =
      layers.cross(image, text, std::vector<int64_t>{3, 6}, &maps);
  EXPECT_LT(RelativeError(cross, FromPyTorch("cross")), 1e-5);
  EXPECT_LT(
      RelativeError(maps.entries().at(0).weights, FromPyTorch("cross_weights")),
      1e-5);
}

TEST_F(StateDict, ComesBackAsItWasSaved) {
  ToChannelsLast(layers);  // memory formats do not reach the file
  const Source file = Saved(layers);
  Layers other;
  LoadStateDict(other, *file);
  const auto parameters = layers.named_parameters();
  for (const auto& item : other.named_parameters()) {
    EXPECT_TRUE(torch::equal(item.value(), parameters[item.key()]))
        << item.key();
  }
  EXPECT_EQ(Safetensors::Read(path).metadata().at("format"), "pt");
}

TEST_F(StateDict, IsRoundedOnceInHalfPrecision) {
  for (const auto& [type, scalar] :
       {std::pair(ElementType::kFloat16, torch::kFloat16),
        std::pair(ElementType::kBFloat16, torch::kBFloat16)}) {
    Layers other;
    LoadStateDict(other, *Saved(layers, type));
    EXPECT_TRUE(torch::equal(
        other.multi_head->query->weight,
        layers.multi_head->query->weight.to(scalar).to(torch::kFloat32)));
  }
  EXPECT_THROW(SaveStateDict(layers, path, ElementType::kInt64), Error);
}

TEST_F(StateDict, NamesTheTensorThatIsMissing) {
  EXPECT_THAT(LoadError(layers, Saved(*layers.head)),
              HasSubstr("is none of the model's"));
  MultiHeadAttention whole(8, 2), part(8, 2, /*bias=*/false);
  EXPECT_THAT(LoadError(*whole, Saved(*part)),
              AllOf(HasSubstr(path.string()),
                    HasSubstr("tensor 'key.bias' is missing")));
}

TEST_F(StateDict, NamesTheTensorThatIsUnexpected) {
  MultiHeadAttention whole(8, 2), part(8, 2, /*bias=*/false);
  EXPECT_THAT(LoadError(*part, Saved(*whole)),
              AllOf(HasSubstr(path.string()),
                    HasSubstr("tensor 'key.bias' is none of the model's")));
}

TEST_F(StateDict, NamesTheTensorOfAnotherShapeAndChangesNothing) {
  MultiHeadAttention small(8, 2), large(12, 2);
  const torch::Tensor before = large->key->bias.clone();
  EXPECT_THAT(LoadError(*large, Saved(*small)),
              AllOf(HasSubstr("key.bias"), HasSubstr("[8]"),
                    HasSubstr("the model's is [12]")));
  EXPECT_TRUE(torch::equal(large->key->bias, before));
}

TEST_F(StateDict, NamesFileAndTensorOfANotANumber) {
  MultiHeadAttention attention(8, 2);
  {
    torch::NoGradGuard no_grad;
    attention->value->weight[3][5] = std::nan("");
  }
  for (const ElementType type :
       {ElementType::kFloat32, ElementType::kFloat16, ElementType::kBFloat16}) {
    MultiHeadAttention other(8, 2);
    EXPECT_THAT(LoadError(*other, Saved(*attention, type)),
                AllOf(HasSubstr(path.string()), HasSubstr("'value.weight'"),
                      HasSubstr("element 29 is NaN")));
  }
}

TEST_F(StateDict, RefusesAFolderThatIsNotThere) {
  EXPECT_THROW(SaveStateDict(layers, "/nonexistent/state.safetensors"), Error);
}

}  // namespace
}  // namespace keylens::nn
