#include "src/models/vit/config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/classifier/folder.h"

namespace keylens::classifier {
namespace {

using ::testing::HasSubstr;

nlohmann::json Example() {
  ClassifierConfig config;
  config.content_size = 28;
  config.ground = Ground::kDark;
  config.image_mean = 0.25;
  config.labels = {"cat", "dog"};
  return ToJson(config);
}

TEST(ClassifierConfigTest, ReadsWhatItWrites) {
  const Folder folder;
  folder.Write("config.json", Example().dump());
  const ClassifierConfig config = ReadClassifierConfig(folder / "config.json");
  EXPECT_EQ(ToJson(config), Example());
  EXPECT_EQ(config.ground, Ground::kDark);
  EXPECT_EQ(config.labels, (std::vector<std::string>{"cat", "dog"}));
}

TEST(ClassifierConfigTest, RefusesWhatNoModelHasByNameOfTheEntry) {
  const std::vector<std::pair<const char*, nlohmann::json>> wrong = {
      {"_class_name", "KeylensUNet"},
      {"image_size", 30},
      {"image_size", 1 << 20},
      {"patch_size", 0},
      {"num_channels", 2},
      {"hidden_size", 50},
      {"hidden_size", "wide"},
      {"num_hidden_layers", 0},
      {"num_attention_heads", 0},
      {"intermediate_size", -1},
      {"content_size", 33},
      {"ground", "light"},
      {"image_mean", 2},
      {"image_std", 0},
      {"num_views", 3},
      {"labels", nlohmann::json::array()},
      {"labels", {"cat", 3}},
      {"labels", "cat"}};
  const Folder folder;
  for (const auto& [entry, value] : wrong) {
    nlohmann::json json = Example();
    json[entry] = value;
    folder.Write("config.json", json.dump());
    EXPECT_THAT(Refusal([&] { ReadClassifierConfig(folder / "config.json"); }),
                HasSubstr(entry))
        << value;
    json.erase(entry);
    folder.Write("config.json", json.dump());
    EXPECT_THAT(Refusal([&] { ReadClassifierConfig(folder / "config.json"); }),
                HasSubstr("is missing"));
  }
}

}  // namespace
}  // namespace keylens::classifier
