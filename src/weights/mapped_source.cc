#include <algorithm>
#include <utility>

#include "src/base/error.h"
#include "src/checkpoint/header_text.h"
#include "src/weights/name_map.h"
#include "src/weights/name_pattern.h"

namespace keylens {
namespace {

[[noreturn]] void Refuse(const std::string& place, const std::string& what,
                         const std::vector<int64_t>& shape) {
  throw Error(place + ": a tensor of shape " + ShapeText(shape) +
              " cannot be " + what);
}

// The shape with its -1, if there is one, worked out; empty where it does not
// have as many elements.
std::vector<int64_t> Reshaped(std::vector<int64_t> shape, int64_t elements) {
  int64_t known = 1;
  int64_t* open = nullptr;
  for (int64_t& size : shape) {
    if (size == -1 && open == nullptr) {
      open = &size;
    } else if (size < 0 || __builtin_mul_overflow(known, size, &known)) {
      return {};
    }
  }
  if (open == nullptr)
    return known == elements ? shape : std::vector<int64_t>();
  if (known == 0 || elements % known != 0) return {};
  *open = elements / known;
  return shape;
}

void TakePart(const NameRule& rule, WeightView& view) {
  if (rule.parts == 1) return;
  const bool fits = !view.shape.empty() && rule.parts > 0 && rule.part >= 0 &&
                    rule.part < rule.parts && view.shape[0] % rule.parts == 0 &&
                    BitsOf(view.type) >= 8;
  if (!fits) {
    Refuse(view.place,
           "taken as " + std::to_string(rule.parts) + " equal parts",
           view.shape);
  }
  const std::size_t size =
      view.bytes.size() / static_cast<std::size_t>(rule.parts);
  view.shape[0] /= rule.parts;
  view.bytes =
      view.bytes.subspan(size * static_cast<std::size_t>(rule.part), size);
}

void Transpose(const NameRule& rule, WeightView& view) {
  if (!rule.transpose) return;
  if (view.shape.size() != 2) Refuse(view.place, "transposed", view.shape);
  std::swap(view.shape[0], view.shape[1]);
  view.transposed = !view.transposed;
}

void Reshape(const NameRule& rule, WeightView& view) {
  if (rule.reshape.empty()) return;
  const std::vector<int64_t> shape = Reshaped(rule.reshape, ElementCount(view));
  // The elements of a transposed matrix lie in another order.
  if (shape.empty() || view.transposed) {
    Refuse(view.place, "brought into the shape " + ShapeText(rule.reshape),
           view.shape);
  }
  view.shape = shape;
}

void Apply(const NameRule& rule, WeightView& view) {
  TakePart(rule, view);
  Transpose(rule, view);
  Reshape(rule, view);
}

}  // namespace

std::optional<std::string> Renamed(const NameRule& rule,
                                   std::string_view name) {
  const NamePattern from(rule.from);
  const auto values = from.Match(name);
  if (!values) return std::nullopt;
  return NamePattern(rule.to).Fill(from, *values);
}

bool FitsPattern(std::string_view pattern, std::string_view name) {
  return NamePattern(pattern).Match(name).has_value();
}

MappedSource::MappedSource(std::shared_ptr<const WeightSource> source,
                           const NameMap& map)
    : source_(std::move(source)) {
  for (const std::string& pattern : map.ignored)
    ignored_patterns_.emplace_back(pattern);
  for (const NameRule& rule : map.rules)
    rules_.push_back({NamePattern(rule.from), NamePattern(rule.to), rule});
  for (const std::string& name : source_->Names()) AddByRules(name);
}

void MappedSource::AddByRules(const std::string& name) {
  for (const NamePattern& pattern : ignored_patterns_) {
    if (pattern.Match(name)) {
      ignored_.push_back(name);
      return;
    }
  }
  const std::string* first = nullptr;  // the pattern of the rule that fits
  for (const Rule& rule : rules_) {
    if (first != nullptr && rule.rule.from != *first) continue;
    const auto values = rule.from.Match(name);
    if (!values) continue;
    first = &rule.rule.from;
    Add(rule.to.Fill(rule.from, *values), {name, rule.rule});
  }
  if (first == nullptr) Add(name, {name, NameRule{}});
}

void MappedSource::Add(const std::string& outside, Entry entry) {
  const auto [there, fresh] = entries_.emplace(outside, entry);
  if (fresh) {
    Viewed(entry);  // refuses what cannot be done while the file is opened
    return;
  }
  const WeightView a = Viewed(there->second);
  const WeightView b = Viewed(entry);
  const bool same = a.type == b.type && a.shape == b.shape &&
                    a.transposed == b.transposed &&
                    std::ranges::equal(a.bytes, b.bytes);
  if (same) return;  // tied weights, saved twice
  throw Error(source_->Where(entry.name) + ": tensors " +
              QuotedName(there->second.name) + " and " +
              QuotedName(entry.name) + " are both " + QuotedName(outside) +
              ", and differ");
}

WeightView MappedSource::Viewed(const Entry& entry) const {
  WeightView view = source_->Find(entry.name).value();
  Apply(entry.rule, view);
  return view;
}

std::vector<std::string> MappedSource::Names() const {
  std::vector<std::string> names;
  for (const auto& [name, entry] : entries_) names.push_back(name);
  return names;
}

std::optional<WeightView> MappedSource::Find(std::string_view name) const {
  const auto found = entries_.find(name);
  if (found == entries_.end()) return std::nullopt;
  return Viewed(found->second);
}

std::string MappedSource::Where(std::string_view name) const {
  const auto found = entries_.find(name);
  return source_->Where(found == entries_.end() ? name : found->second.name);
}

}  // namespace keylens
