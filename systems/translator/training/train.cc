#include "systems/translator/training/train.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "src/base/error.h"
#include "src/random/random.h"
#include "systems/translator/model/token_ids.h"
#include "systems/translator/training/model_files.h"

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
          static_cast<int64_t>(KeyOf({seed_, purpose_, number, i})));
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
  Random random({0, 5});
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
      tokenizer_(SentencePieceTokenizer::Load(tokenizer_file)),
      training_(WithVocabulary(std::move(training), tokenizer_)),
      validation_(text.valid, training_.validation_sentences, run) {
  if (training_.variety) variety_ = training_.variety(text.train);
  std::vector<int64_t> lengths;
  std::vector<double> weights;
  for (SentencePair& pair : text.train) {
    Example example = SplitPair(std::move(pair));
    if (!IsShortEnough(example)) {
      ++left_out_;
      continue;
    }
    lengths.push_back(static_cast<int64_t>(example.target.size()) + 1);
    weights.push_back(example.text.weight);
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
  if (!training_.from.empty()) LoadWeights(*model, training_.from);
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

// Half of what the model takes: sampled splits are longer.
bool TranslatorTask::IsShortEnough(const Example& example) const {
  const auto longest =
      static_cast<std::size_t>(training_.config.max_tokens / 2);
  return std::max(example.source.size(), example.target.size()) < longest;
}

TranslatorTask::Example TranslatorTask::SplitPair(SentencePair pair) const {
  Example example;
  example.source = IdsOf(tokenizer_.Encode(pair.source));
  example.target = IdsOf(tokenizer_.Encode(pair.target));
  example.text = std::move(pair);
  return example;
}

std::vector<SentenceStream::Draw> TranslatorTask::DrawsOf(
    const train::Share& share) {
  const int64_t begin = share.step * share.batch + share.first;
  const int64_t end = begin + share.count;
  std::vector<SentenceStream::Draw> draws = stream_->Between(begin, end);
  if (variety_ == nullptr) return draws;
  const auto joins = [&](const SentenceStream::Draw& draw) {
    return variety_->JoinsPrevious(share.seed, draw.number);
  };
  draws.erase(draws.begin(),
              std::find_if_not(draws.begin(), draws.end(), joins));
  if (draws.empty()) return draws;
  // Two sentences at most are joined to another, each half as long as the model
  // takes.
  for (const auto& draw :
       stream_->Between(end, end + training_.config.max_tokens)) {
    if (!joins(draw)) break;
    draws.push_back(draw);
  }
  return draws;
}

TranslatorTask::Example TranslatorTask::Drawn(const SentenceStream::Draw& draw,
                                              uint64_t seed) const {
  const Example& example = examples_[draw.sentence];
  if (variety_ == nullptr) return example;
  auto changed = variety_->Changed(example.text, seed, draw.number);
  if (!changed) return example;
  Example split = SplitPair(*std::move(changed));
  return IsShortEnough(split) ? split : example;
}

// `group`: sentences to be joined, if they can be.
void TranslatorTask::AddLines(std::vector<Line> group, uint64_t seed,
                              std::vector<Line>& lines) const {
  if (group.size() > 1) {
    std::vector<SentencePair> pairs;
    for (const Line& line : group) pairs.push_back(line.example.text);
    if (auto joined = variety_->Joined(pairs, seed, group[0].number)) {
      Example split = SplitPair(*std::move(joined));
      if (IsShortEnough(split)) {
        lines.push_back({std::move(split), group[0].number});
        return;
      }
    }
  }
  for (Line& line : group) lines.push_back(std::move(line));
}

std::vector<TranslatorTask::Line> TranslatorTask::LinesOf(
    const train::Share& share) {
  std::vector<Line> lines, group;
  for (const auto& draw : DrawsOf(share)) {
    const bool joins =
        variety_ != nullptr && variety_->JoinsPrevious(share.seed, draw.number);
    if (!joins) {
      AddLines(std::move(group), share.seed, lines);
      group.clear();
    }
    group.push_back({Drawn(draw, share.seed), draw.number});
  }
  AddLines(std::move(group), share.seed, lines);
  return lines;
}

PackedPairs TranslatorTask::MakeBatch(const train::Share& share) {
  Packer source(share.seed, kSource), target(share.seed, kTarget);
  std::vector<int64_t> next;
  for (const auto& [example, number] : LinesOf(share)) {
    const auto key = [&](Purpose purpose) {
      return KeyOf({share.seed, purpose, number});
    };
    const std::vector<int32_t> german =
        Split(example.text.source, example.source, key(kSourceSplit));
    const std::vector<int32_t> english =
        Split(example.text.target, example.target, key(kTargetSplit));
    std::vector<int64_t> ids(german.begin(), german.end());
    ids.push_back(tokenizer_.end_id());
    source.Append(ids, number);
    ids.assign(1, tokenizer_.start_id());
    ids.insert(ids.end(), english.begin(), english.end());
    target.Append(ids, number);
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

std::string TranslatorTask::WriteSamples(torch::nn::Module& model,
                                         const std::filesystem::path& folder,
                                         int64_t step) {
  auto& translator = dynamic_cast<TranslatorModelImpl&>(model);
  const Validation::Sample sample =
      validation_.Write(translator, tokenizer_, folder, step);
  if (sample.is_best) {
    WriteModelFolder(translator, tokenizer_file_,
                     folder.parent_path() / "best");
  }
  return sample.summary;
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
