#include "src/models/registry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/checkpoint/safetensors.h"
#include "src/models/vit/config.h"
#include "tests/temporary_path.h"

namespace keylens {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

const fs::path kModels = fs::path(KEYLENS_SOURCE_DIR) / "models";

// A copy of the classifier that ships, to be damaged.
class Registry : public testing::Test {
 protected:
  Registry() {
    fs::copy(kModels / "fashion", folder_, fs::copy_options::recursive);
  }
  ~Registry() override { fs::remove_all(folder_); }

  ModelDescription Described() const {
    return ModelKindOf(folder_).Describe(folder_);
  }
  // The one problem that there is.
  std::string Problem() const {
    const ModelDescription model = Described();
    EXPECT_FALSE(model.complete());
    return model.problems.empty() ? "" : model.problems[0];
  }
  // Writes the weights again, each changed by `change`, which may drop it.
  template <typename Change>
  void Rewrite(Change change) const {
    const fs::path path = folder_ / "model.safetensors";
    const Safetensors file = Safetensors::Parse(ReadFile(path), "x");
    std::vector<NamedTensor> tensors;
    for (NamedTensor tensor : file.tensors()) {
      if (change(tensor)) tensors.push_back(tensor);
    }
    WriteSafetensors(path, tensors);
  }

  fs::path folder_ = TemporaryPath("model");
};

TEST_F(Registry, KnowsTheModelsThatShip) {
  const std::pair<const char*, const char*> shipped[] = {
      {"emoji", "keylens_unet"},
      {"german-english", "keylens_translator"},
      {"fashion", "vit"}};
  for (const auto& [folder, kind] : shipped) {
    const ModelKind& found = ModelKindOf(kModels / folder);
    EXPECT_STREQ(found.name, kind);
    const ModelDescription model = found.Describe(kModels / folder);
    EXPECT_THAT(model.problems, ElementsAre()) << folder;
    for (const ModelPart& part : model.parts) {
      EXPECT_EQ(part.tensors, static_cast<int64_t>(part.weights.used.size()));
      EXPECT_GT(part.parameters, 0);
      EXPECT_EQ(part.types.at("float16"), part.tensors);
    }
  }
}

TEST_F(Registry, SaysWhatAFolderIsThatIsNoModel) {
  const auto error_of = [](const fs::path& folder) -> std::string {
    try {
      ModelKindOf(folder);
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_THAT(error_of(folder_ / "missing"), HasSubstr("no such model folder"));
  WriteFileAtomically(folder_ / "config.json", R"({"model_type": "marian"})");
  EXPECT_THAT(error_of(folder_), HasSubstr("'marian'"));
  WriteFileAtomically(folder_ / "config.json", "[");
  EXPECT_THAT(error_of(folder_), HasSubstr("no model folder"));
}

TEST_F(Registry, RequiresTheKindThatIsNeeded) {
  EXPECT_NO_THROW(RequireModelKind(folder_, "vit"));
  EXPECT_THROW(
      {
        try {
          RequireModelKind(folder_, "keylens_translator");
        } catch (const Error& error) {
          EXPECT_THAT(error.what(), AllOf(HasSubstr(": is a classifier"),
                                          HasSubstr("needed: a translator")));
          throw;
        }
      },
      Error);
}

TEST_F(Registry, ListsWhatIsMissingUnknownAndNotFinite) {
  Rewrite([](NamedTensor& tensor) {
    if (tensor.name == "cls_token") tensor.name = "class_token";
    return tensor.name != "classifier.bias";
  });
  const ModelDescription model = Described();
  ASSERT_EQ(model.parts.size(), 1u);
  EXPECT_THAT(model.parts[0].weights.missing,
              ElementsAre("cls_token", "classifier.bias"));
  EXPECT_THAT(model.parts[0].weights.unknown, ElementsAre("class_token"));
  EXPECT_THAT(Problem(), AllOf(HasSubstr("'cls_token' is missing"),
                               HasSubstr("'class_token' is none")));
}

TEST_F(Registry, FindsANotANumber) {
  std::vector<uint16_t> values(48, 0x3C00);
  values[7] = 0x7E00;
  Rewrite([&](NamedTensor& tensor) {
    if (tensor.name == "encoder.norm.weight")
      tensor.bytes = std::as_bytes(std::span(values));
    return true;
  });
  EXPECT_THAT(Problem(), HasSubstr("'encoder.norm.weight' holds NaN"));
}

TEST_F(Registry, NamesFilesThatCannotBeRead) {
  WriteFileAtomically(folder_ / "model.safetensors",
                      "version https://git-lfs.github.com/spec/v1\n");
  EXPECT_THAT(Problem(), AllOf(HasSubstr("model.safetensors"),
                               HasSubstr("Git LFS pointer")));
  fs::remove(folder_ / "model.safetensors");
  EXPECT_THAT(Problem(), HasSubstr("no such file"));
}

// A config of the largest sizes implies thousands of gigabytes; it is compared
// with the file before anything is made.
TEST_F(Registry, AConfigThatAsksForTooMuchIsListedNotObeyed) {
  std::string config = ReadFile(folder_ / "config.json");
  for (const auto& [from, to] :
       {std::pair("\"hidden_size\": 48", "\"hidden_size\": 4096"),
        std::pair("\"num_hidden_layers\": 4", "\"num_hidden_layers\": 64")}) {
    const std::size_t at = config.find(from);
    ASSERT_NE(at, std::string::npos);
    config.replace(at, std::string(from).size(), to);
  }
  WriteFileAtomically(folder_ / "config.json", config);
  EXPECT_THAT(Problem(), HasSubstr("the model's is [4096"));
}

}  // namespace
}  // namespace keylens
