#include "src/inspect/array.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "src/inspect/labels.h"
#include "tests/inspect/numpy_file.h"

namespace keylens::inspect {
namespace {

using ::testing::HasSubstr;

class Arrays : public ::testing::Test {
 protected:
  void SaveTensors(const std::vector<std::string>& names) const {
    static constexpr float kNumbers[2] = {1.5f, -2};
    std::vector<NamedTensor> tensors;
    for (const std::string& name : names) {
      tensors.push_back({name,
                         ElementType::kFloat32,
                         {2, 1},
                         std::as_bytes(std::span(kNumbers))});
    }
    WriteSafetensors(folder_.Path("x.safetensors"), tensors);
  }

  NumpyFolder folder_;
};

TEST_F(Arrays, EveryFloatingPointType) {
  for (const char* descr : {"<f8", "<f4", "<f2", "<V2"}) {
    const Array array = folder_.Save("x.npy", descr, {3}, {1, -0.5, 3});
    EXPECT_EQ(FloatsOf(array), (std::vector<float>{1, -0.5, 3})) << descr;
    EXPECT_TRUE(IsAligned(array));
  }
  EXPECT_EQ(Describe(folder_.Save("x.npy", "<V2", {1, 2}, {1, 2})),
            folder_.Path("x.npy") + ": bfloat16 [1, 2]");
}

TEST_F(Arrays, ATensorOfASafetensorsFile) {
  SaveTensors({"layer.0.query", "key"});
  const std::string file = folder_.Path("x.safetensors");
  ArrayReader reader;
  const Array query = reader.Read(file + ":layer.0.query");
  EXPECT_EQ(query.shape, (std::vector<int64_t>{2, 1}));
  EXPECT_EQ(query.strides, (std::vector<int64_t>{1, 1}));
  EXPECT_EQ(FloatsOf(query), (std::vector<float>{1.5, -2}));
  EXPECT_EQ(reader.Read(file + ":key").file, query.file) << "read twice";
  EXPECT_THAT(ErrorOf([&] { reader.Read(file + ":value"); }),
              HasSubstr("no such tensor; it has 'key', 'layer.0.query'"));
  EXPECT_THAT(ErrorOf([&] { reader.Read(file); }), HasSubstr("which tensor?"));
  SaveTensors({"only"});
  EXPECT_EQ(ArrayReader().Read(file).shape.size(), 2u);
}

TEST_F(Arrays, FilesThatAreNone) {
  ArrayReader reader;
  EXPECT_THAT(ErrorOf([&] { reader.Read(folder_.Path("no.npy")); }),
              HasSubstr("no.npy: no such file"));
  folder_.SaveText("x.npy", "hello");
  EXPECT_THAT(ErrorOf([&] { reader.Read(folder_.Path("x.npy")); }),
              HasSubstr("x.npy: not an npy file"));
}

TEST_F(Arrays, Integers) {
  for (const char* descr : {"<i8", "<i4", "|u1"}) {
    EXPECT_EQ(IntegersOf(folder_.Save("x.npy", descr, {3}, {0, 7, 2})),
              (std::vector<int32_t>{0, 7, 2}));
  }
  EXPECT_THAT(
      ErrorOf([&] { IntegersOf(folder_.Save("x.npy", "<f4", {1}, {0})); }),
      HasSubstr("float32 [1], where integers are needed"));
  EXPECT_THAT(ErrorOf([&] {
                IntegersOf(folder_.Save("x.npy", "<i4", {1, 1}, {0}));
              }),
              HasSubstr("where one axis is needed"));
  EXPECT_THAT(
      ErrorOf([&] { IntegersOf(folder_.Save("x.npy", "<i8", {1}, {1e12})); }),
      HasSubstr("1000000000000 is too large"));
  EXPECT_THAT(
      ErrorOf([&] { FloatsOf(folder_.Save("x.npy", "<i4", {1}, {1})); }),
      HasSubstr("int32 [1], where floating-point numbers are needed"));
}

TEST_F(Arrays, LabelsAreLines) {
  const std::string file = folder_.Path("words.txt");
  folder_.SaveText("words.txt", "the\r\n\nwörd");
  EXPECT_EQ(ReadLabels(file, 3, "keys"),
            (std::vector<std::string>{"the", "", "wörd"}));
  folder_.SaveText("words.txt", "a\nb\n");
  EXPECT_EQ(ReadLabels(file, 2, "keys"), (std::vector<std::string>{"a", "b"}));
  EXPECT_THAT(ErrorOf([&] { ReadLabels(file, 3, "keys"); }),
              HasSubstr("words.txt: 2 labels for 3 keys"));
  EXPECT_THAT(ErrorOf([&] { ReadLabels(file, 1, "queries"); }),
              HasSubstr("2 labels for 1 queries"));
  folder_.SaveText("words.txt", "a\n\xFF\n");
  EXPECT_THAT(ErrorOf([&] { ReadLabels(file, 2, "keys"); }),
              HasSubstr("words.txt: line 2 is not UTF-8"));
}

}  // namespace
}  // namespace keylens::inspect
