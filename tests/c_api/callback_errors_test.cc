// What a call gets whose callbacks do wrong.

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>

#include "tests/c_api/all_calls.h"

namespace keylens {
namespace {

// A mask whose apply calls `context`, a std::function<void()>.
Owned<keylens_mask> MaskThatCalls(std::function<void()>* what) {
  keylens_mask_functions functions = {};
  functions.context = what;
  functions.apply = [](void* context, const keylens_score_tile*) {
    (*static_cast<std::function<void()>*>(context))();
  };
  keylens_mask* mask = nullptr;
  EXPECT_TRUE(Ok(keylens_custom_mask(&functions, &mask)));
  return Owned<keylens_mask>(mask);
}

TEST(CCallbackErrors, NoExceptionOfACallbackComesOut) {
  const std::string name = "keylens_attention_forward: ";
  const std::pair<std::function<void()>, std::pair<keylens_status, std::string>>
      cases[] = {
          {[] { throw std::bad_alloc(); },
           {KEYLENS_OUT_OF_MEMORY, name + "out of memory"}},
          {[] { throw std::length_error("vector"); },
           {KEYLENS_OUT_OF_MEMORY, name + "out of memory"}},
          {[] { throw std::runtime_error("broken"); },
           {KEYLENS_INTERNAL_ERROR, name + "broken"}},
          {[] { throw 7; },
           {KEYLENS_INTERNAL_ERROR, name + "an exception of unknown type"}},
          {[] { throw std::runtime_error(std::string(5000, 'x')); },
           {KEYLENS_INTERNAL_ERROR,
            name + std::string(1023 - name.size(), 'x')}},
      };
  for (const auto& [what, wanted] : cases) {
    for (const int32_t threads : {1, 2}) {
      AllCalls calls;
      std::function<void()> thrown = what;
      const auto mask = MaskThatCalls(&thrown);
      auto* options = calls.options.get();
      ASSERT_TRUE(Ok(keylens_options_set_mask(options, mask.get())));
      ASSERT_TRUE(Ok(keylens_options_set_num_threads(options, threads)));
      EXPECT_TRUE(FailsWith(wanted.first, calls.Forward(), wanted.second));
    }
  }
}

TEST(CCallbackErrors, AClassThatIsNone) {
  keylens_mask_functions functions = {};
  functions.classify = [](void*, const keylens_tile_coord*) {
    return keylens_tile_class{9};
  };
  functions.apply = [](void*, const keylens_score_tile*) {};
  keylens_mask* mask = nullptr;
  ASSERT_TRUE(Ok(keylens_custom_mask(&functions, &mask)));
  const Owned<keylens_mask> owned(mask);
  AllCalls calls;
  ASSERT_TRUE(Ok(keylens_options_set_mask(calls.options.get(), mask)));
  EXPECT_TRUE(Invalid(calls.Forward(),
                      "keylens_attention_forward: classify of a custom mask "
                      "returned 9, which is no keylens_tile_class"));
}

const char* SaysWhy(void* /*context*/, const keylens_score_shape* shape) {
  return shape->kv_len == Call<float>::kKeys ? "too many keys for this one"
                                             : nullptr;
}

TEST(CCallbackErrors, AMisfitSaysWhy) {
  keylens_mask_functions of_mask = {};
  of_mask.apply = [](void*, const keylens_score_tile*) {};
  of_mask.misfit = SaysWhy;
  keylens_mask* mask = nullptr;
  ASSERT_TRUE(Ok(keylens_custom_mask(&of_mask, &mask)));
  const Owned<keylens_mask> own_mask(mask);
  keylens_score_mod_functions of_mod = {};
  of_mod.forward = [](void*, const keylens_score_tile*) {};
  of_mod.misfit = SaysWhy;
  keylens_score_mod* mod = nullptr;
  ASSERT_TRUE(Ok(keylens_custom_score_mod(&of_mod, &mod)));
  const Owned<keylens_score_mod> own_mod(mod);
  const std::string wanted =
      "keylens_attention_forward: too many keys for this one; the scores are "
      "[2, 4, 61, 300]";

  AllCalls with_mask, with_mod;
  ASSERT_TRUE(Ok(keylens_options_set_mask(with_mask.options.get(), mask)));
  EXPECT_TRUE(Invalid(with_mask.Forward(), wanted));
  ASSERT_TRUE(Ok(keylens_options_add_score_mod(with_mod.options.get(), mod)));
  EXPECT_TRUE(Invalid(with_mod.Forward(), wanted));
  EXPECT_TRUE(Ok(with_mod.Decode()));  // with other lengths: nothing cached
}

TEST(CCallbackErrors, AModWithoutBackward) {
  keylens_score_mod_functions functions = {};
  functions.forward = [](void*, const keylens_score_tile*) {};
  keylens_score_mod* mod = nullptr;
  ASSERT_TRUE(Ok(keylens_custom_score_mod(&functions, &mod)));
  const Owned<keylens_score_mod> owned(mod);
  AllCalls calls;
  ASSERT_TRUE(Ok(keylens_options_add_score_mod(calls.options.get(), mod)));
  EXPECT_TRUE(Ok(calls.Forward()));
  EXPECT_TRUE(Invalid(calls.Backward(),
                      "keylens_attention_backward: a custom score mod has no "
                      "backward function"));
  EXPECT_TRUE(SameBytes(calls.call.query_grad, Call<float>().query_grad));
}

}  // namespace
}  // namespace keylens
