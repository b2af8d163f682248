#ifndef KEYLENS_SYSTEMS_TRANSLATOR_TRAINING_SENTENCE_STREAM_H_
#define KEYLENS_SYSTEMS_TRANSLATOR_TRAINING_SENTENCE_STREAM_H_

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace keylens::translator {

// The endless stream of sentences of a run: one pass over the text after
// another, each in an order of its own, measured in target tokens. A batch is a
// stretch of it, and so is a worker's share of a batch. Which sentence lies
// where is a function of the seed alone.
class SentenceStream {
 public:
  // A sentence of the stream.
  struct Draw {
    std::size_t sentence = 0;
    uint64_t number = 0;  // from the beginning of the stream
  };

  // lengths: tokens of each sentence, at least 1. weights: how often each lies
  // in a pass; of a weight w, floor(w) times, and once more with the
  // probability of the rest. Throws std::invalid_argument where that is
  // nothing.
  SentenceStream(std::vector<int64_t> lengths, std::vector<double> weights,
                 uint64_t seed);

  // The sentences whose first token is one of [begin, end) of the stream. May
  // be called by several threads at once.
  std::vector<Draw> Between(int64_t begin, int64_t end);

  // The number of tokens of those sentences.
  int64_t TokensOf(const std::vector<Draw>& draws) const;

 private:
  struct Pass;
  std::shared_ptr<const Pass> MakePass(std::size_t index) const;
  std::shared_ptr<const Pass> PassAt(int64_t token);

  std::vector<int64_t> lengths_;
  std::vector<double> weights_;
  uint64_t seed_;

  std::mutex mutex_;
  // Where passes begin, as far as they are known; entry i + 1 is where i ends.
  std::vector<int64_t> first_tokens_ = {0};
  std::vector<uint64_t> first_numbers_ = {0};
  std::map<std::size_t, std::shared_ptr<const Pass>> passes_;  // the latest
};

}  // namespace keylens::translator

#endif  // KEYLENS_SYSTEMS_TRANSLATOR_TRAINING_SENTENCE_STREAM_H_
