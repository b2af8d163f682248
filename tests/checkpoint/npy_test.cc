#include "src/checkpoint/npy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
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

// A file as numpy.save writes it, with the header's text padded.
std::string NpyFile(const std::string& dict, const std::string& data,
                    int version = 1) {
  std::string text = dict;
  const std::size_t prelude = version == 1 ? 10 : 12;
  while ((prelude + text.size() + 1) % 64 != 0) text.push_back(' ');
  text.push_back('\n');
  std::string file = "\x93NUMPY"s + static_cast<char>(version) + '\0';
  for (std::size_t i = 0; i < prelude - 8; ++i)
    file.push_back(static_cast<char>(text.size() >> (8 * i) & 0xFF));
  return file + text + data;
}

std::string Dict(const std::string& descr, const std::string& shape,
                 const std::string& fortran_order = "False") {
  return "{'descr': '" + descr + "', 'fortran_order': " + fortran_order +
         ", 'shape': " + shape + ", }";
}

std::string ErrorOf(const std::string& file) {
  try {
    NpyArray::Parse(file, "x.npy");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(ReadNpy, WhatWriteNpyWrites) {
  const NpyArray array =
      NpyArray::Parse(Written({3, 1, 2}, {1, 2, 3, 4, 5, 6}), "x.npy");
  EXPECT_EQ(array.type(), ElementType::kFloat32);
  EXPECT_EQ(array.shape(), (std::vector<int64_t>{3, 1, 2}));
  EXPECT_EQ(array.strides(), (std::vector<int64_t>{2, 2, 1}));
  std::vector<float> values(6);
  ASSERT_EQ(array.bytes().size(), 24u);
  std::memcpy(values.data(), array.bytes().data(), 24);
  EXPECT_EQ(values, (std::vector<float>{1, 2, 3, 4, 5, 6}));
}

// numpy.save("x.npy", numpy.array([[1.5], [-2]], ml_dtypes.bfloat16)), byte by
// byte.
TEST(ReadNpy, BFloat16AsMlDtypesHasItSaved) {
  const NpyArray array = NpyArray::Parse(
      NpyFile("{'descr': '<V2', 'fortran_order': False, 'shape': (2, 1), }",
              "\xC0\x3F\x00\xC0"s),
      "x.npy");
  EXPECT_EQ(array.type(), ElementType::kBFloat16);
  EXPECT_EQ(array.bytes()[1], std::byte{0x3F});
}

TEST(ReadNpy, EveryTypeAndVersion) {
  const std::pair<const char*, ElementType> types[] = {
      {"<f8", ElementType::kFloat64}, {"<f4", ElementType::kFloat32},
      {"<f2", ElementType::kFloat16}, {"|V2", ElementType::kBFloat16},
      {"<i8", ElementType::kInt64},   {"<i4", ElementType::kInt32},
      {"|u1", ElementType::kUInt8},   {"|b1", ElementType::kBool}};
  for (const auto& [descr, type] : types) {
    for (const int version : {1, 2, 3}) {
      const std::string data(static_cast<std::size_t>(6 * SizeOf(type)), '\1');
      const NpyArray array = NpyArray::Parse(
          NpyFile(Dict(descr, "(2, 3)"), data, version), "x.npy");
      EXPECT_EQ(array.type(), type);
      EXPECT_EQ(array.bytes().size(), data.size());
    }
  }
}

TEST(ReadNpy, FortransOrderIsInTheStrides) {
  const NpyArray array = NpyArray::Parse(
      NpyFile(Dict("|u1", "(2, 3, 4)", "True"), std::string(24, 'x')), "x.npy");
  EXPECT_EQ(array.strides(), (std::vector<int64_t>{1, 2, 6}));
}

TEST(ReadNpy, ShapesOfEveryKind) {
  const auto shape = [](const std::string& text, std::size_t bytes) {
    return NpyArray::Parse(NpyFile(Dict("|u1", text), std::string(bytes, 'x')),
                           "x.npy")
        .shape();
  };
  EXPECT_EQ(shape("()", 1), std::vector<int64_t>());
  EXPECT_EQ(shape("(7,)", 7), std::vector<int64_t>{7});
  EXPECT_EQ(shape("(7L, 1L)", 7), (std::vector<int64_t>{7, 1}));
  EXPECT_EQ(shape("( 0 ,1099511627776,1099511627776)", 0),
            (std::vector<int64_t>{0, int64_t{1} << 40, int64_t{1} << 40}));
}

TEST(ReadNpy, KeysInAnyOrder) {
  const NpyArray array = NpyArray::Parse(
      NpyFile("{\"shape\":(1,),\"descr\":\"|u1\",\"fortran_order\":False}",
              "x"),
      "x.npy");
  EXPECT_EQ(array.shape(), std::vector<int64_t>{1});
}

TEST(ReadNpy, SaysWhatIsWrong) {
  const std::string good = NpyFile(Dict("<f4", "(2, 3)"), std::string(24, 'x'));
  const std::pair<std::string, std::string> files[] = {
      {"", "not an npy file"},
      {"\x93NUMPY", "not an npy file"},
      {"PK\3\4...", "save each array by itself"},
      {good.substr(0, 9), "cut short in its npy header"},
      {good.substr(0, 100), "cut short in its npy header"},
      {good.substr(0, good.size() - 1),
       "23 bytes of data for F32 [2, 3], which takes 24; the file is cut "
       "short"},
      {good + "x", "only one array is read from a file"},
      {"\x93NUMPY\4\0"s + good.substr(8), "npy format 4"},
      {NpyFile(Dict(">f4", "(1,)"), "1234"), "save it with .astype('<f4')"},
      {NpyFile(Dict("<u2", "(1,)"), "12"),
       "elements of type '<u2'; save it as"},
      {NpyFile(Dict("|O", "(1,)"), "12"), "Python objects"},
      {NpyFile(
           "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}",
           "1234"),
       "save one field"},
      {NpyFile(Dict("|b1", "(2,)"), "\1\2"), "a boolean that is neither"},
      {NpyFile(Dict("<f4", "(4294967296, 4294967296)"), ""),
       "the impossible shape [4294967296, 4294967296]"},
      {NpyFile(Dict("<f4", "(-1,)"), ""), "something else than sizes"},
      {NpyFile(Dict("<f4", "(2 3)"), ""), "no ','"},
      {NpyFile(Dict("<f4", "(2,", "0"), ""), "neither True nor False"},
      {NpyFile("{'descr': '<f4', 'descr': '<f4'}", ""), "'descr' twice"},
      {NpyFile("{'descr': '<f4', 'shape': ()}", "1234"), "not all there"},
      {NpyFile("{'x': 1}", ""), "unknown key 'x'"},
      {NpyFile("{'descr", ""), "a text without an end"},
      {NpyFile(Dict("<f4", "()") + "]", "1234"), "follows its last brace"},
  };
  for (const auto& [file, message] : files) {
    EXPECT_THAT(ErrorOf(file), ::testing::StartsWith("x.npy: "));
    EXPECT_THAT(ErrorOf(file), ::testing::HasSubstr(message));
  }
}

}  // namespace
}  // namespace keylens
