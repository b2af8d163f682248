#ifndef KEYLENS_TESTS_INSPECT_NUMPY_FILE_H_
#define KEYLENS_TESTS_INSPECT_NUMPY_FILE_H_

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "src/inspect/array.h"

namespace keylens::inspect {

// A folder of arrays as numpy.save writes them, gone with the test.
class NumpyFolder {
 public:
  NumpyFolder();
  ~NumpyFolder();
  NumpyFolder(const NumpyFolder&) = delete;
  NumpyFolder& operator=(const NumpyFolder&) = delete;

  std::string Path(const std::string& name) const {
    return (folder_ / name).string();
  }

  // The numbers, given row-major, as elements of that type ("<f4", "<V2",
  // "<i8",
  // "|b1", ...), in C's or Fortran's order.
  Array Save(const std::string& name, const std::string& descr,
             const std::vector<int64_t>& shape,
             const std::vector<double>& numbers, bool fortran = false) const;

  void SaveText(const std::string& name, const std::string& text) const;

 private:
  std::filesystem::path folder_;
};

// `count` numbers from a normal distribution that bfloat16 has.
std::vector<double> NormalNumbers(int64_t count, uint64_t seed);

// The message of the Error that `call` throws; empty where it throws none.
std::string ErrorOf(const std::function<void()>& call);

}  // namespace keylens::inspect

#endif  // KEYLENS_TESTS_INSPECT_NUMPY_FILE_H_
