#ifndef KEYLENS_LANGUAGES_GERMAN_ENGLISH_CORPUS_COUNTS_H_
#define KEYLENS_LANGUAGES_GERMAN_ENGLISH_CORPUS_COUNTS_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace keylens::german_english {

// How many went through each step of the cleaning, in the order of the steps.
class Counts {
 public:
  void Add(const std::string& step, int64_t count = 1) {
    for (auto& [name, total] : steps_) {
      if (name == step) {
        total += count;
        return;
      }
    }
    steps_.emplace_back(step, count);
  }

  // 0 for a step that was never added to.
  int64_t Get(const std::string& step) const {
    for (const auto& [name, total] : steps_) {
      if (name == step) return total;
    }
    return 0;
  }

  const std::vector<std::pair<std::string, int64_t>>& steps() const {
    return steps_;
  }

 private:
  std::vector<std::pair<std::string, int64_t>> steps_;
};

}  // namespace keylens::german_english

#endif  // KEYLENS_LANGUAGES_GERMAN_ENGLISH_CORPUS_COUNTS_H_
