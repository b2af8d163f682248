#include <algorithm>
#include <bit>
#include <cstring>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "src/base/error.h"
#include "src/base/foreign_file.h"
#include "src/checkpoint/header_text.h"
#include "src/checkpoint/safetensors.h"
#include "src/checkpoint/safetensors_header.h"

namespace keylens {
namespace {

static_assert(std::endian::native == std::endian::little,
              "the files are little-endian");

constexpr std::size_t kLengthBytes = 8;

// `otherwise`: what is wrong where nothing better is known of the file.
[[noreturn]] void Refuse(std::string_view file, const std::string& name,
                         const std::string& otherwise) {
  const std::string foreign = ForeignFileText(file);
  throw Error(
      name + ": " +
      (foreign.empty() ? otherwise : "not a safetensors file but " + foreign));
}

// The JSON that follows the first 8 bytes, which are its length.
std::string_view HeaderText(std::string_view file, const std::string& name) {
  uint64_t length = 0;
  if (file.size() < kLengthBytes)
    Refuse(file, name, "not a safetensors file (it is cut short)");
  std::memcpy(&length, file.data(), kLengthBytes);
  if (length > static_cast<uint64_t>(kMaxHeaderBytes)) {
    Refuse(file, name,
           "not a safetensors file (a header of " + std::to_string(length) +
               " bytes; " + std::to_string(kMaxHeaderBytes) + " are read)");
  }
  if (length > file.size() - kLengthBytes) {
    Refuse(file, name,
           "cut short: a header of " + std::to_string(length) +
               " bytes in a file of " + std::to_string(file.size()));
  }
  const std::string_view json = file.substr(kLengthBytes, length);
  if (!json.starts_with('{')) {
    Refuse(file, name,
           "not a safetensors file (its header does not start with '{')");
  }
  return json;
}

// Tensors in the order of their data: each begins where the one before it ends.
void CheckPlaces(const std::vector<TensorEntry>& sorted, int64_t data_bytes,
                 const std::string& file) {
  int64_t at = 0;
  for (const TensorEntry& entry : sorted) {
    const std::string where = file + ": tensor " + QuotedName(entry.name) +
                              ": bytes " + std::to_string(entry.begin) +
                              " to " + std::to_string(entry.end);
    const int64_t needed = DenseBytes(entry.type, entry.shape);
    if (needed < 0)
      throw Error(where + " for the impossible shape " +
                  ShapeText(entry.shape));
    if (entry.begin != at) {
      throw Error(where + (entry.begin < at ? " overlap another's"
                                            : " leave a gap before them"));
    }
    if (entry.end < entry.begin || entry.end - entry.begin != needed) {
      throw Error(where + " for " + std::string(NameOf(entry.type)) + " " +
                  ShapeText(entry.shape) + ", which takes " +
                  std::to_string(needed));
    }
    if (entry.end > data_bytes) {
      throw Error(where + " of " + std::to_string(data_bytes) +
                  " that there are; the file is cut short");
    }
    at = entry.end;
  }
  if (at != data_bytes) {
    throw Error(file + ": " + std::to_string(data_bytes - at) +
                " bytes after the last tensor belong to none");
  }
}

void CheckBooleans(const NamedTensor& tensor, const std::string& file) {
  if (tensor.type != ElementType::kBool) return;
  const auto is_boolean = [](std::byte b) {
    return b == std::byte{0} || b == std::byte{1};
  };
  if (std::all_of(tensor.bytes.begin(), tensor.bytes.end(), is_boolean)) return;
  throw Error(file + ": tensor " + QuotedName(tensor.name) +
              ": a boolean that is neither 0 nor 1");
}

}  // namespace

void Safetensors::ParseBytes(std::string_view bytes) {
  const std::string_view json = HeaderText(bytes, name_);
  SafetensorsHeader header = ParseHeader(json, name_);
  std::sort(header.tensors.begin(), header.tensors.end(),
            [](const TensorEntry& a, const TensorEntry& b) {
              return std::tie(a.begin, a.end, a.name) <
                     std::tie(b.begin, b.end, b.name);
            });
  const std::string_view data = bytes.substr(kLengthBytes + json.size());
  CheckPlaces(header.tensors, static_cast<int64_t>(data.size()), name_);
  for (TensorEntry& entry : header.tensors) {
    index_.emplace(entry.name, tensors_.size());
    tensors_.push_back({std::move(entry.name), entry.type,
                        std::move(entry.shape),
                        std::as_bytes(std::span(data))
                            .subspan(entry.begin, entry.end - entry.begin)});
    CheckBooleans(tensors_.back(), name_);
  }
  metadata_ = std::move(header.metadata);
}

Safetensors Safetensors::Parse(std::string bytes, const std::string& name) {
  Safetensors file;
  file.name_ = name;
  file.bytes_ = std::make_unique<const std::string>(std::move(bytes));
  file.ParseBytes(*file.bytes_);
  return file;
}

Safetensors Safetensors::Read(const std::filesystem::path& path) {
  Safetensors file;
  file.name_ = path.string();
  file.mapped_ = std::make_shared<const MappedFile>(path);
  file.ParseBytes(file.mapped_->text());
  return file;
}

void Safetensors::CheckSize() const {
  if (mapped_ != nullptr) mapped_->CheckSize();
}

const NamedTensor* Safetensors::Find(std::string_view name) const {
  const auto found = index_.find(name);
  return found == index_.end() ? nullptr : &tensors_[found->second];
}

}  // namespace keylens
