#include "src/checkpoint/npy.h"

#include <gtest/gtest.h>

#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "src/base/error.h"
#include "src/base/file.h"
#include "tests/temporary_path.h"

namespace keylens {
namespace {

using std::string_literals::operator""s;

std::string Written(const std::vector<int64_t>& shape,
                    const std::vector<float>& values) {
  const auto path = TemporaryPath("x.npy");
  WriteNpy(path, shape, values);
  std::string bytes = ReadFile(path);
  std::filesystem::remove(path);
  return bytes;
}

// As numpy.save writes numpy.array([[1, 2, 3]], numpy.float32): 128 bytes and
// the values.
TEST(WriteNpy, IsTheFileThatNumpyWrites) {
  std::string expected =
      "\x93NUMPY\x01\0\x76\0"s
      "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 3), }";
  expected.append(127 - expected.size(), ' ');
  expected +=
      "\n"s
      "\0\0\x80\x3F\0\0\0\x40\0\0\x40\x40"s;
  EXPECT_EQ(Written({1, 3}, {1, 2, 3}), expected);
}

TEST(WriteNpy, ShapesAreTuples) {
  EXPECT_NE(Written({}, {7}).find("'shape': (), }"), std::string::npos);
  EXPECT_NE(Written({2}, {7, 8}).find("'shape': (2,), }"), std::string::npos);
  EXPECT_NE(Written({2, 0, 5}, {}).find("'shape': (2, 0, 5), }"),
            std::string::npos);
}

TEST(WriteNpy, TheValuesStartAtAMultipleOf64) {
  for (std::size_t rank = 0; rank < 40; ++rank) {
    const std::string bytes = Written(std::vector<int64_t>(rank, 1), {5});
    ASSERT_EQ((bytes.size() - sizeof(float)) % 64, 0u) << rank;
    const auto length =
        static_cast<uint8_t>(bytes[8]) + 256u * static_cast<uint8_t>(bytes[9]);
    ASSERT_EQ(10 + length + sizeof(float), bytes.size());
    ASSERT_EQ(bytes[9 + length], '\n');
  }
}

TEST(WriteNpy, RefusesValuesThatDoNotFillTheShape) {
  const auto path = TemporaryPath("x.npy");
  const std::vector<float> values = {1, 2, 3};
  for (const std::vector<int64_t>& shape : std::vector<std::vector<int64_t>>{
           {2}, {4}, {}, {-3}, {-1, -3}, {int64_t{1} << 62, 4, 3}, {3, 0}}) {
    EXPECT_THROW(WriteNpy(path, shape, values), std::invalid_argument);
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(WriteNpy, NamesAFileThatCannotBeWritten) {
  const std::vector<int64_t> shape = {1};
  const std::vector<float> values = {1};
  EXPECT_THROW(WriteNpy("/nonexistent/x.npy", shape, values), Error);
}

}  // namespace
}  // namespace keylens
