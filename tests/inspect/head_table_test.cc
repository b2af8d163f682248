#include "src/inspect/head_table.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace keylens::inspect {
namespace {

const std::vector<HeadLine> kLines = {
    {{"1"},
     {.entropy = 1.5f,
      .even_entropy = 3,
      .first_key = 0.25f,
      .top_key = 0.5f,
      .mean_distance = 12.34f,
      .self = 0.125f,
      .previous = 0,
      .next = 1},
     render::HeadKind::kFirstKey,
     "'a' 50.0 %"},
    {{"10"}, {.even_entropy = 0}, render::HeadKind::kMixed, ""}};

TEST(HeadTable, ColumnsAreAligned) {
  EXPECT_EQ(HeadTable({{"head"}, "heaviest keys", true}, kLines),
            "head  kind       entropy  of even  distance    self  previous   "
            "  next  first key  top key  heaviest keys\n"
            "   1  first key     1.50   50.0 %      12.3  12.5 %     0.0 %  "
            "100.0 %     25.0 %   50.0 %  'a' 50.0 %\n"
            "  10  mixed         0.00        -       0.0   0.0 %     0.0 %    "
            "0.0 %      0.0 %    0.0 %\n");
}

TEST(HeadTable, NoPlacesWhereThereAreNone) {
  EXPECT_EQ(HeadTable({{"head"}, "", false}, kLines),
            "head  kind       entropy  of even  first key  top key\n"
            "   1  first key     1.50   50.0 %     25.0 %   50.0 %\n"
            "  10  mixed         0.00        -      0.0 %    0.0 %\n");
}

TEST(KeysText, LabelsOrNumbers) {
  const std::vector<KeyShare> keys = {{2, 0.5}, {0, 0.031}};
  EXPECT_EQ(KeysText(keys, {}), "2 50.0 %, 0 3.1 %");
  EXPECT_EQ(KeysText(keys, {"a\n", "b", "wörd"}), "'wörd' 50.0 %, 'a ' 3.1 %");
  EXPECT_EQ(KeysText({}, {}), "");
}

}  // namespace
}  // namespace keylens::inspect
