#ifndef KEYLENS_LANGUAGES_GERMAN_ENGLISH_CORPUS_EVIDENCE_H_
#define KEYLENS_LANGUAGES_GERMAN_ENGLISH_CORPUS_EVIDENCE_H_

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "languages/german_english/corpus/pair.h"

namespace keylens::german_english {

// What translated sentences say about a translation of a word.
class Evidence {
 public:
  explicit Evidence(std::span<const Pair> sentences);

  // How often the two go together: Dice's coefficient, 2 c / (g + e), over the
  // sentences that have all words of the German term (g), of the English one
  // (e) and of both (c); from 0 to 1, and 0 where c is below 2. Articles and
  // "to" do not count as words.
  double Association(const Pair& terms) const;

  // How many sentences have the rarest word of the text; 0 for no words.
  int64_t CountEnglish(const std::string& text) const;
  int64_t CountGerman(const std::string& text) const;

 private:
  using Sentences = std::vector<int32_t>;  // ascending indices
  using Index = std::unordered_map<std::string, Sentences>;

  static Sentences Find(const Index& index,
                        const std::vector<std::string>& words);
  static int64_t CountRarest(const Index& index,
                             std::vector<std::string> words);

  Index english_, german_;
};

}  // namespace keylens::german_english

#endif  // KEYLENS_LANGUAGES_GERMAN_ENGLISH_CORPUS_EVIDENCE_H_
