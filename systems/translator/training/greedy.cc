#include "systems/translator/training/greedy.h"

#include <algorithm>
#include <cstdint>
#include <numeric>

#include "systems/translator/model/token_ids.h"

namespace keylens::translator {
namespace {

constexpr std::size_t kBatch = 64;

using Ids = std::vector<int32_t>;

struct SourceBatch {
  torch::Tensor ids;  // [n, len]
  std::vector<int64_t> lengths;
};

SourceBatch Padded(const std::vector<const Ids*>& sentences, int32_t padding) {
  SourceBatch batch;
  for (const Ids* ids : sentences)
    batch.lengths.push_back(static_cast<int64_t>(ids->size()));
  const int64_t len =
      *std::max_element(batch.lengths.begin(), batch.lengths.end());
  batch.ids = torch::full({static_cast<int64_t>(sentences.size()), len},
                          std::max(0, padding), torch::kLong);
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    std::copy(sentences[i]->begin(), sentences[i]->end(),
              batch.ids.data_ptr<int64_t>() + static_cast<int64_t>(i) * len);
  }
  return batch;
}

// The tokens of each translation, without start and end.
std::vector<Ids> Decode(TranslatorModelImpl& model, const Tokenizer& tokenizer,
                        const SourceBatch& batch) {
  const EncodedSource source = model.EncodeSource(batch.ids, batch.lengths);
  const int64_t count = batch.ids.size(0);
  const int64_t longest =
      std::min(2 * batch.ids.size(1) + 10, model.config().max_tokens);
  torch::Tensor target =
      torch::full({count, 1}, tokenizer.start_id(), torch::kLong);
  std::vector<Ids> translations(count);
  std::vector<bool> ended(count, false);
  while (target.size(1) < longest &&
         std::find(ended.begin(), ended.end(), false) != ended.end()) {
    const torch::Tensor last =
        model.DecodeTarget(target, source).select(1, target.size(1) - 1);
    const torch::Tensor next = model.Logits(last).argmax(1, /*keepdim=*/true);
    for (int64_t i = 0; i < count; ++i) {
      const auto id = static_cast<int32_t>(next.data_ptr<int64_t>()[i]);
      ended[i] = ended[i] || id == tokenizer.end_id();
      if (!ended[i]) translations[i].push_back(id);
    }
    target = torch::cat({target, next}, 1);
  }
  return translations;
}

}  // namespace

std::vector<std::string> TranslateGreedily(
    TranslatorModelImpl& model, const Tokenizer& tokenizer,
    std::span<const std::string> sentences) {
  const torch::NoGradGuard no_grad;
  std::vector<Ids> ids;
  for (const std::string& sentence : sentences) {
    ids.push_back(SourceIds(tokenizer, sentence));
    // What is too long for the model is cut: only training is watched by this.
    const auto limit = static_cast<std::size_t>(model.config().max_tokens);
    if (ids.back().size() > limit) ids.back().resize(limit);
  }
  std::vector<std::size_t> order(ids.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) {
    return ids[a].size() < ids[b].size();
  });
  std::vector<std::string> translations(ids.size());
  for (std::size_t first = 0; first < order.size(); first += kBatch) {
    const std::size_t end = std::min(first + kBatch, order.size());
    std::vector<const Ids*> rows;
    for (std::size_t i = first; i < end; ++i) rows.push_back(&ids[order[i]]);
    const std::vector<Ids> decoded =
        Decode(model, tokenizer, Padded(rows, tokenizer.pad_id()));
    for (std::size_t i = first; i < end; ++i) {
      translations[order[i]] = tokenizer.Decode(decoded[i - first]);
    }
  }
  return translations;
}

}  // namespace keylens::translator
