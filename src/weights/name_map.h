#ifndef KEYLENS_SRC_WEIGHTS_NAME_MAP_H_
#define KEYLENS_SRC_WEIGHTS_NAME_MAP_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "src/weights/name_pattern.h"
#include "src/weights/weight_source.h"

namespace keylens {

// How the names in somebody else's checkpoint become those of a definition:
// data that stands beside the model, tried rule by rule; the first that fits
// wins.
//
// A pattern is a name in which a placeholder stands for a part of it:
//   {i}   one letter in braces: a number without leading zeros, as layers are
//         counted: "0", "12"
//   {x1}, {name}   more than one sign: anything without a dot, at least one
//   byte
//   {*}   anything, dots included, and nothing as well; at most two a pattern
// Placeholders of one pattern have different names, but for {*}; `to` uses
// those of `from`, {*} in the same order. A map for a file whose names need
// more than one step is a MappedSource over another.
struct NameRule {
  std::string from;  // in the file
  std::string to;    // in the definition

  // A matrix that the file holds the other way round: [in, out] for [out, in].
  bool transpose = false;
  // The shape in the definition, of as many elements: a linear layer that the
  // file keeps as a 1 x 1 convolution. One size may be -1. Empty: as it is.
  std::vector<int64_t> reshape = {};
  // A part of the file's tensor along its first axis: the `part`-th of `parts`
  // equal ones, for query, key and value above each other. All rules that have
  // the `from` of the one that fits are applied.
  int64_t part = 0;
  int64_t parts = 1;
};

// What no rule fits keeps its name.
struct NameMap {
  std::vector<NameRule> rules;
  // Patterns of what a file may hold and no model needs: "{*}.position_ids".
  // They go before the rules.
  std::vector<std::string> ignored = {};
};

// The name in the definition that a rule gives to `name` of a file; none where
// the pattern does not fit. Any text is safe to pass as the name. Throws
// std::invalid_argument for a rule that is badly made.
std::optional<std::string> Renamed(const NameRule& rule, std::string_view name);

// Whether the whole of `name` fits `pattern`.
bool FitsPattern(std::string_view pattern, std::string_view name);

// The weights of a source under the names of the definition, in its shapes.
//
// Two names of the file that become the same name are an Error that names both,
// unless they are the same bytes: a tied matrix that a file holds twice is one.
class MappedSource : public WeightSource {
 public:
  // Throws Error, naming the file: for names that collide, and for a tensor
  // that cannot be transposed, reshaped or parted as its rule says.
  MappedSource(std::shared_ptr<const WeightSource> source, const NameMap& map);

  std::vector<std::string> Names() const override;
  std::optional<WeightView> Find(std::string_view name) const override;
  std::string Where(std::string_view name) const override;

  // Names of the file that were ignored.
  const std::vector<std::string>& ignored() const { return ignored_; }

 private:
  struct Rule {
    NamePattern from, to;
    NameRule rule;
  };
  struct Entry {
    std::string name;  // in the file
    NameRule rule;
  };

  void AddByRules(const std::string& name);
  void Add(const std::string& outside, Entry entry);
  WeightView Viewed(const Entry& entry) const;

  std::shared_ptr<const WeightSource> source_;
  std::vector<NamePattern> ignored_patterns_;
  std::vector<Rule> rules_;
  std::map<std::string, Entry, std::less<>> entries_;
  std::vector<std::string> ignored_;
};

}  // namespace keylens

#endif  // KEYLENS_SRC_WEIGHTS_NAME_MAP_H_
