#include "src/mask/broadcast.h"

#include <array>
#include <cstdint>
#include <string>

namespace keylens {
namespace {

std::string Brackets(const std::array<int64_t, 4>& shape) {
  std::string text = "[";
  for (const int64_t length : shape) {
    if (text.size() > 1) text += ", ";
    text += std::to_string(length);
  }
  return text + "]";
}

}  // namespace

std::string BroadcastMisfit(const char* name,
                            const std::array<int64_t, 4>& shape,
                            const ScoreShape& scores) {
  const std::array<int64_t, 4> wanted = {scores.batch, scores.num_heads,
                                         scores.query_len, scores.kv_len};
  for (int axis = 0; axis < 4; ++axis) {
    if (shape[axis] != 1 && shape[axis] != wanted[axis]) {
      return std::string(name) + " " + Brackets(shape) +
             " does not broadcast to the scores " + Brackets(wanted);
    }
  }
  return "";
}

}  // namespace keylens
