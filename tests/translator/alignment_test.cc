#include "systems/translator/looking/alignment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "src/base/error.h"
#include "src/base/file.h"
#include "tests/temporary_path.h"

namespace keylens::translator {
namespace {

using testing::ElementsAre;

// Two layers of two heads, three rows (the start token's first), two keys.
std::vector<nn::AttentionWeights> Cross() {
  return {{2, 3, 2, {0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1}},
          {2, 3, 2, {1, 0, 0.5f, 0.5f, 0, 1, 0.5f, 0.5f, 1, 0, 1, 0}}};
}

TEST(PieceAlignment, IsTheMeanOfTheChosenHeads) {
  const AlignmentHeads both = {{{1, 0}, {1, 1}}, false};
  EXPECT_THAT(PieceAlignment(Cross(), both, 2).values,
              ElementsAre(0.75f, 0.25f, 0.75f, 0.25f));
  const AlignmentHeads reading = {{{1, 0}}, true};
  EXPECT_THAT(PieceAlignment(Cross(), reading, 2).values,
              ElementsAre(0.5f, 0.5f, 0.0f, 1.0f));
}

TEST(MeanEntropy, IsItsFormula) {
  EXPECT_NEAR(MeanEntropy({2, 2, {0.5f, 0.5f, 1, 0}}), std::log(2.0) / 2, 1e-7);
  EXPECT_EQ(MeanEntropy({0, 2, {}}), 0);
}

TEST(LinkWords, AddsPiecesOfASourceWord) {
  // Source: one piece, then a word of two, then the end. Target: a word of two
  // pieces, and one that looks at the end alone.
  const AlignmentMatrix matrix = {
      3, 4, {0.4f, 0.3f, 0.3f, 0, 0.4f, 0.2f, 0.3f, 0.1f, 0, 0, 0, 1}};
  EXPECT_THAT(LinkWords(matrix, {0, 1, 1, -1}, {0, 0, 1}),
              ElementsAre(WordLink{1, 0}));
}

TEST(PharaohText, IsSorted) {
  EXPECT_EQ(PharaohText({{2, 1}, {0, 0}, {1, 2}, {0, 3}}), "0-0 0-3 1-2 2-1");
  EXPECT_EQ(PharaohText({}), "");
}

TEST(ReadAlignmentHeads, TakesTheLastLayerOrWhatIsWritten) {
  TranslatorConfig config;
  config.num_heads = 2;
  const auto path = TemporaryPath("config.json");
  const auto read = [&](const std::string& text) {
    WriteFileAtomically(path, text);
    return ReadAlignmentHeads(path, config);
  };
  EXPECT_THAT(read("{}").heads,
              ElementsAre(AttentionHeadId{2, 0}, AttentionHeadId{2, 1}));
  const AlignmentHeads written =
      read(R"({"alignment": {"heads": [[1, 1]], "row_that_reads": true}})");
  EXPECT_THAT(written.heads, ElementsAre(AttentionHeadId{1, 1}));
  EXPECT_TRUE(written.row_that_reads);
  for (const char* bad :
       {"", "[]x", R"({"alignment": 3})",
        R"({"alignment": {"heads": [], "row_that_reads": true}})",
        R"({"alignment": {"heads": [[3, 0]], "row_that_reads": true}})",
        R"({"alignment": {"heads": [[0]], "row_that_reads": false}})"})
    EXPECT_THROW(read(bad), Error) << bad;
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace keylens::translator
