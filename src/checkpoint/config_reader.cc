#include "src/checkpoint/config_reader.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/checkpoint/json_mistake.h"

namespace keylens {
namespace {

using Json = nlohmann::json;

Json ReadJson(const std::filesystem::path& path) {
  constexpr int64_t kMaxBytes = 1 << 20;
  try {
    return Json::parse(ReadFile(path, kMaxBytes));
  } catch (const Json::exception& error) {
    throw Error(fmt::format("{}: {}", path.string(), JsonMistake(error)));
  }
}

}  // namespace

ConfigReader::ConfigReader(const std::filesystem::path& path)
    : name_(path.string()), json_(std::make_unique<Json>(ReadJson(path))) {
  if (!json_->is_object()) throw Error(name_ + ": no JSON object");
}

ConfigReader::~ConfigReader() = default;

void ConfigReader::Read(const char* key, int64_t low, int64_t high,
                        int64_t& value) const {
  value = Checked(key, At(key), low, high);
}

void ConfigReader::Read(const char* key, double low, double high,
                        double& value) const {
  const Json& item = At(key);
  if (!item.is_number() || !(item >= low) || !(item <= high)) {
    Fail(key, fmt::format("a number from {} to {}", low, high));
  }
  value = item.get<double>();
}

void ConfigReader::Read(const char* key, int64_t low, int64_t high,
                        std::vector<int64_t>& values) const {
  values.clear();
  for (const Json& item : List(key)) {
    values.push_back(Checked(key, item, low, high));
  }
}

void ConfigReader::Read(const char* key, std::vector<bool>& values) const {
  values.clear();
  for (const Json& item : List(key)) {
    if (!item.is_boolean()) Fail(key, "true and false");
    values.push_back(item.get<bool>());
  }
}

std::string ConfigReader::Text(const char* key) const {
  if (!At(key).is_string()) Fail(key, "a string");
  return At(key).get<std::string>();
}

std::vector<std::string> ConfigReader::Texts(const char* key,
                                             std::size_t most) const {
  const Json& list = At(key);
  if (!list.is_array() || list.empty() || list.size() > most) {
    Fail(key, fmt::format("a list of 1 to {} strings", most));
  }
  std::vector<std::string> texts;
  for (const Json& item : list) {
    if (!item.is_string()) Fail(key, "strings");
    texts.push_back(item.get<std::string>());
  }
  return texts;
}

void ConfigReader::Fail(const char* key, const std::string& expected) const {
  throw Error(fmt::format("{}: entry {} must be {}", name_, key, expected));
}

const Json& ConfigReader::At(const char* key) const {
  const auto found = json_->find(key);
  if (found == json_->end()) {
    throw Error(fmt::format("{}: entry {} is missing", name_, key));
  }
  return *found;
}

const Json& ConfigReader::List(const char* key) const {
  constexpr std::size_t kMaxLevels = 6;
  const Json& list = At(key);
  if (!list.is_array() || list.empty() || list.size() > kMaxLevels) {
    Fail(key, fmt::format("a list of 1 to {} entries", kMaxLevels));
  }
  return list;
}

int64_t ConfigReader::Checked(const char* key, const Json& item, int64_t low,
                              int64_t high) const {
  if (!item.is_number_integer() || item < low || item > high) {
    Fail(key, fmt::format("a whole number from {} to {}", low, high));
  }
  return item.get<int64_t>();
}

}  // namespace keylens
