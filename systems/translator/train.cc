#include "systems/translator/train.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "src/base/error.h"
#include "src/train/random.h"
#include "systems/translator/model_folder.h"
#include "systems/translator/token_ids.h"

namespace keylens::translator {
namespace {

TranslatorTraining WithVocabulary(TranslatorTraining training,
                                  const Tokenizer& tokenizer) {
  training.config.vocab_size = tokenizer.vocab_size();
  return training;
}

// What is drawn for a sentence of the stream.
enum Purpose : uint64_t { kSourceSplit = 2, kTargetSplit, kSource, kTarget };

// Lays sentences end to end.
class Packer {
 public:
  explicit Packer(uint64_t seed, Purpose purpose)
      : seed_(seed), purpose_(purpose) {}

  // Appends one sentence; `number` is its place in the stream.
  void Append(const std::vector<int64_t>& ids, uint64_t number) {
    for (std::size_t i = 0; i < ids.size(); ++i) {
      ids_.push_back(ids[i]);
      keys_.push_back(
          static_cast<int64_t>(train::KeyOf({seed_, purpose_, number, i})));
    }
    offsets_.push_back(static_cast<int64_t>(ids_.size()));
  }

  torch::Tensor ids() const { return torch::tensor(ids_, torch::kLong); }
  torch::Tensor keys() const { return torch::tensor(keys_, torch::kLong); }
  const std::vector<int64_t>& offsets() const { return offsets_; }

 private:
  uint64_t seed_;
  Purpose purpose_;
  std::vector<int64_t> ids_, keys_, offsets_ = {0};
};

}  // namespace

void TrainVocabulary(const std::vector<SentencePair>& pairs, int64_t vocab_size,
                     const std::filesystem::path& path) {
  std::vector<std::string> sentences;
  train::Random random({0, 5});
  for (const SentencePair& pair : pairs) {
    const auto copies =
        static_cast<int>(std::floor(pair.weight + random.Uniform()));
    for (int i = 0; i < copies; ++i) {
      sentences.push_back(pair.source);
      sentences.push_back(pair.target);
    }
  }
  TrainTokenizer(sentences,
                 {.vocab_size = static_cast<int32_t>(vocab_size),
                  .lowercase = false,
                  .byte_fallback = true},
                 path);
}

TranslatorTask::TranslatorTask(ParallelText text,
                               const std::filesystem::path& tokenizer_file,
                               TranslatorTraining training,
                               const std::filesystem::path& run)
    : tokenizer_file_(tokenizer_file),
      tokenizer_(Tokenizer::Load(tokenizer_file)),
      training_(WithVocabulary(std::move(training), tokenizer_)),
      validation_(text.valid, training_.validation_sentences, run) {
  // Half of what the model takes: sampled splits are longer.
  const auto longest =
      static_cast<std::size_t>(training_.config.max_tokens / 2);
  std::vector<int64_t> lengths;
  std::vector<double> weights;
  for (SentencePair& pair : text.train) {
    Example example;
    example.source = IdsOf(tokenizer_.Encode(pair.source));
    example.target = IdsOf(tokenizer_.Encode(pair.target));
    if (std::max(example.source.size(), example.target.size()) >= longest) {
      ++left_out_;
      continue;
    }
    lengths.push_back(static_cast<int64_t>(example.target.size()) + 1);
    weights.push_back(pair.weight);
    example.text = std::move(pair);
    examples_.push_back(std::move(example));
  }
  if (std::none_of(weights.begin(), weights.end(),
                   [](double weight) { return weight >= 1; })) {
    throw Error("no sentence that weighs at least 1 is left to train on");
  }
  stream_ = std::make_unique<SentenceStream>(lengths, weights, training_.seed);
}

std::shared_ptr<torch::nn::Module> TranslatorTask::MakeModel() {
  torch::manual_seed(training_.seed);
  auto model = std::make_shared<TranslatorModelImpl>(training_.config,
                                                     training_.dropout);
  if (training_.bfloat16) model->set_branch_type(torch::kBFloat16);
  return model;
}

std::vector<int32_t> TranslatorTask::Split(const std::string& sentence,
                                           const std::vector<int32_t>& ids,
                                           uint64_t seed) const {
  if (training_.subword_sharpness == 0) return ids;
  std::vector<int32_t> sampled = IdsOf(
      tokenizer_.EncodeSampled(sentence, training_.subword_sharpness, seed));
  const auto longest =
      static_cast<std::size_t>(training_.config.max_tokens - 1);
  return sampled.size() < longest ? sampled : ids;
}

PackedPairs TranslatorTask::MakeBatch(const train::Share& share) {
  const int64_t begin = share.step * share.batch + share.first;
  Packer source(share.seed, kSource), target(share.seed, kTarget);
  std::vector<int64_t> next;
  for (const auto& draw : stream_->Between(begin, begin + share.count)) {
    const Example& example = examples_[draw.sentence];
    const auto key = [&](Purpose purpose) {
      return train::KeyOf({share.seed, purpose, draw.number});
    };
    const std::vector<int32_t> german =
        Split(example.text.source, example.source, key(kSourceSplit));
    const std::vector<int32_t> english =
        Split(example.text.target, example.target, key(kTargetSplit));
    std::vector<int64_t> ids(german.begin(), german.end());
    ids.push_back(tokenizer_.end_id());
    source.Append(ids, draw.number);
    ids.assign(1, tokenizer_.start_id());
    ids.insert(ids.end(), english.begin(), english.end());
    target.Append(ids, draw.number);
    next.insert(next.end(), english.begin(), english.end());
    next.push_back(tokenizer_.end_id());
  }
  return {source.ids(),    target.ids(),  torch::tensor(next, torch::kLong),
          source.keys(),   target.keys(), source.offsets(),
          target.offsets()};
}

torch::Tensor TranslatorTask::Loss(torch::nn::Module& model,
                                   const train::Share& share) {
  auto& translator = dynamic_cast<TranslatorModelImpl&>(model);
  const PackedPairs pairs = MakeBatch(share);
  // Where long sentences fill the batch, none may begin in a share.
  if (pairs.target_offsets.size() == 1) {
    return torch::zeros({}, torch::requires_grad());
  }
  const int64_t begin = share.step * share.batch;
  const int64_t tokens =
      stream_->TokensOf(stream_->Between(begin, begin + share.batch));
  // The trainer weighs a share by count / batch.
  const double factor = static_cast<double>(share.batch) /
                        static_cast<double>(share.count) /
                        static_cast<double>(tokens);
  return translator.Loss(pairs, training_.label_smoothing) * factor;
}

void TranslatorTask::WriteSamples(torch::nn::Module& model,
                                  const std::filesystem::path& folder,
                                  int64_t step) {
  auto& translator = dynamic_cast<TranslatorModelImpl&>(model);
  if (validation_.Write(translator, tokenizer_, folder, step)) {
    WriteModelFolder(translator, tokenizer_file_,
                     folder.parent_path() / "best");
  }
}

void TranslatorTask::Export(torch::nn::Module& model,
                            const std::filesystem::path& folder) {
  WriteModelFolder(dynamic_cast<TranslatorModelImpl&>(model), tokenizer_file_,
                   folder);
}

bool TranslatorTask::ShouldStop() {
  return training_.patience > 0 &&
         validation_.SamplesSinceBest() >= training_.patience;
}

}  // namespace keylens::translator
