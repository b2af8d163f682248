// Masks made from C, and masks that are C functions.

#include <gtest/gtest.h>
#include <keylens/mask.h>

#include <atomic>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "tests/c_api/call.h"

namespace keylens {
namespace {

constexpr int64_t kQueries = Call<float>::kQueries;
constexpr int64_t kKeys = Call<float>::kKeys;

// Takes both masks: expects the same bits with either.
void ExpectSameMask(std::unique_ptr<Mask> mask, keylens_status made,
                    keylens_mask* c_mask) {
  ASSERT_TRUE(Ok(made));
  const auto options = NewOptions();
  ASSERT_TRUE(Ok(keylens_options_set_mask(options.get(), c_mask)));
  keylens_mask_destroy(c_mask);  // the options keep it
  ExpectSameBits(With(&AttentionOptions::mask, mask.get()), options.get());
}

TEST(CMask, Causal) {
  keylens_mask* mask = nullptr;
  auto made = keylens_causal_mask(KEYLENS_TOP_LEFT, &mask);
  ExpectSameMask(CausalMask(CausalAlignment::kTopLeft), made, mask);
  made = keylens_causal_mask(KEYLENS_BOTTOM_RIGHT, &mask);
  ExpectSameMask(CausalMask(CausalAlignment::kBottomRight), made, mask);
}

TEST(CMask, SlidingWindow) {
  keylens_mask* mask = nullptr;
  const auto made =
      keylens_sliding_window_mask(7, 2, KEYLENS_BOTTOM_RIGHT, &mask);
  ExpectSameMask(SlidingWindowMask(7, 2, CausalAlignment::kBottomRight), made,
                 mask);
}

TEST(CMask, Prefix) {
  keylens_mask* mask = nullptr;
  const auto made = keylens_prefix_mask(30, &mask);
  ExpectSameMask(PrefixMask(30), made, mask);
}

TEST(CMask, Document) {
  std::vector<int32_t> queries, keys;
  for (int64_t i = 0; i < kQueries; ++i)
    queries.push_back(static_cast<int32_t>(i / 13));
  for (int64_t j = 0; j < kKeys; ++j)
    keys.push_back(static_cast<int32_t>(j / 90));
  keylens_mask* mask = nullptr;
  auto c_queries = queries;
  const auto made = keylens_document_mask(c_queries.data(), kQueries,
                                          keys.data(), kKeys, &mask);
  c_queries.assign(kQueries, -5);  // they were copied
  ExpectSameMask(DocumentMask(queries, keys), made, mask);
}

TEST(CMask, KeyPadding) {
  int64_t live[] = {17, 299};
  keylens_mask* mask = nullptr;
  const auto made = keylens_key_padding_mask(live, 2, &mask);
  live[0] = 1;  // they were copied
  ExpectSameMask(KeyPaddingMask({17, 299}), made, mask);
}

TEST(CMask, Dense) {
  std::mt19937_64 random(5);
  Buffer<bool, 4> live({1, 4, kQueries, kKeys}, RandomLayout<4>(random));
  live.Fill([&] { return random() % 3 == 0; });
  keylens_mask* mask = nullptr;
  const keylens_tensor tensor = InC(live.view());
  const auto made = keylens_dense_mask(&tensor, &mask);
  ExpectSameMask(DenseMask(live.view()), made, mask);
}

// The parts may be gone before the whole.
TEST(CMask, AllOf) {
  keylens_mask* parts[2] = {};
  ASSERT_TRUE(Ok(keylens_causal_mask(KEYLENS_BOTTOM_RIGHT, &parts[0])));
  const int64_t live[] = {250, 0};
  ASSERT_TRUE(Ok(keylens_key_padding_mask(live, 2, &parts[1])));
  keylens_mask* mask = nullptr;
  const auto made = keylens_all_of(parts, 2, &mask);
  for (keylens_mask* part : parts) keylens_mask_destroy(part);
  const auto causal = CausalMask(CausalAlignment::kBottomRight);
  const auto padding = KeyPaddingMask({250, 0});
  ExpectSameMask(AllOf({causal.get(), padding.get()}), made, mask);
}

TEST(CMask, AllOfNothingMasksNothing) {
  keylens_mask* mask = nullptr;
  const auto made = keylens_all_of(nullptr, 0, &mask);
  ExpectSameMask(AllOf({}), made, mask);
}

// Every `step`-th key back from the query's own.
struct Dilated {
  int64_t step = 3;
  std::atomic<int> classified = 0;
  std::atomic<int> destroyed = 0;

  TileClass Classify(const TileCoord& coord) const {
    return coord.first_key > coord.first_query + coord.num_queries - 1
               ? TileClass::kEmpty
               : TileClass::kPartial;
  }
  void Apply(float* row, int64_t query, int64_t first_key,
             int64_t num_keys) const {
    for (int64_t j = 0; j < num_keys; ++j) {
      const int64_t back = query - first_key - j;
      if (back < 0 || back % step != 0)
        row[j] = -std::numeric_limits<float>::infinity();
    }
  }
};

class DilatedMask final : public Mask {
 public:
  TileClass Classify(const TileCoord& coord) const override {
    return rule_.Classify(coord);
  }
  void Apply(ScoreTile scores) const override {
    for (int64_t i = 0; i < scores.coord.num_queries; ++i) {
      rule_.Apply(scores.Row(i), scores.coord.first_query + i,
                  scores.coord.first_key, scores.coord.num_keys);
    }
  }

 private:
  Dilated rule_;
};

keylens_tile_class ClassifyDilated(void* context,
                                   const keylens_tile_coord* coord) {
  auto* rule = static_cast<Dilated*>(context);
  ++rule->classified;
  EXPECT_EQ(coord->query_len, kQueries);
  EXPECT_EQ(coord->kv_len, kKeys);
  EXPECT_LT(coord->batch, 2);
  EXPECT_LT(coord->head, 4);
  return coord->first_key > coord->first_query + coord->num_queries - 1
             ? KEYLENS_TILE_EMPTY
             : KEYLENS_TILE_PARTIAL;
}

void ApplyDilated(void* context, const keylens_score_tile* scores) {
  for (int64_t i = 0; i < scores->coord.num_queries; ++i) {
    static_cast<Dilated*>(context)->Apply(
        scores->data + i * scores->row_stride, scores->coord.first_query + i,
        scores->coord.first_key, scores->coord.num_keys);
  }
}

void DestroyDilated(void* context) {
  ++static_cast<Dilated*>(context)->destroyed;
}

TEST(CMask, OnesOwn) {
  Dilated rule;
  keylens_mask_functions functions = {};
  functions.context = &rule;
  functions.classify = ClassifyDilated;
  functions.apply = ApplyDilated;
  functions.destroy = DestroyDilated;
  keylens_mask* mask = nullptr;
  const auto made = keylens_custom_mask(&functions, &mask);
  functions = {};  // it was copied
  ExpectSameMask(std::make_unique<DilatedMask>(), made, mask);
  EXPECT_GT(rule.classified, 0);
  EXPECT_EQ(rule.destroyed, 1);  // with the options
}

TEST(CMask, OnesOwnNeedsOnlyApply) {
  Dilated rule;
  keylens_mask_functions functions = {};
  functions.context = &rule;
  functions.apply = ApplyDilated;
  keylens_mask* mask = nullptr;
  const auto made = keylens_custom_mask(&functions, &mask);
  ExpectSameMask(std::make_unique<DilatedMask>(), made, mask);
}

// Each of the three answers, each to the letter.
keylens_tile_class AllOrNothing(void* context,
                                const keylens_tile_coord* coord) {
  *static_cast<std::atomic<int>*>(context) += 1;
  return coord->head % 2 == 0 ? KEYLENS_TILE_FULL : KEYLENS_TILE_EMPTY;
}
void MaskOddHeads(void* /*context*/, const keylens_score_tile* scores) {
  if (scores->coord.head % 2 == 0) return;
  for (int64_t i = 0; i < scores->coord.num_queries; ++i)
    std::fill_n(scores->data + i * scores->row_stride, scores->coord.num_keys,
                -std::numeric_limits<float>::infinity());
}

TEST(CMask, OnesOwnMaySayFullAndEmpty) {
  std::atomic<int> asked = 0;
  keylens_mask_functions functions = {};
  functions.context = &asked;
  functions.classify = AllOrNothing;
  functions.apply = MaskOddHeads;
  keylens_mask* mask = nullptr;
  const auto made = keylens_custom_mask(&functions, &mask);
  Buffer<bool, 4> live({1, 4, 1, 1});
  for (int64_t head = 0; head < 4; ++head)
    live({0, head, 0, 0}) = head % 2 == 0;
  ExpectSameMask(DenseMask(live.view()), made, mask);
  EXPECT_GT(asked, 0);
}

}  // namespace
}  // namespace keylens
