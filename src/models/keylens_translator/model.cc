#include "src/models/keylens_translator/model.h"

#include <fmt/format.h>
#include <keylens/mask.h>
#include <keylens/nn/linear_cross_entropy.h>
#include <keylens/nn/position_encoding.h>
#include <keylens/nn/residual_dropout.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace keylens::translator {
namespace {

// The first sites of dropout in the embeddings, the encoder and the decoder;
// a stack of 64 layers takes fewer than lie between them.
constexpr uint64_t kEmbeddingSite = 0;
constexpr uint64_t kEncoderSite = 1000;
constexpr uint64_t kDecoderSite = 2000;

// Embeddings that have length 1 before they are scaled, so that logits start
// with a variance of about 1; all other matrices by Glorot.
void Initialise(TranslatorModelImpl& model) {
  torch::NoGradGuard no_grad;
  for (const auto& item : model.named_parameters()) {
    torch::Tensor parameter = item.value();
    if (parameter.dim() == 2) torch::nn::init::xavier_uniform_(parameter);
    if (item.key().ends_with("bias")) parameter.zero_();
  }
  model.embedding->weight.normal_(
      0, 1 / std::sqrt(static_cast<double>(model.config().hidden_size)));
}

// A batch of tokens is filled up to a multiple of this. oneDNN compiles its
// products anew for every number of rows that it meets, which takes longer than
// the rows do, and keeps so many that the process runs out of mappings.
constexpr int64_t kRowMultiple = 64;

torch::Tensor FilledUp(const torch::Tensor& tokens, int64_t count,
                       int64_t value) {
  return torch::cat({tokens, torch::full({count}, value, torch::kLong)});
}

// Adds the offsets of filler sequences that are no longer than `longest`;
// returns the number of tokens in them.
int64_t AddFiller(std::vector<int64_t>& offsets, int64_t sequences,
                  int64_t longest) {
  const int64_t count = -offsets.back() & (kRowMultiple - 1);
  const int64_t end = offsets.back() + count;
  for (int64_t i = 0; i < sequences; ++i)
    offsets.push_back(std::min(offsets.back() + longest, end));
  return count;
}

// The pairs, and filler that no token of theirs sees and no loss counts.
PackedPairs FilledUp(PackedPairs pairs, int64_t longest) {
  const int64_t sequences = (kRowMultiple + longest - 1) / longest;
  const int64_t source = AddFiller(pairs.source_offsets, sequences, longest);
  const int64_t target = AddFiller(pairs.target_offsets, sequences, longest);
  pairs.source_ids = FilledUp(pairs.source_ids, source, 0);
  pairs.source_keys = FilledUp(pairs.source_keys, source, 0);
  pairs.target_ids = FilledUp(pairs.target_ids, target, 0);
  pairs.target_keys = FilledUp(pairs.target_keys, target, 0);
  pairs.next_ids = FilledUp(pairs.next_ids, target, -1);
  return pairs;
}

// [tokens]: the place of each token in its sentence.
torch::Tensor PlacesOf(const std::vector<int64_t>& offsets) {
  torch::Tensor places = torch::empty({offsets.back()}, torch::kLong);
  auto* place = places.data_ptr<int64_t>();
  for (std::size_t s = 0; s + 1 < offsets.size(); ++s) {
    for (int64_t i = offsets[s]; i < offsets[s + 1]; ++i)
      place[i] = i - offsets[s];
  }
  return places;
}

std::shared_ptr<const nn::PackedOffsets> Offsets(
    const std::vector<int64_t>& query, const std::vector<int64_t>& key) {
  return std::make_shared<const nn::PackedOffsets>(
      nn::PackedOffsets{query, key});
}

nn::BlockOptions WithDropout(nn::BlockOptions options, double dropout) {
  options.dropout = dropout;
  return options;
}

}  // namespace

TranslatorModelImpl::TranslatorModelImpl(const TranslatorConfig& config,
                                         double dropout)
    : config_(config),
      dropout_(dropout),
      positions_(
          nn::SinusoidalPositions(config.max_tokens, config.hidden_size)) {
  embedding = register_module(
      "embedding", torch::nn::Embedding(config.vocab_size, config.hidden_size));
  encoder = register_module("encoder", nn::TransformerEncoder(WithDropout(
                                           EncoderOptions(config), dropout)));
  decoder = register_module("decoder", nn::TransformerDecoder(WithDropout(
                                           DecoderOptions(config), dropout)));
  Initialise(*this);
  nn::NameAttentionLayers(*this);
}

torch::Tensor TranslatorModelImpl::Embed(const torch::Tensor& ids,
                                         int64_t first_position) {
  const int64_t len = ids.size(1);
  if (first_position < 0 || first_position + len > config_.max_tokens) {
    throw std::invalid_argument(fmt::format(
        "TranslatorModel: positions {} to {} of a sentence; the model takes {}",
        first_position, first_position + len, config_.max_tokens));
  }
  const double scale = std::sqrt(static_cast<double>(config_.hidden_size));
  return embedding->forward(ids) * scale +
         positions_.narrow(0, first_position, len);
}

EncodedSource TranslatorModelImpl::EncodeSource(
    const torch::Tensor& ids, const std::vector<int64_t>& lengths,
    nn::AttentionRecorder* recorder) {
  nn::TransformerEncoderCall call;
  call.mask = KeyPaddingMask(lengths);
  call.recorder = recorder;
  return {encoder->forward(Embed(ids), call), lengths};
}

torch::Tensor TranslatorModelImpl::DecodeTarget(
    const torch::Tensor& target_ids, const EncodedSource& source,
    nn::AttentionRecorder* recorder) {
  nn::TransformerDecoderCall call;
  call.memory = source.memory;
  call.memory_mask = KeyPaddingMask(source.lengths);
  call.recorder = recorder;
  return decoder->forward(Embed(target_ids), call);
}

torch::Tensor TranslatorModelImpl::Logits(const torch::Tensor& hidden) {
  return nn::LinearFunc(hidden, embedding->weight, torch::Tensor());
}

torch::Tensor TranslatorModelImpl::EmbedPacked(
    const torch::Tensor& ids, const std::vector<int64_t>& offsets,
    const torch::Tensor& keys) {
  const double scale = std::sqrt(static_cast<double>(config_.hidden_size));
  const torch::Tensor x =
      torch::add(positions_.index_select(0, PlacesOf(offsets)),
                 embedding->forward(ids), scale);
  if (dropout_ == 0 || !is_training()) return x.unsqueeze(0);
  return nn::AddDropout(torch::zeros_like(x), x,
                        {dropout_, keys, kEmbeddingSite})
      .unsqueeze(0);
}

torch::Tensor TranslatorModelImpl::Loss(const PackedPairs& sentences,
                                        double label_smoothing) {
  const PackedPairs pairs = FilledUp(sentences, config_.max_tokens);
  nn::TransformerEncoderCall encode;
  encode.sequences = Offsets(pairs.source_offsets, pairs.source_offsets);
  encode.branch_type = branch_type_;
  encode.dropout_keys = pairs.source_keys;
  encode.dropout_site = kEncoderSite;
  nn::TransformerDecoderCall decode;
  decode.memory = encoder->forward(
      EmbedPacked(pairs.source_ids, pairs.source_offsets, pairs.source_keys),
      encode);
  decode.sequences = Offsets(pairs.target_offsets, pairs.target_offsets);
  decode.memory_sequences = Offsets(pairs.target_offsets, pairs.source_offsets);
  decode.branch_type = branch_type_;
  decode.dropout_keys = pairs.target_keys;
  decode.dropout_site = kDecoderSite;
  const torch::Tensor hidden = decoder->forward(
      EmbedPacked(pairs.target_ids, pairs.target_offsets, pairs.target_keys),
      decode);
  return nn::LinearCrossEntropy(hidden.squeeze(0).to(branch_type_),
                                embedding->weight, pairs.next_ids,
                                label_smoothing);
}

}  // namespace keylens::translator
