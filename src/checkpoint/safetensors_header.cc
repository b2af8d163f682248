#include "src/checkpoint/safetensors_header.h"

#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "src/base/error.h"
#include "src/checkpoint/header_text.h"

namespace keylens {
namespace {

constexpr std::size_t kMaxRank = 64;

// Follows the JSON as it is read, so that nothing is kept but what a header may
// hold: nesting, types and names are refused where they occur. Each member
// returns false to stop the reading; error() then says why.
class HeaderReader : public nlohmann::json_sax<nlohmann::json> {
 public:
  SafetensorsHeader TakeHeader() { return std::move(header_); }
  const std::string& error() const { return error_; }

  bool null() override { return Refuse("null where a value is needed"); }
  bool boolean(bool) override {
    return Refuse("true or false where a value is needed");
  }
  bool number_integer(int64_t value) override {
    return Refuse("the negative number " + std::to_string(value));
  }
  bool number_float(double, const std::string& text) override {
    return Refuse("the number " + QuotedName(text));
  }
  bool binary(nlohmann::json::binary_t&) override {
    return Refuse("binary data");
  }
  bool number_unsigned(uint64_t value) override;
  bool string(std::string& value) override;
  bool start_object(std::size_t) override;
  bool key(std::string& value) override;
  bool end_object() override;
  bool start_array(std::size_t) override;
  bool end_array() override;
  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::json::exception&) override {
    error_ = "its header is not valid JSON (at byte " +
             std::to_string(position) + ")";
    return false;
  }

 private:
  enum class Place { kStart, kTop, kMetadata, kTensor, kShape, kOffsets };

  bool Refuse(const std::string& what) {
    const bool in_tensor = place_ >= Place::kTensor;
    error_ = in_tensor ? "tensor " + QuotedName(tensor_.name) + ": " + what
                       : "its header holds " + what;
    return false;
  }
  bool FinishTensor();

  Place place_ = Place::kStart;
  std::string key_;               // the last one, in the metadata or at the top
  std::string field_;             // of a tensor
  std::set<std::string> names_;   // of tensors and of the metadata object
  std::set<std::string> fields_;  // of the tensor being read
  std::vector<int64_t> offsets_;
  TensorEntry tensor_;
  SafetensorsHeader header_;
  std::string error_;
};

bool HeaderReader::number_unsigned(uint64_t value) {
  if (value > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) {
    return Refuse("the number " + std::to_string(value));
  }
  const auto number = static_cast<int64_t>(value);
  if (place_ == Place::kShape) {
    if (tensor_.shape.size() == kMaxRank)
      return Refuse("more than " + std::to_string(kMaxRank) + " dimensions");
    tensor_.shape.push_back(number);
    return true;
  }
  if (place_ == Place::kOffsets) {
    if (offsets_.size() == 2) return Refuse("more than two data_offsets");
    offsets_.push_back(number);
    return true;
  }
  return Refuse("the number " + std::to_string(value) +
                " where something else is needed");
}

bool HeaderReader::string(std::string& value) {
  if (place_ == Place::kMetadata) {
    header_.metadata.emplace(key_, std::move(value));
    return true;
  }
  if (place_ == Place::kTensor && field_ == "dtype") {
    const std::optional<ElementType> type = TypeNamed(value);
    if (!type) {
      return Refuse("elements of type " + QuotedName(value) +
                    ", which safetensors does not have");
    }
    tensor_.type = *type;
    return true;
  }
  return Refuse("the text " + QuotedName(value) +
                " where something else is needed");
}

bool HeaderReader::start_object(std::size_t) {
  if (place_ == Place::kStart) {
    place_ = Place::kTop;
  } else if (place_ == Place::kTop && key_ == kMetadataKey) {
    place_ = Place::kMetadata;
  } else if (place_ == Place::kTop) {
    tensor_ = TensorEntry{};
    tensor_.name = key_;
    fields_.clear();
    offsets_.clear();
    place_ = Place::kTensor;
  } else {
    return Refuse("an object where a value is needed");
  }
  return true;
}

bool HeaderReader::key(std::string& value) {
  if (place_ == Place::kTensor) {
    field_ = std::move(value);
    if (!fields_.insert(field_).second)
      return Refuse("the field " + QuotedName(field_) + " twice");
    if (field_ == "dtype" || field_ == "shape" || field_ == "data_offsets")
      return true;
    return Refuse("the unknown field " + QuotedName(field_));
  }
  key_ = std::move(value);
  const bool twice = place_ == Place::kMetadata
                         ? header_.metadata.contains(key_)
                         : !names_.insert(key_).second;
  return twice ? Refuse("the name " + QuotedName(key_) + " twice") : true;
}

bool HeaderReader::end_object() {
  if (place_ == Place::kTensor && !FinishTensor()) return false;
  place_ = Place::kTop;  // after the last brace nothing follows
  return true;
}

bool HeaderReader::FinishTensor() {
  if (fields_.size() != 3)
    return Refuse("dtype, shape and data_offsets are not all there");
  if (offsets_.size() != 2)
    return Refuse("data_offsets without a begin and an end");
  tensor_.begin = offsets_[0];
  tensor_.end = offsets_[1];
  header_.tensors.push_back(std::move(tensor_));
  return true;
}

bool HeaderReader::start_array(std::size_t) {
  if (place_ == Place::kTensor && field_ == "shape") {
    place_ = Place::kShape;
  } else if (place_ == Place::kTensor && field_ == "data_offsets") {
    place_ = Place::kOffsets;
  } else {
    return Refuse("a list where something else is needed");
  }
  return true;
}

bool HeaderReader::end_array() {
  place_ = Place::kTensor;
  return true;
}

}  // namespace

SafetensorsHeader ParseHeader(std::string_view json, const std::string& file) {
  if (!json.starts_with('{'))
    throw Error(file + ": its header does not start with '{'");
  HeaderReader reader;
  if (!nlohmann::json::sax_parse(json.begin(), json.end(), &reader))
    throw Error(file + ": " + reader.error());
  return reader.TakeHeader();
}

}  // namespace keylens
