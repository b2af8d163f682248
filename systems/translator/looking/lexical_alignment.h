#ifndef KEYLENS_SYSTEMS_TRANSLATOR_LOOKING_LEXICAL_ALIGNMENT_H_
#define KEYLENS_SYSTEMS_TRANSLATOR_LOOKING_LEXICAL_ALIGNMENT_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "systems/translator/looking/alignment.h"

// Which words of a language go with which of another, learnt by counting in
// pairs of sentences: a yardstick for alignments that owes nothing to
// attention.

namespace keylens::translator {

// The words of both sides of a pair, split at white space, without the
// punctuation around them and in lower case.
struct WordPair {
  std::vector<std::string> source, target;
};

WordPair WordsOfPair(std::string_view source, std::string_view target);

// IBM model 1 (Brown et al. 1993) in both directions, by `rounds` of
// expectation maximisation.
class LexicalAligner {
 public:
  explicit LexicalAligner(std::span<const WordPair> pairs, int rounds = 5);

  // The links on which both directions agree: each word is the likeliest of
  // its sentence for the other. Few, but seldom wrong.
  std::vector<WordLink> Links(const WordPair& pair) const;

 private:
  // p(to | from), by the two in one number.
  using Table = std::unordered_map<uint64_t, double>;
  // The words of a sentence as numbers; those of `from` begin with the empty
  // word, which explains what nothing else does.
  struct Ids {
    std::vector<int32_t> from, to;
  };

  static Table Learn(const std::vector<Ids>& pairs, int rounds);
  static std::vector<int64_t> Likeliest(const Table& table, const Ids& ids);
  Ids IdsOf(const std::vector<std::string>& from,
            const std::vector<std::string>& to) const;

  std::unordered_map<std::string, int32_t> number_of_word_;
  Table forward_, backward_;
};

}  // namespace keylens::translator

#endif  // KEYLENS_SYSTEMS_TRANSLATOR_LOOKING_LEXICAL_ALIGNMENT_H_
