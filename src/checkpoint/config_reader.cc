#include "src/checkpoint/config_reader.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/base/foreign_file.h"
#include "src/checkpoint/json_mistake.h"

namespace keylens {
namespace {

using Json = nlohmann::json;

Json ReadJson(const std::filesystem::path& path) {
  constexpr int64_t kMaxBytes = 1 << 20;
  const std::string text = ReadFile(path, kMaxBytes);
  try {
    return Json::parse(text);
  } catch (const Json::exception& error) {
    const bool is_json = text.starts_with('{') || text.starts_with('[');
    const std::string foreign = is_json ? "" : ForeignFileText(text);
    throw Error(
        path.string() + ": " +
        (foreign.empty() ? JsonMistake(error) : "not JSON but " + foreign));
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

void ConfigReader::Read(const char* key, bool& value) const {
  if (!At(key).is_boolean()) Fail(key, "true or false");
  value = At(key).get<bool>();
}

bool ConfigReader::Has(const char* key) const {
  const auto found = json_->find(key);
  return found != json_->end() && !found->is_null();
}

void ConfigReader::Read(const char* key, int64_t low, int64_t high,
                        std::size_t most, std::vector<int64_t>& values) const {
  values.clear();
  for (const Json& item : List(key, most)) {
    values.push_back(Checked(key, item, low, high));
  }
}

void ConfigReader::Read(const char* key, std::size_t most,
                        std::vector<bool>& values) const {
  values.clear();
  for (const Json& item : List(key, most)) {
    if (!item.is_boolean()) Fail(key, "true and false");
    values.push_back(item.get<bool>());
  }
}

std::string ConfigReader::Text(const char* key) const {
  if (!At(key).is_string()) Fail(key, "a string");
  return At(key).get<std::string>();
}

std::string ConfigReader::TextOr(const char* key,
                                 const std::string& otherwise) const {
  return json_->contains(key) ? Text(key) : otherwise;
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

const Json& ConfigReader::List(const char* key, std::size_t most) const {
  const Json& list = At(key);
  if (!list.is_array() || list.empty() || list.size() > most) {
    Fail(key, fmt::format("a list of 1 to {} entries", most));
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
