#ifndef KEYLENS_SYSTEMS_TRANSLATOR_LOOKING_ALIGNMENT_H_
#define KEYLENS_SYSTEMS_TRANSLATOR_LOOKING_ALIGNMENT_H_

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "src/models/keylens_translator/config.h"
#include "src/nn/inference/block.h"
#include "src/text/tokenizer.h"

// Which source words a translation's words came from, as cross-attention has
// it.

namespace keylens::translator {

// A source word and a word of the translation, counted from 0.
struct WordLink {
  int64_t source = 0, target = 0;

  auto operator<=>(const WordLink&) const = default;
};

struct AttentionHeadId {
  int64_t layer = 0, head = 0;

  auto operator<=>(const AttentionHeadId&) const = default;
};

// What alignments are read from: the mean of some heads of cross-attention, in
// the row that predicts a piece or in the next one, which reads it.
struct AlignmentHeads {
  std::vector<AttentionHeadId> heads;
  bool row_that_reads = false;
};

// The entry "alignment" of a model's config.json, {"heads": [[layer, head],
// ...], "row_that_reads": bool}; all heads of the last layer where there is
// none. Throws Error, naming the file, for an entry that does not fit the
// model.
AlignmentHeads ReadAlignmentHeads(const std::filesystem::path& config_file,
                                  const TranslatorConfig& config);

// Rows of weights over the source.
struct AlignmentMatrix {
  int64_t rows = 0, cols = 0;
  std::vector<float> values;  // [rows, cols]

  float At(int64_t row, int64_t col) const {
    return values[static_cast<std::size_t>(row * cols + col)];
  }
};

// [pieces of the translation, source tokens]: the mean of the chosen heads.
// `cross`: for each layer, weights whose row 0 is that of the start token.
AlignmentMatrix PieceAlignment(const std::vector<nn::AttentionWeights>& cross,
                               const AlignmentHeads& chosen, int64_t pieces);

// The mean over rows of -sum w ln w, in nats.
double MeanEntropy(const AlignmentMatrix& matrix);

// For each source token or piece, the word that it belongs to; -1 for none (the
// end token).
using WordOfPiece = std::vector<int64_t>;

// `tokens`: how many there are, the end token included.
WordOfPiece SourceWords(std::string_view text,
                        const std::vector<TextPiece>& pieces,
                        std::size_t tokens);
WordOfPiece TargetWords(const Tokenizer& tokenizer,
                        const std::vector<int32_t>& ids);

// For each word of the translation, the source word with the most weight, where
// any has some: sums over the pieces of a source word, means over those of a
// target word.
std::vector<WordLink> LinkWords(const AlignmentMatrix& matrix,
                                const WordOfPiece& source,
                                const WordOfPiece& target);

// "0-0 1-2 2-1", sorted by source and target.
std::string PharaohText(std::vector<WordLink> links);

}  // namespace keylens::translator

#endif  // KEYLENS_SYSTEMS_TRANSLATOR_LOOKING_ALIGNMENT_H_
