// The text that is trained on: reading it, and the order it comes in.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <stdexcept>

#include "src/base/error.h"
#include "src/base/file.h"
#include "systems/translator/text/parallel_text.h"
#include "systems/translator/training/sentence_stream.h"
#include "tests/translator/tiny_translator.h"

namespace keylens::translator {
namespace {

using ::testing::HasSubstr;

std::string ErrorOf(const std::filesystem::path& folder) {
  try {
    ReadParallelText(folder);
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

TEST(ParallelText, RowsWeighWhatTheirSourceDoes) {
  const TestFolder folder("rows");
  WriteFileAtomically(folder.path() / "train.tsv",
                      "\xEF\xBB\xBFGo.\tGeh.\ttatoeba\r\ndog\tHund\tding\n\n"
                      "a\tb\n\tleer\tding\n");
  WriteFileAtomically(folder.path() / "valid.tsv", "Run.\tLauf.\ttatoeba");
  WriteFileAtomically(folder.path() / "weights.json",
                      R"({"tatoeba": 3, "ding": 0.25})");
  const ParallelText text = ReadParallelText(folder.path());
  ASSERT_EQ(text.train.size(), 3u);
  EXPECT_EQ(text.train[0].source, "Geh.");
  EXPECT_EQ(text.train[0].target, "Go.");
  EXPECT_EQ(text.train[0].weight, 3);
  EXPECT_EQ(text.train[1].weight, 0.25);
  EXPECT_EQ(text.train[2].source, "b");
  EXPECT_EQ(text.train[2].weight, 1);
  ASSERT_EQ(text.valid.size(), 1u);
  EXPECT_EQ(text.valid[0].source, "Lauf.");
}

TEST(ParallelText, ReadsTwoFilesSideBySide) {
  const TestFolder folder("files");
  WriteFileAtomically(folder.path() / "train.de", "ein Hund\neine Katze\n");
  WriteFileAtomically(folder.path() / "train.en", "a dog\na cat\n");
  WriteFileAtomically(folder.path() / "val.de", "ein Pferd\n");
  WriteFileAtomically(folder.path() / "val.en", "a horse\n");
  const ParallelText text = ReadParallelText(folder.path());
  ASSERT_EQ(text.train.size(), 2u);
  EXPECT_EQ(text.train[1].source, "eine Katze");
  EXPECT_EQ(text.train[1].target, "a cat");
  EXPECT_EQ(text.valid[0].target, "a horse");
  WriteFileAtomically(folder.path() / "train.en", "a dog\n");
  EXPECT_THAT(ErrorOf(folder.path()), HasSubstr("has 2 lines"));
}

TEST(ParallelText, BadFilesAreNamed) {
  const TestFolder folder("bad");
  EXPECT_THAT(ErrorOf(folder.path()), HasSubstr("neither train.tsv"));
  WriteFileAtomically(folder.path() / "train.tsv", "a\tb\nno tab\n");
  EXPECT_THAT(ErrorOf(folder.path()), HasSubstr("line 2 has no tab"));
  WriteFileAtomically(folder.path() / "train.tsv", "a\tb\n");
  EXPECT_THAT(ErrorOf(folder.path()), HasSubstr("valid.tsv"));
  WriteFileAtomically(folder.path() / "valid.tsv", "a\t\xFF\n");
  EXPECT_THAT(ErrorOf(folder.path()), HasSubstr("is not UTF-8"));
  WriteFileAtomically(folder.path() / "valid.tsv", "");
  WriteFileAtomically(folder.path() / "weights.json", R"({"x": -1})");
  EXPECT_THAT(ErrorOf(folder.path()), HasSubstr("weight of x"));
  WriteFileAtomically(folder.path() / "weights.json", "[");
  EXPECT_THAT(ErrorOf(folder.path()), HasSubstr("weights.json"));
  WriteFileAtomically(folder.path() / "weights.json", "{}");
  WriteFileAtomically(folder.path() / "train.tsv", "\n");
  EXPECT_THAT(ErrorOf(folder.path()), HasSubstr("no sentence to train on"));
}

std::map<std::size_t, int> CountsOf(
    const std::vector<SentenceStream::Draw>& draws) {
  std::map<std::size_t, int> counts;
  for (const auto& draw : draws) ++counts[draw.sentence];
  return counts;
}

TEST(SentenceStream, APassHasEachSentenceAsOftenAsItWeighs) {
  SentenceStream stream({3, 5, 2}, {1, 2, 1}, 7);
  constexpr int64_t kPass = 3 + 2 * 5 + 2;
  for (int64_t pass = 0; pass < 4; ++pass) {
    const auto draws = stream.Between(pass * kPass, (pass + 1) * kPass);
    EXPECT_EQ(CountsOf(draws),
              (std::map<std::size_t, int>{{0, 1}, {1, 2}, {2, 1}}));
    EXPECT_EQ(stream.TokensOf(draws), kPass);
    EXPECT_EQ(draws.front().number, static_cast<uint64_t>(pass) * 4);
  }
}

TEST(SentenceStream, FractionsOfAWeightAreDrawn) {
  SentenceStream stream({1, 1}, {1, 0.25}, 1);
  const auto counts = CountsOf(stream.Between(0, 5000));
  // About 4000 passes: a standard deviation is 27.
  EXPECT_NEAR(counts.at(1), 1000, 140);
}

TEST(SentenceStream, StretchesPutTogetherAreTheWhole) {
  const std::vector<int64_t> lengths = {4, 1, 9, 6, 2, 30};
  const std::vector<double> weights = {1, 1.5, 2, 1, 0.5, 1};
  SentenceStream stream(lengths, weights, 5);
  const auto whole = stream.Between(0, 1000);
  // Another one that begins in the middle, goes back, and cuts elsewhere.
  SentenceStream other(lengths, weights, 5);
  std::vector<SentenceStream::Draw> parts = other.Between(700, 1000);
  std::vector<SentenceStream::Draw> early;
  for (int64_t at = 0; at < 700; at += 7) {
    for (const auto& draw : other.Between(at, at + 7)) early.push_back(draw);
  }
  parts.insert(parts.begin(), early.begin(), early.end());
  ASSERT_EQ(parts.size(), whole.size());
  for (std::size_t i = 0; i < whole.size(); ++i) {
    EXPECT_EQ(parts[i].sentence, whole[i].sentence);
    EXPECT_EQ(parts[i].number, i);
  }
}

TEST(SentenceStream, NeedsSomethingToDraw) {
  EXPECT_THROW(SentenceStream({}, {}, 0), std::invalid_argument);
  EXPECT_THROW(SentenceStream({3, 4}, {0.5, 0}, 0), std::invalid_argument);
}

}  // namespace
}  // namespace keylens::translator
