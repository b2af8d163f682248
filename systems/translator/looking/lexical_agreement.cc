#include "systems/translator/looking/lexical_agreement.h"

#include <cstddef>
#include <utility>

#include "systems/translator/model/token_ids.h"
#include "systems/translator/translation_model.h"

namespace keylens::translator {
namespace {

LexicalAligner AlignerOf(const std::vector<SentencePair>& text) {
  std::vector<WordPair> words;
  for (const SentencePair& pair : text)
    words.push_back(WordsOfPair(pair.source, pair.target));
  return LexicalAligner(words);
}

}  // namespace

LexicalAgreement::LexicalAgreement(const Pipeline& pipeline,
                                   const std::vector<SentencePair>& text)
    : pipeline_(pipeline), aligner_(AlignerOf(text)) {}

bool LexicalAgreement::Fits(const SentencePair& pair) const {
  const TranslationModel& parts = pipeline_.model();
  const auto limit =
      static_cast<std::size_t>(parts.model.config().max_tokens) - 1;
  const std::size_t target = parts.tokenizer.Encode(pair.target).size();
  return target > 0 && target < limit &&
         parts.tokenizer.Encode(pair.source).size() < limit;
}

void LexicalAgreement::Add(const SentencePair& pair,
                           std::vector<nn::AttentionWeights> cross) {
  const Tokenizer& tokenizer = pipeline_.model().tokenizer;
  const std::vector<TextPiece> source = tokenizer.Encode(pair.source);
  Compared compared;
  for (const WordLink& link :
       aligner_.Links(WordsOfPair(pair.source, pair.target)))
    compared.links.insert(link);
  compared.cross = std::move(cross);
  // The end token is one more.
  compared.source_words = SourceWords(pair.source, source, source.size() + 1);
  compared.target_words =
      TargetWords(tokenizer, IdsOf(tokenizer.Encode(pair.target)));
  links_ += static_cast<int64_t>(compared.links.size());
  compared_.push_back(std::move(compared));
}

void LexicalAgreement::Add(const SentencePair& pair) {
  const TranslationModel& parts = pipeline_.model();
  nn::InferenceBuffers buffers;
  Add(pair, parts
                .WeightsOf(parts.SourceIds(pair.source),
                           IdsOf(parts.tokenizer.Encode(pair.target)), buffers)
                .decoder.cross);
}

double LexicalAgreement::Of(const AlignmentHeads& heads) const {
  int64_t shared = 0;
  for (const Compared& sentence : compared_) {
    const auto rows = static_cast<int64_t>(sentence.target_words.size());
    for (const WordLink& link :
         LinkWords(PieceAlignment(sentence.cross, heads, rows),
                   sentence.source_words, sentence.target_words))
      shared += sentence.links.contains(link) ? 1 : 0;
  }
  return links_ == 0
             ? 0
             : static_cast<double>(shared) / static_cast<double>(links_);
}

}  // namespace keylens::translator
