#ifndef KEYLENS_SRC_CHECKPOINT_NPY_HEADER_H_
#define KEYLENS_SRC_CHECKPOINT_NPY_HEADER_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace keylens {

// What the header of an npy file says.
struct NpyHeader {
  std::string descr;  // "<f4"
  bool fortran_order = false;
  std::vector<int64_t> shape;
};

// The header's text, a Python dict of literals. Throws Error, starting with
// `file`. The type and the product of the shape are not yet looked at.
NpyHeader ParseNpyHeader(std::string_view text, const std::string& file);

}  // namespace keylens

#endif  // KEYLENS_SRC_CHECKPOINT_NPY_HEADER_H_
