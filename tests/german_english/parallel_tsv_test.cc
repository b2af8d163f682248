#include "languages/german_english/corpus/parallel_tsv.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "src/base/error.h"

namespace keylens::german_english {
namespace {

using testing::ElementsAre;

TEST(ParallelTsvTest, ReadsRows) {
  Counts counts;
  EXPECT_THAT(ParseParallelTsv("\xEF\xBB\xBFGo.\tGeh.\r\n"
                               "\n"
                               "Hi.\tHallo!\tCC-BY 2.0 (France)\n"
                               "bad\tgr\xFC\xDF\n"
                               "Run!\tLauf!",
                               "deu.txt", counts),
              ElementsAre(Pair{"Go.", "Geh."}, Pair{"Hi.", "Hallo!"},
                          Pair{"Run!", "Lauf!"}));
  EXPECT_EQ(counts.Get("read"), 4);
  EXPECT_EQ(counts.Get("not UTF-8"), 1);
}

TEST(ParallelTsvTest, NamesALineWithoutATab) {
  Counts counts;
  EXPECT_THAT(
      [&] { ParseParallelTsv("Go.\tGeh.\n\nGo. Geh.\n", "x.tsv", counts); },
      testing::Throws<Error>(
          testing::Property(&Error::what, testing::HasSubstr("x.tsv:3: "))));
}

}  // namespace
}  // namespace keylens::german_english
