#ifndef KEYLENS_SYSTEMS_TRANSLATOR_TRAINING_TRAINING_OPTIONS_H_
#define KEYLENS_SYSTEMS_TRANSLATOR_TRAINING_TRAINING_OPTIONS_H_

#include <cstdint>
#include <filesystem>

#include "src/models/keylens_translator/config.h"
#include "systems/translator/training/text_variety.h"

namespace keylens::translator {

struct TranslatorTraining {
  TranslatorConfig config;  // its vocab_size: the most pieces to train
  uint64_t seed = 0;        // of the starting weights and the order of the text
  double dropout = 0.1;
  double label_smoothing = 0.1;
  // Sentences are split anew each time they are drawn, as
  // SentencePieceTokenizer::EncodeSampled does it; 0: always alike.
  double subword_sharpness = 0;
  MakeTextVariety variety;  // how the text is changed as it is drawn; null: not
  // A model folder: training starts with its weights, not with random ones. Its
  // config must be `config`, its tokenizer the task's. Empty: none.
  std::filesystem::path from;
  // Branches in bfloat16; see TranslatorModelImpl::set_branch_type.
  bool bfloat16 = false;
  int64_t validation_sentences = 300;  // that are translated for each sample
  int64_t patience = 0;  // samples without a better chrF until the end; 0: all
};

}  // namespace keylens::translator

#endif  // KEYLENS_SYSTEMS_TRANSLATOR_TRAINING_TRAINING_OPTIONS_H_
