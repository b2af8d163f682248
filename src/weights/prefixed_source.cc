#include "src/weights/weight_source.h"

namespace keylens {

std::vector<std::string> PrefixedSource::Names() const {
  std::vector<std::string> names;
  for (const std::string& name : source_->Names()) {
    if (name.starts_with(prefix_)) names.push_back(name.substr(prefix_.size()));
  }
  return names;
}

std::optional<WeightView> PrefixedSource::Find(std::string_view name) const {
  return source_->Find(Inner(name));
}

std::string PrefixedSource::Where(std::string_view name) const {
  return source_->Where(Inner(name));
}

}  // namespace keylens
