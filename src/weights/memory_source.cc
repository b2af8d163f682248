#include <stdexcept>
#include <utility>

#include "src/checkpoint/header_text.h"
#include "src/weights/weight_source.h"

namespace keylens {

void MemorySource::Add(const std::string& name, std::vector<int64_t> shape,
                       std::span<const float> values) {
  Add(name, ElementType::kFloat32, std::move(shape), std::as_bytes(values));
}

void MemorySource::Add(const std::string& name, ElementType type,
                       std::vector<int64_t> shape,
                       std::span<const std::byte> bytes) {
  if (DenseBytes(type, shape) != static_cast<int64_t>(bytes.size())) {
    throw std::invalid_argument("MemorySource::Add: " + QuotedName(name) +
                                ": " + std::to_string(bytes.size()) +
                                " bytes for the shape " + ShapeText(shape));
  }
  entries_[name] = {type, std::move(shape), {bytes.begin(), bytes.end()}};
}

std::vector<std::string> MemorySource::Names() const {
  std::vector<std::string> names;
  for (const auto& [name, entry] : entries_) names.push_back(name);
  return names;
}

std::optional<WeightView> MemorySource::Find(std::string_view name) const {
  const auto found = entries_.find(name);
  if (found == entries_.end()) return std::nullopt;
  const Entry& entry = found->second;
  return WeightView{where_ + ": tensor " + QuotedName(name), entry.type,
                    entry.shape, entry.bytes, false};
}

std::string MemorySource::Where(std::string_view) const { return where_; }

}  // namespace keylens
