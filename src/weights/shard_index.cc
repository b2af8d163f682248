#include <nlohmann/json.hpp>
#include <utility>

#include "src/base/error.h"
#include "src/base/foreign_file.h"
#include "src/checkpoint/header_text.h"
#include "src/weights/shards.h"

namespace keylens {
namespace {

using Json = nlohmann::json;

bool IsFileName(const std::string& name) {
  return !name.empty() && name != "." && name != ".." &&
         name.find_first_of(std::string_view("/\\\0", 3)) == std::string::npos;
}

// Follows the JSON as it is read: only so is a name that is there twice seen,
// and nothing else than the map is kept, however deep it nests.
class IndexReader : public nlohmann::json_sax<Json> {
 public:
  std::map<std::string, std::string, std::less<>> files;
  std::string error;
  bool has_map = false;

  bool null() override { return Other("null"); }
  bool boolean(bool) override { return Other("true or false"); }
  bool number_integer(int64_t) override { return Other("a number"); }
  bool number_unsigned(uint64_t) override { return Other("a number"); }
  bool number_float(double, const std::string&) override {
    return Other("a number");
  }
  bool binary(Json::binary_t&) override { return Other("binary data"); }
  bool string(std::string& value) override {
    if (!in_map()) return Other("a text");
    if (!IsFileName(value)) {
      return Refuse("weight " + QuotedName(name_) + " is said to be in " +
                    QuotedName(value) + ", which is no file beside the index");
    }
    if (files.emplace(name_, std::move(value)).second) return true;
    return Refuse("weight " + QuotedName(name_) + " is listed twice");
  }
  bool key(std::string& value) override {
    if (depth_ == 1) top_ = value;
    if (in_map()) name_ = std::move(value);
    return true;
  }
  bool start_object(std::size_t) override {
    if (in_map()) return Other("an object");
    ++depth_;
    if (!in_map()) return true;
    if (std::exchange(has_map, true))
      return Refuse("weight_map is there twice");
    return true;
  }
  bool end_object() override { return Leave(); }
  bool start_array(std::size_t) override {
    if (in_map()) return Other("a list");
    if (depth_ == 0) return Refuse("it is a list, where an object is needed");
    ++depth_;
    return true;
  }
  bool end_array() override { return Leave(); }
  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::json::exception&) override {
    return Refuse("not valid JSON (at byte " + std::to_string(position) + ")");
  }

 private:
  bool in_map() const { return depth_ == 2 && top_ == "weight_map"; }
  bool Leave() {
    --depth_;
    return true;
  }
  // A value: anything goes outside of the map.
  bool Other(const std::string& what) {
    if (depth_ == 0) return Refuse("it is " + what);
    if (in_map()) {
      return Refuse("weight " + QuotedName(name_) + " has " + what +
                    " where the name of a file is needed");
    }
    return depth_ > 1 || top_ != "weight_map" ||
           Refuse("weight_map is " + what + ", where an object is needed");
  }
  bool Refuse(const std::string& what) {
    error = what;
    return false;
  }

  int64_t depth_ = 0;
  std::string top_, name_;
};

}  // namespace

std::map<std::string, std::string, std::less<>> ParseShardIndex(
    std::string_view json, const std::string& file) {
  IndexReader reader;
  if (!Json::sax_parse(json.begin(), json.end(), &reader)) {
    const bool is_json = json.starts_with('{') || json.starts_with('[');
    const std::string foreign = is_json ? "" : ForeignFileText(json);
    throw Error(file + ": " +
                (foreign.empty() ? reader.error
                                 : "not an index of weights but " + foreign));
  }
  if (!reader.has_map)
    throw Error(file + ": not an index of weights (weight_map is missing)");
  return std::move(reader.files);
}

}  // namespace keylens
