#include "src/text/normalizer.h"

#include <cstring>
#include <utility>

#include "src/base/error.h"
#include "src/base/utf8.h"

namespace keylens {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
// NFKC's longest is 33 bytes; a limit keeps a hostile map from making a long
// text of a short one.
constexpr std::size_t kMaxStringBytes = 256;

// One unit of a Darts-clone double array.
bool HasLeaf(uint32_t unit) { return (unit >> 8 & 1) != 0; }
uint32_t ValueOf(uint32_t unit) { return unit & 0x7FFFFFFFu; }
uint32_t LabelOf(uint32_t unit) { return unit & 0x800000FFu; }
uint32_t OffsetOf(uint32_t unit) {
  return (unit >> 10) << ((unit & 0x200u) >> 6);
}

void CheckStrings(std::string_view strings, const std::string& name) {
  std::size_t begin = 0;
  while (begin < strings.size()) {
    const std::size_t end = strings.find('\0', begin);
    if (end == std::string_view::npos || end - begin > kMaxStringBytes) {
      throw Error(
          name +
          ": not a SentencePiece model (its map of characters is damaged)");
    }
    begin = end + 1;
  }
}

}  // namespace

CharacterMap::CharacterMap(std::string_view compiled, const std::string& name) {
  if (compiled.empty()) return;
  uint32_t trie_bytes = 0;
  const bool has_size = compiled.size() > sizeof(trie_bytes);
  if (has_size) std::memcpy(&trie_bytes, compiled.data(), sizeof(trie_bytes));
  compiled.remove_prefix(has_size ? sizeof(trie_bytes) : 0);
  if (trie_bytes == 0 || trie_bytes >= compiled.size() ||
      trie_bytes % sizeof(uint32_t) != 0) {
    throw Error(
        name +
        ": not a SentencePiece model (its map of characters is damaged)");
  }
  units_.resize(trie_bytes / sizeof(uint32_t));
  std::memcpy(units_.data(), compiled.data(), trie_bytes);
  strings_ = compiled.substr(trie_bytes);
  CheckStrings(strings_, name);
}

CharacterMap::Match CharacterMap::Longest(std::string_view text) const {
  Match longest;
  if (units_.empty()) return longest;
  std::size_t at = OffsetOf(units_[0]);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<uint8_t>(text[i]);
    at ^= byte;
    if (at >= units_.size() || LabelOf(units_[at]) != byte) break;
    const bool has_leaf = HasLeaf(units_[at]);
    at ^= OffsetOf(units_[at]);
    if (!has_leaf) continue;
    // The map comes from a file: neither place is taken on trust.
    if (at >= units_.size() || ValueOf(units_[at]) >= strings_.size()) break;
    longest = {i + 1, std::string_view(strings_.c_str() + ValueOf(units_[at]))};
  }
  return longest;
}

Normalizer::Normalizer(const NormalizationRules& rules, PieceTrie kept,
                       const std::string& name)
    : rules_(rules),
      characters_(rules.characters, name),
      kept_(std::move(kept)) {
  rules_.characters.clear();
}

CharacterMap::Match Normalizer::NormalizePrefix(std::string_view text) const {
  const std::size_t kept = kept_.LongestMatch(text);
  if (kept > 0) return {kept, text.substr(0, kept)};
  const CharacterMap::Match match = characters_.Longest(text);
  if (match.length > 0) return match;
  const Utf8Character character = DecodeUtf8(text, 0);
  if (!character.valid) return {1, kReplacement};
  return {character.length, text.substr(0, character.length)};
}

void Normalizer::AppendSpace(std::size_t origin, NormalizedText& out) const {
  out.text += SpaceText();
  out.origin.insert(out.origin.end(), SpaceText().size(), origin);
}

void Normalizer::Append(std::string_view part, std::size_t origin,
                        NormalizedText& out) const {
  for (const char c : part) {
    if (c == ' ') {
      AppendSpace(origin, out);
    } else {
      out.text.push_back(c);
      out.origin.push_back(origin);
    }
  }
}

// Bytes of the text that become spaces at its start.
std::size_t Normalizer::SkipLeadingSpaces(std::string_view text) const {
  std::size_t skipped = 0;
  while (rules_.remove_extra_spaces && skipped < text.size()) {
    const CharacterMap::Match prefix = NormalizePrefix(text.substr(skipped));
    if (prefix.becomes != " ") break;
    skipped += prefix.length;
  }
  return skipped;
}

void Normalizer::RemoveTrailingSpaces(std::size_t& consumed,
                                      NormalizedText& out) const {
  while (out.text.ends_with(SpaceText())) {
    const std::size_t length = out.text.size() - SpaceText().size();
    consumed = out.origin[length];
    out.text.resize(length);
    out.origin.resize(length);
  }
}

NormalizedText Normalizer::Normalize(std::string_view text) const {
  NormalizedText out;
  std::size_t consumed = SkipLeadingSpaces(text);
  if (consumed == text.size()) return out;
  out.text.reserve(text.size() * 3);
  out.origin.reserve(text.size() * 3);
  const bool prefix = rules_.add_dummy_prefix && !rules_.space_is_suffix;
  if (prefix) AppendSpace(consumed, out);
  bool after_space = rules_.remove_extra_spaces;
  while (consumed < text.size()) {
    const CharacterMap::Match match = NormalizePrefix(text.substr(consumed));
    std::string_view becomes = match.becomes;
    while (after_space && becomes.starts_with(' ')) becomes.remove_prefix(1);
    if (!becomes.empty()) {
      Append(becomes, consumed, out);
      after_space = becomes.ends_with(' ');
    }
    consumed += match.length;
    if (!rules_.remove_extra_spaces) after_space = false;
  }
  if (rules_.remove_extra_spaces) RemoveTrailingSpaces(consumed, out);
  if (rules_.add_dummy_prefix && rules_.space_is_suffix)
    AppendSpace(consumed, out);
  out.origin.push_back(consumed);
  return out;
}

}  // namespace keylens
