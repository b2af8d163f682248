#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/base/utf8.h"
#include "src/text/tokenizer.h"
#include "src/text/trainer_process.h"
#include "src/text/trainer_protocol.h"

namespace keylens {
namespace {

constexpr int32_t kMaxVocabulary = 1 << 18;
// The trainer counts characters in 32 bits.
constexpr std::size_t kMaxTextBytes = std::size_t{1} << 30;
// A sentence longer than this is left out by the trainer, which holds a suffix
// array of all of them.
constexpr std::size_t kMaxSentenceBytes = 65536;

std::vector<std::pair<std::string, std::string>> TrainerFlags(
    const TokenizerTraining& training) {
  const auto flag = [](bool value) {
    return std::string(value ? "true" : "false");
  };
  return {
      {"model_type", "unigram"},
      {"vocab_size", std::to_string(training.vocab_size)},
      {"hard_vocab_limit", "false"},
      {"normalization_rule_name",
       training.lowercase ? "nmt_nfkc_cf" : "nmt_nfkc"},
      {"byte_fallback", flag(training.byte_fallback)},
      // With bytes to fall back on, a rare character need not be a piece.
      {"character_coverage", training.byte_fallback ? "0.9995" : "1.0"},
      {"pad_id", "0"},
      {"unk_id", "1"},
      {"bos_id", "2"},
      {"eos_id", "3"},
      {"max_sentence_length", std::to_string(kMaxSentenceBytes)},
      // Sums of floats are taken per thread, so that their number is a part of
      // the result.
      {"num_threads", "1"},
      // Nothing but what would end the process anyway.
      {"minloglevel", "3"},
  };
}

std::string Request(std::span<const std::string> sentences,
                    const TokenizerTraining& training) {
  const auto flags = TrainerFlags(training);
  std::string request;
  AppendRequestString(std::to_string(flags.size()), request);
  for (const auto& [name, value] : flags) {
    AppendRequestString(name, request);
    AppendRequestString(value, request);
  }
  for (const std::string& sentence : sentences)
    AppendRequestString(ToValidUtf8(sentence), request);
  return request;
}

// What normalisation leaves nothing of, and U+2047, which the trainer keeps for
// itself.
bool IsDropped(char32_t code) {
  constexpr std::pair<char32_t, char32_t> kDropped[] = {
      {0x01, 0x20},     {0x7F, 0x7F},     {0x8F, 0x8F},     {0x9F, 0xA0},
      {0x1680, 0x1680}, {0x2000, 0x200C}, {0x200E, 0x200F}, {0x2028, 0x2029},
      {0x202F, 0x202F}, {0x2047, 0x2047}, {0x205F, 0x205F}, {0x2581, 0x2581},
      {0x3000, 0x3000}, {0xFEFF, 0xFEFF}, {0xFFFD, 0xFFFD}};
  return std::any_of(std::begin(kDropped), std::end(kDropped),
                     [code](const auto& range) {
                       return code >= range.first && code <= range.second;
                     });
}

bool HasText(std::string_view sentence) {
  if (sentence.size() > kMaxSentenceBytes) return false;
  for (std::size_t at = 0; at < sentence.size();) {
    const Utf8Character character = DecodeUtf8(sentence, at);
    if (!IsDropped(character.code)) return true;
    at += character.length;
  }
  return false;
}

// The trainer ends its process where no text is left, and takes memory for as
// many pieces as it is asked for.
void CheckTraining(std::span<const std::string> sentences, int32_t vocab_size,
                   const std::string& file) {
  if (vocab_size < 1 || vocab_size > kMaxVocabulary) {
    throw Error(file + ": a vocabulary of " + std::to_string(vocab_size) +
                " pieces; 1 to " + std::to_string(kMaxVocabulary) +
                " can be asked for");
  }
  std::size_t bytes = 0;
  for (const std::string& sentence : sentences) bytes += sentence.size();
  if (bytes > kMaxTextBytes) {
    throw Error(
        file + ": " + std::to_string(bytes) +
        " bytes of sentences are more than a tokenizer is trained on (" +
        std::to_string(kMaxTextBytes) + "); give a sample of them");
  }
  if (std::any_of(sentences.begin(), sentences.end(), HasText)) return;
  throw Error(
      file +
      ": a tokenizer needs sentences to be trained on, and none of the " +
      std::to_string(sentences.size()) + " given has text");
}

}  // namespace

void TrainTokenizer(std::span<const std::string> sentences,
                    const TokenizerTraining& training,
                    const std::filesystem::path& path) {
  CheckTraining(sentences, training.vocab_size, path.string());
  WriteFileAtomically(
      path, RunTokenizerTrainer(Request(sentences, training), path.string()));
}

}  // namespace keylens
