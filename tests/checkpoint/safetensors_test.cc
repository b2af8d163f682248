#include "src/checkpoint/safetensors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "src/base/error.h"
#include "src/base/file.h"
#include "tests/temporary_path.h"

namespace keylens {
namespace {

using std::string_literals::operator""s;
using testing::ElementsAre;
using testing::HasSubstr;

template <typename T>
NamedTensor Tensor(const std::string& name, ElementType type,
                   std::vector<int64_t> shape, const std::vector<T>& values) {
  return {name, type, std::move(shape), std::as_bytes(std::span(values))};
}

std::string Written(const std::vector<NamedTensor>& tensors,
                    const std::map<std::string, std::string>& metadata = {}) {
  const auto path = TemporaryPath("x.safetensors");
  WriteSafetensors(path, tensors, metadata);
  std::string bytes = ReadFile(path);
  std::filesystem::remove(path);
  return bytes;
}

// The format's description, byte by byte: the header's length, the header
// padded to 8, the data.
TEST(Safetensors, IsWrittenAsTheFormatSays) {
  const std::vector<float> weight = {1, -2};
  const std::vector<uint16_t> bias = {0x3C00};
  const std::string json =
      R"({"__metadata__":{"format":"pt"},"weight":{"dtype":"F32","shape":[1,2],"data_offsets":[0,8]},)"
      R"("bias":{"dtype":"F16","shape":[1],"data_offsets":[8,10]}})";
  const std::string padded = json + std::string((8 - json.size() % 8) % 8, ' ');
  const std::string expected =
      std::string(1, static_cast<char>(padded.size())) + std::string(7, '\0') +
      padded + "\0\0\x80\x3F\0\0\0\xC0\0\x3C"s;
  EXPECT_EQ(Written({Tensor("bias", ElementType::kFloat16, {1}, bias),
                     Tensor("weight", ElementType::kFloat32, {1, 2}, weight)},
                    {{"format", "pt"}}),
            expected);
}

TEST(Safetensors, EveryTypeComesBack) {
  const std::vector<uint64_t> bytes = {
      0x0001'0001'0100'0001};  // true and false where read as booleans
  const std::vector<std::pair<ElementType, int64_t>> types = {
      {ElementType::kFloat64, 1},        {ElementType::kFloat32, 2},
      {ElementType::kFloat16, 4},        {ElementType::kBFloat16, 4},
      {ElementType::kInt64, 1},          {ElementType::kInt32, 2},
      {ElementType::kUInt8, 8},          {ElementType::kBool, 8},
      {ElementType::kInt16, 4},          {ElementType::kInt8, 8},
      {ElementType::kUInt64, 1},         {ElementType::kUInt32, 2},
      {ElementType::kUInt16, 4},         {ElementType::kComplex64, 1},
      {ElementType::kFloat8E5M2, 8},     {ElementType::kFloat8E4M3, 8},
      {ElementType::kFloat8E8M0, 8},     {ElementType::kFloat8E4M3Fnuz, 8},
      {ElementType::kFloat8E5M2Fnuz, 8}, {ElementType::kFloat4, 16}};
  std::vector<NamedTensor> tensors;
  for (const auto& [type, count] : types)
    tensors.push_back(Tensor(std::string(NameOf(type)), type, {count}, bytes));
  const Safetensors file = Safetensors::Parse(Written(tensors), "x");
  ASSERT_EQ(file.tensors().size(), types.size());
  for (const auto& [type, count] : types) {
    const NamedTensor* tensor = file.Find(NameOf(type));
    ASSERT_NE(tensor, nullptr);
    EXPECT_EQ(tensor->type, type);
    EXPECT_EQ(BitsOf(type) * count, 64);
    EXPECT_EQ(TypeNamed(NameOf(type)), type);
    EXPECT_THAT(tensor->shape, ElementsAre(count));
    EXPECT_EQ(std::memcmp(tensor->bytes.data(), bytes.data(), 8), 0);
  }
}

TEST(Safetensors, ShapesNamesAndNotesComeBack) {
  const std::vector<float> one = {3.5f};
  const std::vector<float> none;
  const std::map<std::string, std::string> notes = {
      {"größe", "a \"quoted\" ♥\n"}, {"", ""}};
  Safetensors parsed = Safetensors::Parse(
      Written({Tensor("scalar ♥", ElementType::kFloat32, {}, one),
               Tensor("empty", ElementType::kFloat32, {3, 0}, none),
               Tensor("", ElementType::kFloat32, {1, 1, 1}, one)},
              notes),
      "x");
  const Safetensors file =
      std::move(parsed);  // what points into the bytes moves with them
  EXPECT_EQ(file.metadata(), notes);
  EXPECT_EQ(file.tensors().size(), 3u);
  EXPECT_TRUE(file.Find("scalar ♥")->shape.empty());
  EXPECT_THAT(ToFloat32(*file.Find("scalar ♥")), ElementsAre(3.5f));
  EXPECT_THAT(file.Find("empty")->shape, ElementsAre(3, 0));
  EXPECT_TRUE(file.Find("empty")->bytes.empty());
  EXPECT_THAT(file.Find("")->shape, ElementsAre(1, 1, 1));
  EXPECT_EQ(file.Find("scalar"), nullptr);
  EXPECT_EQ(file.Find("__metadata__"), nullptr);
}

TEST(Safetensors, EqualTensorsGiveEqualBytesInAnyOrder) {
  const std::vector<float> values = {1, 2};
  std::vector<NamedTensor> tensors = {
      Tensor("b", ElementType::kFloat32, {2}, values),
      Tensor("a", ElementType::kBFloat16, {4}, values),
      Tensor("c", ElementType::kFloat64, {1}, values)};
  const std::string first = Written(tensors);
  std::reverse(tensors.begin(), tensors.end());
  EXPECT_EQ(Written(tensors), first);
}

TEST(Safetensors, DataLiesAlignedForItsType) {
  const std::vector<uint8_t> bytes(8, 1);
  const Safetensors file = Safetensors::Parse(
      Written({Tensor("a", ElementType::kUInt8, {3}, std::vector<uint8_t>(3)),
               Tensor("b", ElementType::kFloat64, {1}, bytes),
               Tensor("c", ElementType::kFloat32, {2}, bytes)}),
      "x");
  const std::byte* start = file.tensors()[0].bytes.data();
  for (const NamedTensor& tensor : file.tensors()) {
    EXPECT_EQ((tensor.bytes.data() - start) % SizeOf(tensor.type), 0)
        << tensor.name;
  }
}

TEST(Safetensors, AnEmptyFileIsLegal) {
  EXPECT_TRUE(Safetensors::Parse(Written({}), "x").tensors().empty());
  EXPECT_TRUE(
      Safetensors::Parse("\x02\0\0\0\0\0\0\0{}"s, "x").tensors().empty());
}

TEST(Safetensors, ToFloat32ConvertsEveryFloatingType) {
  const std::vector<double> f64 = {1.5, -1e-3, 1e300};
  const std::vector<uint16_t> f16 = {0x3E00, 0xFC00};
  const std::vector<uint16_t> bf16 = {0x3FC0, 0x8000};
  EXPECT_THAT(
      ToFloat32(Tensor("x", ElementType::kFloat64, {2},
                       std::vector<double>(f64.begin(), f64.begin() + 2))),
      ElementsAre(1.5f, -1e-3f));
  EXPECT_THAT(ToFloat32(Tensor("x", ElementType::kFloat16, {2}, f16)),
              ElementsAre(1.5f, -std::numeric_limits<float>::infinity()));
  EXPECT_THAT(ToFloat32(Tensor("x", ElementType::kBFloat16, {2}, bf16)),
              ElementsAre(1.5f, -0.0f));
  for (const auto type : {ElementType::kInt64, ElementType::kInt32,
                          ElementType::kUInt8, ElementType::kBool}) {
    try {
      ToFloat32(Tensor("ids", type, {0}, std::vector<float>{}));
      ADD_FAILURE() << NameOf(type);
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr("ids"));
      EXPECT_THAT(error.what(), HasSubstr(NameOf(type)));
    }
  }
}

TEST(WriteSafetensors, RefusesWhatCouldNotBeReadAgain) {
  const std::vector<float> two = {1, 2};
  const auto path = TemporaryPath("x.safetensors");
  const auto write = [&](const std::vector<NamedTensor>& tensors) {
    WriteSafetensors(path, tensors);
  };
  const auto tensor = Tensor("a", ElementType::kFloat32, {2}, two);
  EXPECT_THROW(write({tensor, tensor}), std::invalid_argument);
  EXPECT_THROW(write({Tensor("__metadata__", ElementType::kFloat32, {2}, two)}),
               std::invalid_argument);
  EXPECT_THROW(write({Tensor("a", ElementType::kFloat32, {3}, two)}),
               std::invalid_argument);
  EXPECT_THROW(write({Tensor("a", ElementType::kFloat32, {-2}, two)}),
               std::invalid_argument);
  EXPECT_THROW(
      write({Tensor("a", ElementType::kFloat32, {int64_t{1} << 62, 2}, two)}),
      std::invalid_argument);
  EXPECT_THROW(write({Tensor("\xFF", ElementType::kFloat32, {2}, two)}), Error);
  EXPECT_THROW(WriteSafetensors(path, {}, {{"k", "\xFF"}}), Error);
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(WriteSafetensors, AFullDiskLeavesTheOldFile) {
  const auto path = TemporaryPath("x.safetensors");
  WriteFileAtomically(path, "old");
  const std::vector<float> values(10'000);
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{8192, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  const std::vector<NamedTensor> tensors = {
      Tensor("a", ElementType::kFloat32, {10'000}, values)};
  EXPECT_THROW(WriteSafetensors(path, tensors), Error);
  setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_EQ(ReadFile(path), "old");
  std::size_t beside = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(path.parent_path())) {
    beside += entry.path().filename().string().find(path.filename().string()) !=
                      std::string::npos
                  ? 1
                  : 0;
  }
  EXPECT_EQ(beside, 1u);  // nothing half-written stays
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace keylens
