// Options set from C do what those of C++ do.

#include <gtest/gtest.h>
#include <keylens/dropout.h>

#include <cstdint>
#include <vector>

#include "tests/c_api/call.h"

namespace keylens {
namespace {

TEST(COptions, AreTheDefaultsAtFirst) {
  const auto options = NewOptions();
  ExpectSameBits({}, options.get());
}

TEST(COptions, Scale) {
  const auto options = NewOptions();
  ASSERT_TRUE(Ok(keylens_options_set_scale(options.get(), -0.75f)));
  ExpectSameBits(With(&AttentionOptions::scale, -0.75f), options.get());
  ASSERT_TRUE(Ok(keylens_options_set_default_scale(options.get())));
  ExpectSameBits({}, options.get());
}

TEST(COptions, NullMaskIsNone) {
  const auto options = NewOptions();
  keylens_mask* mask = nullptr;
  ASSERT_TRUE(Ok(keylens_causal_mask(KEYLENS_TOP_LEFT, &mask)));
  const Owned<keylens_mask> owned(mask);
  ASSERT_TRUE(Ok(keylens_options_set_mask(options.get(), mask)));
  ASSERT_TRUE(Ok(keylens_options_set_mask(options.get(), nullptr)));
  ExpectSameBits({}, options.get());
}

TEST(COptions, ThreadsAreTheEnginesBusiness) {
  const auto options = NewOptions();
  ASSERT_TRUE(Ok(keylens_options_set_num_threads(options.get(), 3)));
  ExpectSameBits(With(&AttentionOptions::num_threads, 3), options.get());
}

TEST(COptions, SinksAreCopiedAndHaveAGradient) {
  const std::vector<float> sinks = {0.5f, -1.0f, 2.0f, 0.0f};
  std::vector<float> c_sinks = sinks;
  const auto options = NewOptions();
  ASSERT_TRUE(Ok(keylens_options_set_sinks(options.get(), c_sinks.data(), 4)));
  c_sinks.assign(4, 100.0f);
  ExpectSameBits(With(&AttentionOptions::sinks, sinks), options.get());

  Call<float> cpp, c;
  std::vector<float> gradient(4), c_gradient(4);
  AttentionForward(cpp.inputs(), With(&AttentionOptions::sinks, sinks),
                   cpp.outputs());
  AttentionBackward<float>(cpp.inputs(), With(&AttentionOptions::sinks, sinks),
                           cpp.outputs(), cpp.out_grad.view(),
                           {.sinks = Contiguous(gradient.data(), {4})});
  const auto inputs = c.c_inputs();
  const auto outputs = c.c_outputs();
  const keylens_tensor out_grad = InC(c.out_grad.view());
  keylens_attention_gradients gradients = {};
  gradients.sinks = keylens_dense_1(c_gradient.data(), 4);
  ASSERT_TRUE(Ok(keylens_attention_forward(KEYLENS_FLOAT32, &inputs,
                                           options.get(), &outputs, nullptr)));
  ASSERT_TRUE(
      Ok(keylens_attention_backward(KEYLENS_FLOAT32, &inputs, options.get(),
                                    &outputs, &out_grad, &gradients)));
  EXPECT_EQ(c_gradient, gradient);
  EXPECT_NE(gradient[0], 0.0f);

  ASSERT_TRUE(Ok(keylens_options_set_sinks(options.get(), nullptr, 0)));
  ExpectSameBits({}, options.get());
}

TEST(COptions, Dropout) {
  const Dropout dropout = {0.25f, 0x123456789abcdefULL};
  const auto options = NewOptions();
  ASSERT_TRUE(Ok(keylens_options_set_dropout(options.get(), dropout.probability,
                                             dropout.seed)));
  Call<float> cpp, c;
  AttentionForward(cpp.inputs(), With(&AttentionOptions::dropout, dropout),
                   cpp.outputs());
  AttentionBackward<float>(
      cpp.inputs(), With(&AttentionOptions::dropout, dropout), cpp.outputs(),
      cpp.out_grad.view(), {.query = cpp.query_grad.view()});
  const auto inputs = c.c_inputs();
  const auto outputs = c.c_outputs();
  const keylens_tensor out_grad = InC(c.out_grad.view());
  keylens_attention_gradients gradients = {};
  gradients.query = InC(c.query_grad.view());
  ASSERT_TRUE(Ok(keylens_attention_forward(KEYLENS_FLOAT32, &inputs,
                                           options.get(), &outputs, nullptr)));
  ASSERT_TRUE(
      Ok(keylens_attention_backward(KEYLENS_FLOAT32, &inputs, options.get(),
                                    &outputs, &out_grad, &gradients)));
  Call<float>::ExpectSame(cpp, c);
}

TEST(COptions, DropoutKeepsAsTheEngineDoes) {
  int kept = 0;
  for (int64_t key = 0; key < 200; ++key) {
    int32_t keeps = -1;
    ASSERT_TRUE(Ok(keylens_dropout_keeps(0.5f, 11, 1, 2, 3, key, &keeps)));
    EXPECT_EQ(keeps, DropoutKeeps({0.5f, 11}, 1, 2, 3, key) ? 1 : 0);
    kept += keeps;
  }
  EXPECT_GT(kept, 50);
  EXPECT_LT(kept, 150);
}

TEST(COptions, NullMayBeDestroyed) {
  keylens_options_destroy(nullptr);
  keylens_mask_destroy(nullptr);
  keylens_score_mod_destroy(nullptr);
  keylens_key_value_cache_destroy(nullptr);
}

}  // namespace
}  // namespace keylens
