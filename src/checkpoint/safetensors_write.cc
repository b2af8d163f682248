#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/base/utf8.h"
#include "src/checkpoint/header_text.h"
#include "src/checkpoint/safetensors.h"
#include "src/checkpoint/safetensors_header.h"

namespace keylens {
namespace {

std::vector<const NamedTensor*> InFileOrder(
    std::span<const NamedTensor> tensors) {
  std::vector<const NamedTensor*> order;
  for (const NamedTensor& tensor : tensors) order.push_back(&tensor);
  std::sort(order.begin(), order.end(),
            [](const NamedTensor* a, const NamedTensor* b) {
              const int64_t size_a = SizeOf(a->type);
              const int64_t size_b = SizeOf(b->type);
              return size_a != size_b ? size_a > size_b : a->name < b->name;
            });
  return order;
}

void CheckTensor(const NamedTensor& tensor) {
  const auto bytes = static_cast<int64_t>(tensor.bytes.size());
  if (tensor.name == kMetadataKey) {
    throw std::invalid_argument("WriteSafetensors: a tensor named " +
                                QuotedName(kMetadataKey));
  }
  if (DenseBytes(tensor.type, tensor.shape) != bytes) {
    throw std::invalid_argument(
        "WriteSafetensors: tensor " + QuotedName(tensor.name) + ": " +
        std::to_string(bytes) + " bytes for " +
        std::string(NameOf(tensor.type)) + " " + ShapeText(tensor.shape));
  }
}

void CheckText(const std::filesystem::path& path, const std::string& text) {
  if (!IsUtf8(text))
    throw Error(path.string() + ": the name or note " + QuotedName(text) +
                " is not UTF-8");
}

// Keys in the order of insertion: the metadata, then the tensors by their
// place.
std::string HeaderJson(const std::vector<const NamedTensor*>& order,
                       const std::map<std::string, std::string>& metadata) {
  nlohmann::ordered_json header = nlohmann::ordered_json::object();
  if (!metadata.empty()) header[kMetadataKey] = metadata;
  int64_t at = 0;
  for (const NamedTensor* tensor : order) {
    const int64_t end = at + static_cast<int64_t>(tensor->bytes.size());
    header.push_back({tensor->name,
                      {{"dtype", NameOf(tensor->type)},
                       {"shape", tensor->shape},
                       {"data_offsets", {at, end}}}});
    at = end;
  }
  std::string json = header.dump();
  json.append((8 - json.size() % 8) % 8, ' ');  // the data start aligned
  return json;
}

void CheckNames(const std::vector<const NamedTensor*>& order) {
  std::vector<std::string_view> names;
  names.reserve(order.size());
  for (const NamedTensor* tensor : order) names.push_back(tensor->name);
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice != names.end()) {
    throw std::invalid_argument("WriteSafetensors: two tensors named " +
                                QuotedName(*twice));
  }
}

}  // namespace

void WriteSafetensors(const std::filesystem::path& path,
                      std::span<const NamedTensor> tensors,
                      const std::map<std::string, std::string>& metadata) {
  for (const NamedTensor& tensor : tensors) {
    CheckTensor(tensor);
    CheckText(path, tensor.name);
  }
  for (const auto& [key, value] : metadata) {
    CheckText(path, key);
    CheckText(path, value);
  }
  const std::vector<const NamedTensor*> order = InFileOrder(tensors);
  CheckNames(order);
  const std::string json = HeaderJson(order, metadata);
  if (static_cast<int64_t>(json.size()) > kMaxHeaderBytes) {
    throw Error(path.string() + ": a header of " + std::to_string(json.size()) +
                " bytes is too long to be read again");
  }
  AtomicFile file(path);
  const uint64_t length = json.size();
  char length_bytes[sizeof(length)];
  std::memcpy(length_bytes, &length, sizeof(length));
  file.Write({length_bytes, sizeof(length)});
  file.Write(json);
  for (const NamedTensor* tensor : order) {
    file.Write({reinterpret_cast<const char*>(tensor->bytes.data()),
                tensor->bytes.size()});
  }
  file.Commit();
}

}  // namespace keylens
