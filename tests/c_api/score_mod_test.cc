// Score mods made from C, and score mods that are C functions.

#include <gtest/gtest.h>
#include <keylens/score_mod.h>

#include <atomic>
#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

#include "tests/c_api/call.h"

namespace keylens {
namespace {

constexpr int64_t kQueries = Call<float>::kQueries;
constexpr int64_t kKeys = Call<float>::kKeys;

// Takes both mods: expects the same bits with either.
void ExpectSameMod(std::unique_ptr<ScoreMod> mod, keylens_status made,
                   keylens_score_mod* c_mod) {
  ASSERT_TRUE(Ok(made));
  const auto options = NewOptions();
  ASSERT_TRUE(Ok(keylens_options_add_score_mod(options.get(), c_mod)));
  keylens_score_mod_destroy(c_mod);  // the options keep it
  ExpectSameBits(With(&AttentionOptions::score_mods, {mod.get()}),
                 options.get());
}

Buffer<float, 4> RandomBias() {
  std::mt19937_64 random(7);
  Buffer<float, 4> bias({1, 4, kQueries, kKeys}, RandomLayout<4>(random));
  std::normal_distribution<float> normal;
  bias.Fill([&] { return normal(random); });
  return bias;
}

TEST(CScoreMod, AdditiveBias) {
  auto bias = RandomBias();
  const keylens_tensor tensor = InC(bias.view());
  keylens_score_mod* mod = nullptr;
  const auto made = keylens_additive_bias(&tensor, nullptr, &mod);
  ExpectSameMod(AdditiveBias(bias.view()), made, mod);
}

TEST(CScoreMod, AdditiveBiasWithItsGradient) {
  auto bias = RandomBias();
  Buffer<float, 4> gradient(bias.view().shape), c_gradient(gradient);
  const keylens_tensor tensor = InC(bias.view());
  const keylens_tensor to = InC(c_gradient.view());
  keylens_score_mod* mod = nullptr;
  const auto made = keylens_additive_bias(&tensor, &to, &mod);
  ExpectSameMod(AdditiveBias(bias.view(), gradient.view()), made, mod);
  EXPECT_TRUE(SameBytes(gradient, c_gradient));
  EXPECT_FALSE(SameBytes(gradient, Buffer<float, 4>(bias.view().shape)));
}

TEST(CScoreMod, Alibi) {
  std::vector<float> slopes(4);
  ASSERT_TRUE(Ok(keylens_alibi_slopes(4, slopes.data())));
  EXPECT_EQ(slopes, AlibiSlopes(4));
  keylens_score_mod* mod = nullptr;
  const auto made = keylens_alibi_bias(slopes.data(), 4, nullptr, &mod);
  slopes.assign(4, 9.0f);  // they were copied
  ExpectSameMod(AlibiBias(AlibiSlopes(4)), made, mod);
}

TEST(CScoreMod, AlibiWithItsGradient) {
  const std::vector<float> slopes = AlibiSlopes(4);
  std::vector<float> gradient(4), c_gradient(4);
  keylens_score_mod* mod = nullptr;
  const auto made =
      keylens_alibi_bias(slopes.data(), 4, c_gradient.data(), &mod);
  ExpectSameMod(AlibiBias(slopes, Contiguous(gradient.data(), {4})), made, mod);
  EXPECT_EQ(gradient, c_gradient);
  EXPECT_NE(gradient, std::vector<float>(4));
}

TEST(CScoreMod, SoftCap) {
  keylens_score_mod* mod = nullptr;
  const auto made = keylens_soft_cap(1.5f, &mod);
  ExpectSameMod(SoftCap(1.5f), made, mod);
}

TEST(CScoreMod, RelativePositionBias) {
  std::mt19937_64 random(9);
  Buffer<float, 2> table({4, 32}, RandomLayout<2>(random));
  std::normal_distribution<float> normal;
  table.Fill([&] { return normal(random); });
  const keylens_tensor tensor = InC(table.view());
  for (const bool bidirectional : {false, true}) {
    keylens_score_mod* mod = nullptr;
    const auto made = keylens_relative_position_bias(&tensor, nullptr,
                                                     bidirectional, 100, &mod);
    ExpectSameMod(RelativePositionBias(table.view(), {bidirectional, 100}),
                  made, mod);
    Buffer<float, 2> gradient(table.view().shape), c_gradient(gradient);
    const keylens_tensor to = InC(c_gradient.view());
    const auto learns =
        keylens_relative_position_bias(&tensor, &to, bidirectional, 100, &mod);
    ExpectSameMod(RelativePositionBias(table.view(), gradient.view(),
                                       {bidirectional, 100}),
                  learns, mod);
    EXPECT_TRUE(SameBytes(gradient, c_gradient));
    EXPECT_FALSE(SameBytes(gradient, Buffer<float, 2>(table.view().shape)));
  }
}

TEST(CScoreMod, TheOrderIsThatOfAdding) {
  auto bias = RandomBias();
  const keylens_tensor tensor = InC(bias.view());
  keylens_score_mod *first = nullptr, *second = nullptr;
  ASSERT_TRUE(Ok(keylens_soft_cap(1.0f, &first)));
  ASSERT_TRUE(Ok(keylens_additive_bias(&tensor, nullptr, &second)));
  const Owned<keylens_score_mod> own_first(first), own_second(second);
  const auto options = NewOptions();
  ASSERT_TRUE(Ok(keylens_options_add_score_mod(options.get(), second)));
  ASSERT_TRUE(Ok(keylens_options_clear_score_mods(options.get())));
  ASSERT_TRUE(Ok(keylens_options_add_score_mod(options.get(), first)));
  ASSERT_TRUE(Ok(keylens_options_add_score_mod(options.get(), second)));
  const auto cap = SoftCap(1.0f);
  const auto added = AdditiveBias(bias.view());
  ExpectSameBits(With(&AttentionOptions::score_mods, {cap.get(), added.get()}),
                 options.get());
}

// score + c score^2, and the gradient by c, summed over everything.
struct Bend {
  float c = 0.125f;
  mutable float gradient = -1.0f;
  mutable std::atomic<int> begun = 0;
  std::atomic<int> destroyed = 0;

  void Forward(float* row, int64_t count) const {
    for (int64_t j = 0; j < count; ++j) row[j] += c * row[j] * row[j];
  }
  void Backward(const float* before, float* grad, int64_t count) const {
    for (int64_t j = 0; j < count; ++j) {
      if (grad[j] == 0) continue;
      gradient += grad[j] * before[j] * before[j];
      grad[j] *= 1 + 2 * c * before[j];
    }
  }
};

class BendMod final : public ScoreMod {
 public:
  explicit BendMod(Bend* rule) : rule_(rule) {}
  void Forward(ScoreTile scores) const override {
    for (int64_t i = 0; i < scores.coord.num_queries; ++i)
      rule_->Forward(scores.Row(i), scores.coord.num_keys);
  }
  void Backward(ScoreTile before, ScoreTile grad) const override {
    for (int64_t i = 0; i < grad.coord.num_queries; ++i)
      rule_->Backward(before.Row(i), grad.Row(i), grad.coord.num_keys);
  }
  BackwardOrder OrderOfBackward() const override {
    return BackwardOrder::kTotal;
  }
  void BeginBackward(const ScoreShape&) const override { rule_->gradient = 0; }

 private:
  Bend* rule_;
};

void ForwardBend(void* context, const keylens_score_tile* scores) {
  for (int64_t i = 0; i < scores->coord.num_queries; ++i) {
    static_cast<Bend*>(context)->Forward(scores->data + i * scores->row_stride,
                                         scores->coord.num_keys);
  }
}

void BackwardBend(void* context, const keylens_score_tile* before,
                  const keylens_score_tile* grad) {
  EXPECT_EQ(before->coord.first_key, grad->coord.first_key);
  for (int64_t i = 0; i < grad->coord.num_queries; ++i) {
    static_cast<Bend*>(context)->Backward(before->data + i * before->row_stride,
                                          grad->data + i * grad->row_stride,
                                          grad->coord.num_keys);
  }
}

void BeginBend(void* context, const keylens_score_shape* shape) {
  auto* rule = static_cast<Bend*>(context);
  rule->gradient = 0;
  ++rule->begun;
  EXPECT_EQ(shape->batch, 2);
  EXPECT_EQ(shape->num_heads, 4);
  EXPECT_EQ(shape->query_len, kQueries);
  EXPECT_EQ(shape->kv_len, kKeys);
}

void DestroyBend(void* context) { ++static_cast<Bend*>(context)->destroyed; }

TEST(CScoreMod, OnesOwnWithAGradient) {
  Bend cpp, c;
  keylens_score_mod_functions functions = {};
  functions.context = &c;
  functions.forward = ForwardBend;
  functions.backward = BackwardBend;
  functions.backward_order = KEYLENS_BACKWARD_TOTAL;
  functions.begin_backward = BeginBend;
  functions.destroy = DestroyBend;
  keylens_score_mod* mod = nullptr;
  const auto made = keylens_custom_score_mod(&functions, &mod);
  ExpectSameMod(std::make_unique<BendMod>(&cpp), made, mod);
  EXPECT_EQ(c.gradient, cpp.gradient);
  EXPECT_NE(c.gradient, 0.0f);
  EXPECT_EQ(c.begun, 1);
  EXPECT_EQ(c.destroyed, 1);
}

void AddOne(void* /*context*/, const keylens_score_tile* scores) {
  for (int64_t i = 0; i < scores->coord.num_queries; ++i) {
    for (int64_t j = 0; j < scores->coord.num_keys; ++j)
      scores->data[i * scores->row_stride + j] += 1.0f;
  }
}

void ExpectNoScores(void* context, const keylens_score_tile* before,
                    const keylens_score_tile* /*grad*/) {
  EXPECT_EQ(before->data, nullptr);
  ++*static_cast<std::atomic<int>*>(context);
}

TEST(CScoreMod, OnesOwnThatReadsNoScores) {
  std::atomic<int> called = 0;
  keylens_score_mod_functions functions = {};
  functions.context = &called;
  functions.forward = AddOne;
  functions.backward = ExpectNoScores;
  functions.backward_ignores_scores = 1;
  keylens_score_mod* mod = nullptr;
  const auto made = keylens_custom_score_mod(&functions, &mod);
  const float one = 1.0f;
  ExpectSameMod(AdditiveBias(Contiguous(&one, {1, 1, 1, 1})), made, mod);
  EXPECT_GT(called, 0);
}

}  // namespace
}  // namespace keylens
