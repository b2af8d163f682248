#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "src/text/sentence_piece_tokenizer.h"
#include "tests/text/model_maker.h"
#include "tests/text/trained.h"

namespace keylens {
namespace {

std::vector<int32_t> Ids(const std::vector<TextPiece>& pieces) {
  std::vector<int32_t> ids;
  for (const TextPiece& piece : pieces) ids.push_back(piece.id);
  return ids;
}

// The text is the space symbol and "ab", which can be split in two ways: "ab"
// (scores -3 - 4) and "a", "b" (-3 - 2 - 2.5).
TEST(SampledSplit, WaysComeAsOftenAsTheirScoresSay) {
  const SentencePieceTokenizer tokenizer =
      SentencePieceTokenizer::Parse(SmallPieces(), "small");
  for (const double sharpness : {0.0, 1.0, 3.0}) {
    int whole = 0;
    constexpr int kDraws = 4000;
    for (int seed = 0; seed < kDraws; ++seed) {
      const auto pieces = tokenizer.EncodeSampled("ab", sharpness, seed);
      ASSERT_TRUE(pieces.size() == 2 || pieces.size() == 3);
      whole += pieces.size() == 2 ? 1 : 0;
    }
    // Four standard deviations.
    const double expected = 1 / (1 + std::exp(-0.5 * sharpness));
    EXPECT_NEAR(static_cast<double>(whole) / kDraws, expected, 0.032)
        << sharpness;
  }
}

TEST(SampledSplit, VariesWithTheSeedAloneAndSpellsTheSameText) {
  const SentencePieceTokenizer& tokenizer = Trained(false, true);
  const std::string text =
      "Das Mädchen läuft über die Straße, isn't it? \U0001F600";
  std::set<std::vector<int32_t>> splits;
  for (uint64_t seed = 0; seed < 50; ++seed) {
    const std::vector<int32_t> ids =
        Ids(tokenizer.EncodeSampled(text, 0, seed));
    EXPECT_EQ(tokenizer.Decode(ids), text);
    EXPECT_EQ(ids, Ids(tokenizer.EncodeSampled(text, 0, seed)));
    splits.insert(ids);
  }
  EXPECT_GT(splits.size(), 20u);
}

TEST(SampledSplit, IsTheLikeliestWhereTheSharpnessIsLarge) {
  const SentencePieceTokenizer& tokenizer = Trained(false, true);
  for (const std::string& sentence : Sentences()) {
    EXPECT_EQ(Ids(tokenizer.EncodeSampled(sentence, 1000, 7)),
              Ids(tokenizer.Encode(sentence)));
  }
  EXPECT_TRUE(tokenizer.EncodeSampled("", 0.5, 1).empty());
}

}  // namespace
}  // namespace keylens
