#ifndef KEYLENS_TESTS_ATTENTION_EDGE_CASE_H_
#define KEYLENS_TESTS_ATTENTION_EDGE_CASE_H_

#include <keylens/attention.h>

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/attention/attention_case.h"
#include "tests/attention/every_element.h"

namespace keylens {

inline constexpr float kInf = std::numeric_limits<float>::infinity();
inline constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

// The corners of attention and the value each must give. Tests are numbered by
// the list of corners: L11_ is about line 11.
class EdgeCase : public OnEveryTargetAndElement {};

// Row `row` of a row-major matrix.
template <typename T>
std::vector<T> RowOf(const std::vector<T>& values, int64_t row,
                     int64_t length) {
  return {values.begin() + row * length, values.begin() + (row + 1) * length};
}

// A mask [1, 1, query_len, kv_len] from a rule, with the memory it looks at.
class RuleMask {
 public:
  template <typename IsLive>
  RuleMask(int64_t query_len, int64_t kv_len, IsLive is_live)
      : live_({1, 1, query_len, kv_len}) {
    for (int64_t i = 0; i < query_len; ++i) {
      for (int64_t j = 0; j < kv_len; ++j) live_({0, 0, i, j}) = is_live(i, j);
    }
    mask_ = DenseMask(live_.view());
  }
  RuleMask(const RuleMask&) = delete;
  RuleMask& operator=(const RuleMask&) = delete;

  const Mask* get() const { return mask_.get(); }

 private:
  Buffer<bool, 4> live_;
  std::unique_ptr<Mask> mask_;
};

// A bias [1, 1, query_len, kv_len] from a rule, likewise.
class RuleBias {
 public:
  template <typename Rule>
  RuleBias(int64_t query_len, int64_t kv_len, Rule rule)
      : bias_({1, 1, query_len, kv_len}) {
    for (int64_t i = 0; i < query_len; ++i) {
      for (int64_t j = 0; j < kv_len; ++j) bias_({0, 0, i, j}) = rule(i, j);
    }
    mod_ = AdditiveBias(bias_.view());
  }
  RuleBias(const RuleBias&) = delete;
  RuleBias& operator=(const RuleBias&) = delete;

  const ScoreMod* get() const { return mod_.get(); }

 private:
  Buffer<float, 4> bias_;
  std::unique_ptr<ScoreMod> mod_;
};

// What std::invalid_argument says that `call` throws; "" when it throws none.
template <typename Call>
std::string InvalidArgument(Call call) {
  try {
    call();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

}  // namespace keylens

#endif  // KEYLENS_TESTS_ATTENTION_EDGE_CASE_H_
