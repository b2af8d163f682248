#include "src/checkpoint/config_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "src/base/error.h"
#include "src/base/file.h"
#include "tests/temporary_path.h"

namespace keylens {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class ConfigReaderTest : public testing::Test {
 protected:
  ~ConfigReaderTest() override { std::filesystem::remove(path_); }

  ConfigReader Reader(const std::string& json) const {
    WriteFileAtomically(path_, json);
    return ConfigReader(path_);
  }
  template <typename Action>
  std::string ErrorOf(const std::string& json, Action action) const {
    try {
      const ConfigReader reader = Reader(json);
      action(reader);
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr(path_.string()));
      return error.what();
    }
    return "no error";
  }

  std::filesystem::path path_ = TemporaryPath("config.json");
};

TEST_F(ConfigReaderTest, EntriesThatMayBeMissingKeepTheirDefault) {
  const ConfigReader reader =
      Reader(R"({"eps": 1e-12, "bias": false, "layers": null})");
  double eps = 1e-5;
  bool bias = true, causal = true;
  int64_t layers = 7, heads = 3;
  reader.ReadOptional("eps", 0.0, 1.0, eps);
  reader.ReadOptional("bias", bias);
  reader.ReadOptional("causal", causal);
  reader.ReadOptional("layers", int64_t{1}, int64_t{9}, layers);
  reader.ReadOptional("heads", int64_t{1}, int64_t{9}, heads);
  EXPECT_EQ(eps, 1e-12);
  EXPECT_FALSE(bias);
  EXPECT_TRUE(causal);
  EXPECT_EQ(layers, 7);
  EXPECT_EQ(heads, 3);
}

TEST_F(ConfigReaderTest, AnOptionalEntryIsStillChecked) {
  bool bias = true;
  EXPECT_THAT(ErrorOf(R"({"bias": 1})",
                      [&](const ConfigReader& reader) {
                        reader.ReadOptional("bias", bias);
                      }),
              HasSubstr("entry bias must be true or false"));
  double eps = 0;
  EXPECT_THAT(ErrorOf(R"({"eps": 2})",
                      [&](const ConfigReader& reader) {
                        reader.ReadOptional("eps", 0.0, 1.0, eps);
                      }),
              HasSubstr("a number from 0 to 1"));
}

TEST_F(ConfigReaderTest, ListsOfAnyLengthUpToTheReadersOwn) {
  std::vector<int64_t> values;
  Reader("{\"x\": [1, 2, 3, 4, 5, 6, 7, 8]}").Read("x", 1, 9, 8, values);
  EXPECT_THAT(values, ElementsAre(1, 2, 3, 4, 5, 6, 7, 8));
  const auto read = [&](const ConfigReader& reader) {
    reader.Read("x", 1, 9, 2, values);
  };
  EXPECT_THAT(ErrorOf(R"({"x": [1, 2, 3]})", read),
              HasSubstr("1 to 2 entries"));
  EXPECT_THAT(ErrorOf(R"({"x": []})", read), HasSubstr("1 to 2 entries"));
  EXPECT_THAT(ErrorOf(R"({"x": [1, 10]})", read), HasSubstr("from 1 to 9"));
}

TEST_F(ConfigReaderTest, SaysWhatIsNoConfig) {
  const auto nothing = [](const ConfigReader&) {};
  EXPECT_THAT(ErrorOf("version https://git-lfs.github.com/spec/v1\n", nothing),
              HasSubstr("Git LFS pointer"));
  EXPECT_THAT(ErrorOf("<!DOCTYPE html>", nothing), HasSubstr("web page"));
  EXPECT_THAT(ErrorOf("[]", nothing), HasSubstr("no JSON object"));
}

}  // namespace
}  // namespace keylens
