#ifndef KEYLENS_TESTS_ATTENTION_EVERY_ELEMENT_H_
#define KEYLENS_TESTS_ATTENTION_EVERY_ELEMENT_H_

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>

#include "tests/attention/element.h"

namespace keylens {

// A test that runs once for every instruction set that this machine has and
// every element type.
class OnEveryTargetAndElement
    : public ::testing::TestWithParam<std::tuple<int64_t, Element>> {
 protected:
  void SetUp() override {
    hwy::SetSupportedTargetsForTest(std::get<0>(GetParam()));
    element_.emplace(std::get<1>(GetParam()));
  }
  void TearDown() override {
    hwy::SetSupportedTargetsForTest(0);
    element_.reset();
  }

 private:
  std::optional<ChosenElement> element_;
};

inline auto EveryTargetAndElement() {
  return ::testing::Combine(
      ::testing::ValuesIn(hwy::SupportedAndGeneratedTargets()),
      ::testing::ValuesIn(kElements));
}

inline std::string TargetAndElementName(
    const ::testing::TestParamInfo<std::tuple<int64_t, Element>>& info) {
  return hwy::TargetName(std::get<0>(info.param)) + std::string("_") +
         ElementName(std::get<1>(info.param));
}

}  // namespace keylens

#endif  // KEYLENS_TESTS_ATTENTION_EVERY_ELEMENT_H_
