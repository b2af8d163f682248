#include "src/attention/door/check_statistics.h"

#include <algorithm>
#include <array>
#include <string>

namespace keylens::internal {
namespace {

using Shape3 = std::array<int64_t, 3>;
using Shape4 = std::array<int64_t, 4>;

void RequireGroupIds(const ArgumentChecker& checker, const char* name,
                     std::span<const int32_t> ids, int64_t len,
                     const char* sums, int64_t groups) {
  if (static_cast<int64_t>(ids.size()) != len) {
    checker.Fail(std::string(name) + " has " + std::to_string(ids.size()) +
                 " ids, expected " + std::to_string(len));
  }
  const auto bad = std::find_if(ids.begin(), ids.end(), [groups](int32_t id) {
    return id < -1 || id >= groups;
  });
  if (bad == ids.end()) return;
  checker.Fail(std::string(name) + " has id " + std::to_string(*bad) +
               " at index " + std::to_string(bad - ids.begin()) + "; " + sums +
               " has " + std::to_string(groups) +
               " groups there, and -1 leaves out");
}

template <typename T>
void CheckTop(ArgumentChecker& checker, const Problem& problem,
              const char* name, const TensorView<T, 4>& top) {
  if (top.data == nullptr) return;
  if (top.shape[3] < 1)
    checker.Fail(std::string(name) + " of shape " + ShapeText(top.shape) +
                 ": k must be at least 1");
  checker.Writes(name, top);
  checker.RequireShape(
      name, top.shape,
      Shape4{problem.batch, problem.num_heads, problem.query_len, top.shape[3]},
      "batch, num_heads, query_len, k");
}

void CheckWeights(ArgumentChecker& checker, const Problem& problem,
                  const Inspection& inspection) {
  if (inspection.weights.data == nullptr) return;
  const int64_t begin = inspection.query_rows.begin;
  const int64_t end = inspection.query_rows.end == IndexRange::kToTheEnd
                          ? problem.query_len
                          : inspection.query_rows.end;
  if (begin < 0 || end < begin || end > problem.query_len) {
    checker.Fail("query_rows [" + std::to_string(begin) + ", " +
                 std::to_string(end) + ") is no range of " +
                 std::to_string(problem.query_len) + " queries");
  }
  checker.Writes("weights", inspection.weights);
  checker.RequireShape(
      "weights", inspection.weights.shape,
      Shape4{problem.batch, problem.num_heads, end - begin, problem.kv_len},
      "batch, num_heads, rows of query_rows, kv_len");
}

}  // namespace

void CheckGroupSums(ArgumentChecker& checker, const Problem& problem,
                    const char* name, const TensorView<float, 4>& sums,
                    std::span<const int32_t> query_group,
                    std::span<const int32_t> key_group) {
  if (sums.data == nullptr) return;
  checker.Writes(name, sums);
  checker.RequireShape(
      name, sums.shape,
      Shape4{problem.batch, problem.num_heads, sums.shape[2], sums.shape[3]},
      "batch, num_heads, query groups, key groups");
  RequireGroupIds(checker, "query_group", query_group, problem.query_len, name,
                  sums.shape[2]);
  RequireGroupIds(checker, "key_group", key_group, problem.kv_len, name,
                  sums.shape[3]);
}

void CheckInspection(ArgumentChecker& checker, const Problem& problem,
                     const Inspection& inspection) {
  if (problem.dropout.probability > 0.0f)
    checker.Fail("there are no statistics with dropout; inspect without it");
  CheckWeights(checker, problem, inspection);
  if (inspection.entropy.data != nullptr) {
    checker.Writes("entropy", inspection.entropy);
    checker.RequireShape(
        "entropy", inspection.entropy.shape,
        Shape3{problem.batch, problem.num_heads, problem.query_len},
        "batch, num_heads, query_len");
  }
  if (inspection.key_mass.data != nullptr) {
    checker.Writes("key_mass", inspection.key_mass);
    checker.RequireShape(
        "key_mass", inspection.key_mass.shape,
        Shape3{problem.batch, problem.num_heads, problem.kv_len},
        "batch, num_heads, kv_len");
  }
  CheckTop(checker, problem, "top_keys", inspection.top_keys);
  CheckTop(checker, problem, "top_weights", inspection.top_weights);
  if (inspection.top_keys.data != nullptr &&
      inspection.top_weights.data != nullptr &&
      inspection.top_keys.shape != inspection.top_weights.shape) {
    checker.Fail("top_keys " + ShapeText(inspection.top_keys.shape) +
                 " and top_weights " + ShapeText(inspection.top_weights.shape) +
                 " differ in shape");
  }
  CheckGroupSums(checker, problem, "pooled", inspection.pooled,
                 inspection.query_group, inspection.key_group);
  if (inspection.offset_mass.data != nullptr) {
    checker.Writes("offset_mass", inspection.offset_mass);
    checker.RequireShape(
        "offset_mass", inspection.offset_mass.shape,
        Shape3{problem.batch, problem.num_heads, problem.NumOffsets()},
        "batch, num_heads, query_len + kv_len - 1");
  }
}

}  // namespace keylens::internal
