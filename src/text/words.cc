#include <string_view>

#include "src/base/utf8.h"
#include "src/text/tokenizer.h"

namespace keylens {
namespace {

// Unicode's White_Space, and the two invisible characters that SentencePiece's
// own rules make spaces of.
bool IsSpace(char32_t code) {
  return (code >= 0x09 && code <= 0x0D) || code == 0x20 || code == 0x85 ||
         code == 0xA0 || code == 0x1680 || (code >= 0x2000 && code <= 0x200B) ||
         code == 0x2028 || code == 0x2029 || code == 0x202F || code == 0x205F ||
         code == 0x3000 || code == 0xFEFF;
}

// From `at`, the end of the run of characters that are, or are not, spaces.
std::size_t SkipRun(std::string_view text, std::size_t at, bool spaces) {
  while (at < text.size()) {
    const Utf8Character character = DecodeUtf8(text, at);
    if (IsSpace(character.code) != spaces) break;
    at += character.length;
  }
  return at;
}

}  // namespace

// A piece belongs to the word in which its bytes begin; one that begins in the
// space before a word belongs to that word, as "_red" does.
std::vector<TextWord> WordsOf(std::string_view text,
                              std::span<const TextPiece> pieces) {
  std::vector<TextWord> words;
  std::size_t next_piece = 0;
  for (std::size_t begin = SkipRun(text, 0, true); begin < text.size();) {
    const std::size_t end = SkipRun(text, begin, false);
    TextWord word{std::string(text.substr(begin, end - begin)), next_piece,
                  next_piece};
    while (word.last_piece < pieces.size() &&
           pieces[word.last_piece].begin < end)
      ++word.last_piece;
    next_piece = word.last_piece;
    const bool none = word.first_piece == word.last_piece;
    // A piece of several words: each has it.
    if (none && next_piece > 0 && pieces[next_piece - 1].end > begin)
      --word.first_piece;
    words.push_back(std::move(word));
    begin = SkipRun(text, end, true);
  }
  return words;
}

}  // namespace keylens
