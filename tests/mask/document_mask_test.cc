#include <gtest/gtest.h>
#include <keylens/mask.h>

#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "tests/mask/mask_testing.h"

namespace keylens {
namespace {

using Ids = std::vector<int32_t>;

// The ids, one after the other, each for a stretch of up to `longest` places.
Ids Stretches(std::mt19937_64& random, const Ids& ids, int64_t longest) {
  Ids places;
  for (const int32_t id : ids)
    places.resize(places.size() + 1 + random() % longest, id);
  return places;
}

void ExpectDocuments(const Ids& queries, const Ids& keys, bool exact) {
  const ScoreShape shape = {2, 2, static_cast<int64_t>(queries.size()),
                            static_cast<int64_t>(keys.size())};
  ExpectMaskIs(
      *DocumentMask(queries, keys), shape,
      [&](int64_t, int64_t, int64_t i, int64_t j) {
        return queries[i] == keys[j];
      },
      exact);
}

// With stretches shorter and longer than what is looked up at once.
TEST(DocumentMask, DocumentsOneAfterTheOther) {
  std::mt19937_64 random(3);
  for (const int64_t longest : {3, 40, 200}) {
    const Ids ids = {0, 1, 2, 3, 4, 5};
    const Ids both = Stretches(random, ids, longest);
    ExpectDocuments(both, both, /*exact=*/true);
    ExpectDocuments(both, Stretches(random, ids, longest), /*exact=*/true);
  }
}

// What the ids are does not matter: dead tiles are found all the same.
TEST(DocumentMask, AnyIdsOneAfterTheOther) {
  std::mt19937_64 random(4);
  const Ids ids = {7,
                   -1,
                   std::numeric_limits<int32_t>::max(),
                   0,
                   std::numeric_limits<int32_t>::min(),
                   5};
  for (const int64_t longest : {5, 100}) {
    ExpectDocuments(Stretches(random, ids, longest),
                    Stretches(random, ids, longest), /*exact=*/true);
  }
}

TEST(DocumentMask, QueriesOrKeysWithoutACounterpart) {
  std::mt19937_64 random(5);
  ExpectDocuments(Stretches(random, {1, 2, 3, 9}, 20),
                  Stretches(random, {1, 3, 4}, 20), /*exact=*/false);
  ExpectDocuments(Stretches(random, {6}, 20), Stretches(random, {1, 2}, 20),
                  /*exact=*/true);
}

TEST(DocumentMask, IdsInNoOrder) {
  std::mt19937_64 random(6);
  Ids queries(150), keys(170);
  for (int32_t& id : queries) id = static_cast<int32_t>(random() % 5) * 1000;
  for (int32_t& id : keys) id = static_cast<int32_t>(random() % 5) * 1000;
  ExpectDocuments(queries, keys, /*exact=*/false);
}

// Of a sequence in 100 documents, only tiles on the diagonal are live; those of
// one document are full.
TEST(DocumentMask, FindsDeadAndFullTilesOfALongSequence) {
  constexpr int64_t kDocument = 300, kLen = 100 * kDocument;
  Ids ids(kLen);
  for (int64_t i = 0; i < kLen; ++i) {
    ids[i] = static_cast<int32_t>(i / kDocument * 7919 % 100);
  }
  const auto mask = DocumentMask(ids, ids);
  for (int64_t query = 0; query < kLen; query += 50) {
    for (int64_t key = 0; key < kLen; key += 100) {
      const TileClass wanted = query / kDocument == key / kDocument
                                   ? TileClass::kFull
                                   : TileClass::kEmpty;
      ASSERT_EQ(mask->Classify({0, 0, query, 50, key, 100, kLen, kLen}), wanted)
          << query << ", " << key;
    }
  }
}

TEST(DocumentMask, NamesTheLengthsThatDisagree) {
  const auto mask = DocumentMask({1, 1, 2}, {1, 2});
  EXPECT_EQ(mask->Misfit({4, 2, 3, 2}), "");
  EXPECT_EQ(mask->Misfit({1, 1, 4, 2}),
            "query_document has 3 ids for a query_len of 4");
  EXPECT_EQ(mask->Misfit({1, 1, 3, 3}),
            "key_document has 2 ids for a kv_len of 3");
  EXPECT_EQ(DocumentMask({}, {})->Misfit({1, 1, 0, 0}), "");
}

}  // namespace
}  // namespace keylens
