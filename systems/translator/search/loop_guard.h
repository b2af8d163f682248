#ifndef KEYLENS_SYSTEMS_TRANSLATOR_SEARCH_LOOP_GUARD_H_
#define KEYLENS_SYSTEMS_TRANSLATOR_SEARCH_LOOP_GUARD_H_

#include <cstdint>
#include <span>

namespace keylens::translator {

// How often the run of pieces at the end of `ids`, followed by `next`, stands
// there in a row: the most over runs of 1 to 8 pieces; 1 where nothing repeats.
int RepeatsAtEnd(std::span<const int32_t> ids, int32_t next);

// The most that any run of 1 to 8 pieces of `ids` is repeated in a row.
int MostRepeats(std::span<const int32_t> ids);

// A small model may fall into a loop. A translation may repeat a run of pieces
// as often in a row as its source repeats one ("nein, nein, nein"), and twice
// in any case.
class LoopGuard {
 public:
  explicit LoopGuard(std::span<const int32_t> source);

  bool Allows(std::span<const int32_t> ids, int32_t next) const {
    return RepeatsAtEnd(ids, next) <= allowed_;
  }

 private:
  int allowed_;
};

}  // namespace keylens::translator

#endif  // KEYLENS_SYSTEMS_TRANSLATOR_SEARCH_LOOP_GUARD_H_
