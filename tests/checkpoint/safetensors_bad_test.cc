#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cstring>
#include <string>
#include <vector>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/checkpoint/safetensors.h"
#include "tests/temporary_path.h"

namespace keylens {
namespace {

using std::string_literals::operator""s;
using testing::HasSubstr;
using testing::StartsWith;

std::string File(const std::string& json, std::size_t data_bytes) {
  const uint64_t length = json.size();
  std::string bytes(8, '\0');
  std::memcpy(bytes.data(), &length, 8);
  return bytes + json + std::string(data_bytes, '\x01');
}

// One short line that starts with the file's name.
std::string ErrorOf(const std::string& bytes) {
  try {
    Safetensors::Parse(bytes, "model.safetensors");
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), StartsWith("model.safetensors: "));
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    EXPECT_LT(std::strlen(error.what()), 400u);
    return error.what();
  }
  ADD_FAILURE() << "was read: " << bytes.substr(8, 200);
  return "";
}

std::string TensorJson(const std::string& fields) {
  return "{\"w\":{" + fields + "}}";
}

TEST(BadSafetensors, CutShortAnywhere) {
  const std::string whole =
      File(TensorJson(R"("dtype":"F32","shape":[2],"data_offsets":[0,8])"), 8);
  ASSERT_EQ(Safetensors::Parse(whole, "x").tensors().size(), 1u);
  for (std::size_t size = 0; size < whole.size(); ++size)
    ErrorOf(whole.substr(0, size));
  ErrorOf(whole + "x");
}

TEST(BadSafetensors, HeaderLengthsThatLie) {
  EXPECT_THAT(ErrorOf("\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF{}"s),
              HasSubstr("18446744073709551615"));
  EXPECT_THAT(ErrorOf("\0\0\0\0\0\0\0\x80{}"s), HasSubstr("header of"));
  EXPECT_THAT(ErrorOf("\x03\0\0\0\0\0\0\0{}"s), HasSubstr("cut short"));
  ErrorOf(std::string(8, '\0'));
  EXPECT_THAT(ErrorOf(File(std::string(100'000'001, ' '), 0)),
              HasSubstr("100000000 are read"));
}

// What downloads and conversions leave in place of the file is called by name.
TEST(BadSafetensors, FilesOfOtherKinds) {
  const std::pair<std::string, const char*> files[] = {
      {"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n",
       "Git LFS pointer"},
      {"<!DOCTYPE html><html><body>Not Found</body></html>", "web page"},
      {"\n <HTML>", "web page"},
      {"<?xml version='1.0'?><Error><Code>AccessDenied</Code></Error>", "XML"},
      {"Entry not found", "a text"},
      {R"({"error": "Invalid credentials"})", "a text"},
      {"PK\x03\x04\0\0\0\0\0\0\0\0\0\0"s, "zip archive"},
      {"PK\x03\x04\x14\0\0\0\x08\0"s + std::string(100, '\0'), "zip archive"},
      {"\x80\x02}q\0(X\x06\0\0\0weight"s, "pickle"},
      {"\x80\x02\x8A\nl\xFC\x9C\x46\xF9 j\xA8P\x19."s, "pickle"},
      {"\x1F\x8B\x08\0\0\0\0\0\x02\x03"s, "gzip"},
      {"\x89HDF\r\n\x1A\n", "HDF5"},
      {"GGUF\x03\0\0\0\0"s, "GGUF"},
      {"\x93NUMPY\x01\0v\0"s, "numpy"},
      {"", "an empty file"}};
  for (const auto& [bytes, says] : files)
    EXPECT_THAT(ErrorOf(bytes), HasSubstr(says));
  // Nothing that is known: what is odd about it.
  EXPECT_THAT(ErrorOf("\1\2\3\4\5\6\7\x80\x81"), HasSubstr("header of"));
}

TEST(BadSafetensors, NotJson) {
  for (const char* json :
       {"[]", "null", "\"x\"", "3", " {}", "x", "{", "{}}", "{} x", "{\"a\"}",
        "{\"a\":}", "{'a':1}", "{\"a\":{},}", "{\"\xFF\":{}}", "{\"a\":tru",
        "{\"\\ud800\":{}}"}) {
    ErrorOf(File(json, 0));
  }
}

TEST(BadSafetensors, FieldsThatAreWrong) {
  struct Case {
    const char* fields;
    const char* says;
  };
  const std::vector<Case> cases = {
      {R"("dtype":"F32","shape":[2])", "not all there"},
      {R"("dtype":"F32","data_offsets":[0,8])", "not all there"},
      {R"("shape":[2],"data_offsets":[0,8])", "not all there"},
      {"", "not all there"},
      {R"("dtype":"F8_E4M4","shape":[8],"data_offsets":[0,8])",
       "'F8_E4M4', which safetensors does not have"},
      {R"("dtype":"f32","shape":[2],"data_offsets":[0,8])", "'f32'"},
      {R"("dtype":32,"shape":[2],"data_offsets":[0,8])", "32"},
      {R"("dtype":["F32"],"shape":[2],"data_offsets":[0,8])", "list"},
      {R"("dtype":null,"shape":[2],"data_offsets":[0,8])", "null"},
      {R"("dtype":"F32","shape":[-2],"data_offsets":[0,8])", "-2"},
      {R"("dtype":"F32","shape":[2.0],"data_offsets":[0,8])", "2.0"},
      {R"("dtype":"F32","shape":["2"],"data_offsets":[0,8])", "'2'"},
      {R"("dtype":"F32","shape":[[2]],"data_offsets":[0,8])", "list"},
      {R"("dtype":"F32","shape":2,"data_offsets":[0,8])", "2"},
      {R"("dtype":"F32","shape":[2],"data_offsets":[0])", "data_offsets"},
      {R"("dtype":"F32","shape":[2],"data_offsets":[0,4,8])", "data_offsets"},
      {R"("dtype":"F32","shape":[2],"data_offsets":[0,true])", "true"},
      {R"("dtype":"F32","shape":[2],"data_offsets":{"a":0})", "object"},
      {R"("dtype":"F32","shape":[2],"data_offsets":[-8,0])", "-8"},
      {R"("dtype":"F32","shape":[2],"data_offsets":[0,8],"extra":1)",
       "'extra'"},
      {R"("dtype":"F32","dtype":"F32","shape":[2],"data_offsets":[0,8])",
       "'dtype' twice"},
      {R"("dtype":"F32","shape":[2],"data_offsets":[0,18446744073709551615])",
       "18446744073709551615"},
      {R"("dtype":"F32","shape":[2],"data_offsets":[0,99999999999999999999999])",
       "99999999999999999999999"},
      {R"("dtype":"F32","shape":[2],"data_offsets":[0,1e999])",
       "not valid JSON"},
  };
  for (const Case& c : cases) {
    const std::string error = ErrorOf(File(TensorJson(c.fields), 8));
    EXPECT_THAT(error, HasSubstr(c.says)) << c.fields;
  }
}

TEST(BadSafetensors, ShapesThatOverflow) {
  for (const char* shape :
       {"[4611686018427387904,4]", "[4294967296,4294967296]",
        "[9223372036854775807]", "[9223372036854775807,9223372036854775807,0]",
        "[2305843009213693952,8,8]"}) {
    const std::string fields = R"("dtype":"F32","shape":)" +
                               std::string(shape) + R"(,"data_offsets":[0,0])";
    EXPECT_THAT(ErrorOf(File(TensorJson(fields), 0)),
                HasSubstr("impossible shape"))
        << shape;
  }
}

TEST(BadSafetensors, SizesAndPlacesThatLie) {
  struct Case {
    const char* json;
    std::size_t data_bytes;
    const char* says;
  };
  const std::vector<Case> cases = {
      {R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}})", 4,
       "takes 8"},
      {R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[8,0]}})", 8, "gap"},
      {R"({"a":{"dtype":"F32","shape":[0],"data_offsets":[0,4]}})", 4,
       "takes 0"},
      {R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})", 8,
       "belong to none"},
      {R"({"a":{"dtype":"F4","shape":[3],"data_offsets":[0,2]}})", 2,
       "impossible shape"},
      {R"({"a":{"dtype":"F6_E2M3","shape":[4],"data_offsets":[0,4]}})", 4,
       "takes 3"},
      {R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})", 4,
       "cut short"},
      {R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})", 8, "gap"},
      {R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]},"b":{"dtype":"U8","shape":[4],"data_offsets":[2,6]}})",
       6, "overlap"},
      {R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]},"b":{"dtype":"U8","shape":[4],"data_offsets":[0,4]}})",
       4, "overlap"},
      {R"({"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},"b":{"dtype":"U8","shape":[2],"data_offsets":[3,5]}})",
       5, "gap"},
      {R"({"a":{"dtype":"U8","shape":[0],"data_offsets":[3,3]},"b":{"dtype":"U8","shape":[2],"data_offsets":[0,2]}})",
       2, "gap"},
      {R"({"a":{"dtype":"U8","shape":[9223372036854775807],"data_offsets":[0,9223372036854775807]}})",
       2, "cut short"},
      {R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"a":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}})",
       2, "'a' twice"},
      {R"({"__metadata__":{"k":"1","k":"2"}})", 0, "'k' twice"},
      {R"({"__metadata__":{"k":1}})", 0, "1"},
      {R"({"__metadata__":"x"})", 0, "'x'"},
      {R"({"__metadata__":{"k":{"a":"b"}}})", 0, "object"},
      {R"({"a":"F32"})", 0, "'F32'"},
      {R"({"a":[1]})", 0, "list"},
  };
  for (const Case& c : cases)
    EXPECT_THAT(ErrorOf(File(c.json, c.data_bytes)), HasSubstr(c.says))
        << c.json;
}

TEST(BadSafetensors, BooleansThatAreNone) {
  const std::string json =
      R"({"a":{"dtype":"BOOL","shape":[2],"data_offsets":[0,2]}})";
  EXPECT_THAT(ErrorOf(File(json, 0) + "\x01\x02"), HasSubstr("boolean"));
}

TEST(BadSafetensors, LongNamesAndLineBreaksStayOneShortLine) {
  const std::string name = "\\n\\u0007" + std::string(100'000, 'n');
  ErrorOf(
      File("{\"" + name +
               "\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,3]}}",
           3));
  ErrorOf(File("{\"" + name + "\":{\"dtype\":\"" + name + "\"}}", 3));
}

// Sixteen MiB of headers that would be gigabytes of objects if they were built
// before they were judged.
TEST(BadSafetensors, DeepAndWideHeadersTakeLittleMemory) {
  rusage before{};
  getrusage(RUSAGE_SELF, &before);
  constexpr std::size_t kBytes = std::size_t{16} << 20;
  const auto repeated = [](const std::string& start, const std::string& part) {
    std::string json = start;
    json.reserve(kBytes);
    while (json.size() + part.size() <= kBytes) json += part;
    return File(json, 0);
  };
  ErrorOf(repeated("{\"a\":", "["));
  ErrorOf(repeated("", "{\"a\":"));
  ErrorOf(repeated(R"({"a":{"shape":[)", "1,"));
  ErrorOf(repeated(R"({"__metadata__":{"a":)", "[{},"));
  ErrorOf(File("{\"" + std::string(kBytes - 2, 'x'), 0));
  rusage after{};
  getrusage(RUSAGE_SELF, &after);
  EXPECT_LT(after.ru_maxrss - before.ru_maxrss,
            200'000);  // kilobytes; the files themselves are 16 MiB each
}

TEST(BadSafetensors, MissingFileAndFolder) {
  for (const auto& path : {TemporaryPath("missing.safetensors"),
                           std::filesystem::path(testing::TempDir())}) {
    try {
      Safetensors::Read(path);
      ADD_FAILURE() << path;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr(path.string()));
    }
  }
}

}  // namespace
}  // namespace keylens
