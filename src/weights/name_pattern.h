#ifndef KEYLENS_SRC_WEIGHTS_NAME_PATTERN_H_
#define KEYLENS_SRC_WEIGHTS_NAME_PATTERN_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace keylens {

// A name with placeholders, as name_map.h describes them.
class NamePattern {
 public:
  // Throws std::invalid_argument for braces without a partner or an end, a
  // placeholder that is there twice, and more than two {*}.
  explicit NamePattern(std::string_view pattern);

  // What the placeholders stand for, in their order, where the whole name fits.
  std::optional<std::vector<std::string_view>> Match(
      std::string_view name) const;

  // The pattern with its placeholders replaced by what those of `from` stand
  // for. Throws std::invalid_argument for one that `from` does not have.
  std::string Fill(const NamePattern& from,
                   const std::vector<std::string_view>& values) const;

 private:
  enum class Kind { kLiteral, kNumber, kWord, kAnything };
  struct Part {
    Kind kind = Kind::kLiteral;
    std::string text;  // the literal, or the placeholder's name
  };

  void AddPlaceholder(std::string_view name);
  bool MatchFrom(std::size_t part, std::string_view rest,
                 std::vector<std::string_view>& values) const;
  bool MatchAnything(std::size_t part, std::string_view rest,
                     std::vector<std::string_view>& values) const;

  std::vector<Part> parts_;
  int anythings_ = 0;
};

}  // namespace keylens

#endif  // KEYLENS_SRC_WEIGHTS_NAME_PATTERN_H_
