#include "src/checkpoint/json_mistake.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/checkpoint/config_reader.h"
#include "tests/temporary_path.h"

namespace keylens {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using Json = nlohmann::json;

// What is said of a text that is read as {"text": string, "tags": [string]}.
std::string MistakeIn(const std::string& text) {
  try {
    const Json json = Json::parse(text);
    json.at("text").get<std::string>();
    json.value("tags", std::vector<std::string>());
    json.at("tags").at(0).get<std::string>();
    return "";
  } catch (const Json::exception& error) {
    return JsonMistake(error);
  }
}

TEST(JsonMistake, IsSaidInPlainWords) {
  EXPECT_EQ(MistakeIn(R"({"text": "a", "tags": ["b"]})"), "");
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "is no JSON (line 1"},
      {"{\"text\":\n\n oops}", "is no JSON (line 3"},
      {"{\"text\": \"\xFF\"}", "is no JSON"},
      {"{}", "has no entry \"text\""},
      {R"({"text": 5})", "an entry must be a string, not a number"},
      {R"({"text": null})", "an entry must be a string, not null"},
      {R"({"text": ["a"]})", "an entry must be a string, not an array"},
      {R"({"text": "a", "tags": {"b": 1}})", "not an object"},
      {R"({"text": "a", "tags": "b"})", "not a string"},
      {R"({"text": "a", "tags": [7]})", "an entry must be a string"},
      {R"({"text": "a", "tags": []})", "a list is too short"},
      {"[1]", "must be an object, not an array"},
      {"null", "must be an object, not null"},
      {"3.5", "must be an object, not a number"},
      {"\"x\"", "must be an object, not a string"},
      {"[", "is no JSON"},
  };
  for (const auto& [text, part] : cases) {
    EXPECT_THAT(MistakeIn(text),
                AllOf(HasSubstr(part), Not(HasSubstr("exception")),
                      Not(HasSubstr("\n"))))
        << text;
  }
}

// Each value of a model's config in turn made something else.
TEST(JsonMistake, NoConfigBringsTheLibrarysWordsOut) {
  const auto path = TemporaryPath("config.json");
  const auto read = [&](const std::string& text) -> std::string {
    WriteFileAtomically(path, text);
    try {
      const ConfigReader config(path);
      int64_t whole = 0;
      double number = 0;
      std::vector<int64_t> list;
      std::vector<bool> flags;
      config.Read("whole", 0, 9, whole);
      config.Read("number", 0.0, 9.0, number);
      config.Read("list", 0, 9, 3, list);
      config.Read("flags", 3, flags);
      config.Text("text");
      config.Texts("texts", 3);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  const Json good = {{"whole", 1},      {"number", 2.5}, {"list", {1}},
                     {"flags", {true}}, {"text", "a"},   {"texts", {"a"}}};
  EXPECT_EQ(read(good.dump()), "");
  const std::vector<Json> wrong = {
      nullptr,        -1,       1e300,     "x", true, Json::array(),
      Json::object(), {"x", 1}, {{"a", 1}}};
  for (const auto& [key, value] : good.items()) {
    for (const Json& other : wrong) {
      if (other.type() == value.type() && key != "whole" && key != "number")
        continue;
      Json changed = good;
      changed[key] = other;
      if (key == "number" && other == Json(true)) continue;
      EXPECT_THAT(read(changed.dump()),
                  AllOf(HasSubstr("config.json"), Not(HasSubstr("exception"))))
          << key << ' ' << other;
    }
  }
  for (const char* text : {"", "[", "[]", "7", "null", "{\"whole\": }"}) {
    EXPECT_THAT(read(text),
                AllOf(HasSubstr("config.json"), Not(HasSubstr("exception"))))
        << text;
  }
  RemoveFile(path);
}

}  // namespace
}  // namespace keylens
