// Any bytes as files of MNIST's format, compressed or not, and as records of
// CIFAR-10.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "systems/classifier/data/cifar.h"
#include "systems/classifier/data/gzip.h"
#include "systems/classifier/data/idx.h"
#include "tests/fuzz/read_or_refuse.h"

namespace {

void ReadIdx(const std::string& bytes) {
  using keylens::classifier::IdxArray;
  for (const int axes : {1, 3}) {
    ReadOrRefuse([&] {
      const IdxArray array = IdxArray::Parse(bytes, "fuzz", axes);
      std::size_t size = 1;
      for (const int64_t length : array.shape()) size *= length;
      if (array.values().size() != size) std::abort();
    });
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  namespace classifier = keylens::classifier;
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  ReadIdx(bytes);
  ReadOrRefuse(
      [&] { ReadIdx(classifier::Gunzip(bytes, "fuzz", int64_t{1} << 20)); });
  ReadOrRefuse([&] {
    classifier::VisitCifarRecords(
        bytes, "fuzz", 10, [](const keylens::Image& image, int32_t label) {
          if (image.pixels.size() != 3 * 32 * 32 || label < 0 || label > 9)
            std::abort();
        });
  });
  return 0;
}
