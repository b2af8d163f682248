#include <fmt/format.h>

#include <string>
#include <utility>

#include "src/base/error.h"
#include "src/base/file.h"
#include "systems/classifier/data/cifar.h"
#include "systems/classifier/data/dataset.h"

namespace keylens::classifier {
namespace {

namespace fs = std::filesystem;

constexpr const char* kNames = "batches.meta.txt";
constexpr const char* kTestBatch = "test_batch.bin";
constexpr int kMaxBatches = 5;

std::string BatchName(int number) {
  return fmt::format("data_batch_{}.bin", number);
}

class CifarDataset : public Dataset {
 public:
  explicit CifarDataset(const fs::path& folder)
      : Dataset(folder), classes_(ReadClassNames(folder / kNames)) {}

  const std::vector<std::string>& classes() const override { return classes_; }
  PictureTraits traits() const override {
    return {kCifarSize, 3, Ground::kAny};
  }

  void Visit(Split split, const PictureSink& sink,
             const NoteSink&) const override {
    if (split == Split::kTest) return VisitFile(kTestBatch, sink);
    for (int i = 1; i <= kMaxBatches; ++i) VisitFile(BatchName(i), sink);
  }

 private:
  void VisitFile(const std::string& name, const PictureSink& sink) const {
    const fs::path path = folder() / name;
    const std::string bytes = ReadFile(path);
    VisitCifarRecords(bytes, path.string(),
                      static_cast<int32_t>(classes_.size()), sink);
  }

  std::vector<std::string> classes_;
};

}  // namespace

void VisitCifarRecords(std::string_view bytes, const std::string& name,
                       int32_t classes, const PictureSink& sink) {
  constexpr std::size_t kPlane = kCifarSize * kCifarSize;
  constexpr std::size_t kRecord = 1 + 3 * kPlane;
  if (bytes.empty() || bytes.size() % kRecord != 0) {
    throw Error(fmt::format(
        "{}: has {} bytes; CIFAR-10's binary version has {} for each picture",
        name, bytes.size(), kRecord));
  }
  for (std::size_t at = 0; at < bytes.size(); at += kRecord) {
    const auto* record = reinterpret_cast<const uint8_t*>(bytes.data()) + at;
    if (record[0] >= classes) {
      throw Error(
          fmt::format("{}: picture {} has label {}; there are {} "
                      "classes",
                      name, at / kRecord, record[0], classes));
    }
    Image image{kCifarSize, kCifarSize, 3, std::vector<uint8_t>(3 * kPlane)};
    for (std::size_t i = 0; i < kPlane; ++i) {
      for (std::size_t c = 0; c < 3; ++c)
        image.pixels[3 * i + c] = record[1 + c * kPlane + i];
    }
    sink(std::move(image), record[0]);
  }
}

std::unique_ptr<Dataset> OpenCifarDataset(const fs::path& folder) {
  if (!fs::exists(folder / BatchName(1)) && !fs::exists(folder / kTestBatch)) {
    return nullptr;
  }
  return std::make_unique<CifarDataset>(folder);
}

}  // namespace keylens::classifier
