#ifndef KEYLENS_TESTS_ATTENTION_EVERY_TARGET_H_
#define KEYLENS_TESTS_ATTENTION_EVERY_TARGET_H_

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <cstdint>
#include <string>

namespace keylens {

// A test that runs once for every instruction set that this machine has.
class OnEveryTarget : public ::testing::TestWithParam<int64_t> {
 protected:
  void SetUp() override { hwy::SetSupportedTargetsForTest(GetParam()); }
  void TearDown() override { hwy::SetSupportedTargetsForTest(0); }
};

inline auto EveryTarget() {
  return ::testing::ValuesIn(hwy::SupportedAndGeneratedTargets());
}

inline std::string TargetName(const ::testing::TestParamInfo<int64_t>& info) {
  return hwy::TargetName(info.param);
}

}  // namespace keylens

#endif  // KEYLENS_TESTS_ATTENTION_EVERY_TARGET_H_
