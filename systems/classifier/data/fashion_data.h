#ifndef KEYLENS_SYSTEMS_CLASSIFIER_DATA_FASHION_DATA_H_
#define KEYLENS_SYSTEMS_CLASSIFIER_DATA_FASHION_DATA_H_

#include <array>
#include <cstdint>
#include <filesystem>

namespace keylens::classifier {

// Where Debian's dataset-fashion-mnist puts its files.
inline constexpr const char* kFashionPackage =
    "/usr/share/datasets/fashion-mnist";

// What WriteFashionData writes.
inline constexpr std::array<const char*, 5> kFashionFiles = {
    "train-images-idx3-ubyte", "train-labels-idx1-ubyte",
    "t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte", "classes.txt"};

struct FashionSummary {
  int64_t train = 0;  // pictures
  int64_t test = 0;
  int64_t classes = 0;
};

// Writes Fashion-MNIST (Xiao, Rasul, Vollgraf, 2017) to `out` as OpenDataset
// reads it: the four files of `package`, decompressed, and classes.txt. Throws
// Error where the package's files are missing or are not 28 x 28 pictures and
// as many labels of ten classes, before anything is written.
FashionSummary WriteFashionData(const std::filesystem::path& package,
                                const std::filesystem::path& out);

}  // namespace keylens::classifier

#endif  // KEYLENS_SYSTEMS_CLASSIFIER_DATA_FASHION_DATA_H_
