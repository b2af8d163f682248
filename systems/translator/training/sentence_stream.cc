#include "systems/translator/training/sentence_stream.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <stdexcept>
#include <utility>

#include "src/random/random.h"

namespace keylens::translator {

struct SentenceStream::Pass {
  std::vector<uint32_t> order;       // sentences
  std::vector<int64_t> first_token;  // of each, and the end; from the pass's 0
  int64_t offset = 0;                // of the pass in the stream
  uint64_t number = 0;               // of its first sentence

  int64_t end() const { return offset + first_token.back(); }
};

SentenceStream::SentenceStream(std::vector<int64_t> lengths,
                               std::vector<double> weights, uint64_t seed)
    : lengths_(std::move(lengths)), weights_(std::move(weights)), seed_(seed) {
  double total = 0;
  for (const double weight : weights_) total += std::floor(weight);
  if (lengths_.size() != weights_.size() || total < 1) {
    throw std::invalid_argument(
        "SentenceStream: no sentence with a weight of at least 1");
  }
}

std::shared_ptr<const SentenceStream::Pass> SentenceStream::MakePass(
    std::size_t index) const {
  auto pass = std::make_shared<Pass>();
  pass->offset = first_tokens_[index];
  pass->number = first_numbers_[index];
  Random random({seed_, 1, index});
  for (std::size_t i = 0; i < weights_.size(); ++i) {
    const double whole = std::floor(weights_[i]);
    const bool once_more = random.Uniform() < weights_[i] - whole;
    pass->order.insert(pass->order.end(),
                       static_cast<std::size_t>(whole) + (once_more ? 1 : 0),
                       static_cast<uint32_t>(i));
  }
  for (std::size_t i = pass->order.size(); i > 1; --i) {
    std::swap(pass->order[i - 1], pass->order[random.Below(i)]);
  }
  int64_t token = 0;
  for (const uint32_t sentence : pass->order) {
    pass->first_token.push_back(token);
    token += lengths_[sentence];
  }
  pass->first_token.push_back(token);
  return pass;
}

// Under the lock. Passes before the one that is asked for are made once, to
// know how long they are.
std::shared_ptr<const SentenceStream::Pass> SentenceStream::PassAt(
    int64_t token) {
  while (true) {
    const auto after =
        std::upper_bound(first_tokens_.begin(), first_tokens_.end(), token);
    const std::size_t index = after - first_tokens_.begin() - 1;
    auto& pass = passes_[index];
    if (pass == nullptr) pass = MakePass(index);
    const std::shared_ptr<const Pass> found = pass;
    constexpr std::size_t kKept = 2;
    while (passes_.size() > kKept) {
      passes_.erase(passes_.begin()->first == index ? std::prev(passes_.end())
                                                    : passes_.begin());
    }
    if (index + 1 == first_tokens_.size()) {
      first_tokens_.push_back(found->end());
      first_numbers_.push_back(found->number + found->order.size());
    }
    if (token < found->end()) return found;
  }
}

std::vector<SentenceStream::Draw> SentenceStream::Between(int64_t begin,
                                                          int64_t end) {
  std::vector<Draw> draws;
  while (begin < end) {
    std::shared_ptr<const Pass> pass;
    {
      const std::lock_guard lock(mutex_);
      pass = PassAt(begin);
    }
    auto at =
        std::lower_bound(pass->first_token.begin(), pass->first_token.end() - 1,
                         begin - pass->offset);
    for (; at != pass->first_token.end() - 1 && pass->offset + *at < end;
         ++at) {
      const auto place =
          static_cast<std::size_t>(at - pass->first_token.begin());
      draws.push_back({pass->order[place], pass->number + place});
    }
    begin = pass->end();
  }
  return draws;
}

int64_t SentenceStream::TokensOf(const std::vector<Draw>& draws) const {
  int64_t tokens = 0;
  for (const Draw& draw : draws) tokens += lengths_[draw.sentence];
  return tokens;
}

}  // namespace keylens::translator
