#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "src/base/error.h"
#include "systems/classifier/data/dataset.h"
#include "systems/classifier/data/idx.h"

namespace keylens::classifier {
namespace {

namespace fs = std::filesystem;

constexpr const char* kClasses = "classes.txt";

// `name` or name.gz; empty where neither is there.
fs::path Existing(const fs::path& folder, const std::string& name) {
  for (const char* extension : {"", ".gz"}) {
    const fs::path path = folder / (name + extension);
    if (fs::exists(path)) return path;
  }
  return {};
}

std::string PrefixOf(Split split) {
  return split == Split::kTrain ? "train" : "t10k";
}

fs::path ImagesPath(const fs::path& folder, Split split) {
  return Existing(folder, PrefixOf(split) + "-images-idx3-ubyte");
}

fs::path LabelsPath(const fs::path& folder, Split split) {
  return Existing(folder, PrefixOf(split) + "-labels-idx1-ubyte");
}

IdxArray ReadLabels(const fs::path& folder, Split split) {
  const fs::path path = LabelsPath(folder, split);
  if (path.empty()) {
    throw Error(fmt::format("{}: {}-labels-idx1-ubyte is missing",
                            folder.string(), PrefixOf(split)));
  }
  return IdxArray::Read(path, 1);
}

std::vector<std::string> Numbers(int count) {
  std::vector<std::string> names;
  for (int i = 0; i < count; ++i) names.push_back(std::to_string(i));
  return names;
}

class IdxDataset : public Dataset {
 public:
  explicit IdxDataset(const fs::path& folder) : Dataset(folder) {
    const Split split = ImagesPath(folder, Split::kTrain).empty()
                            ? Split::kTest
                            : Split::kTrain;
    const IdxArray images = IdxArray::Read(ImagesPath(folder, split), 3);
    size_ = static_cast<int>(std::max(images.shape()[1], images.shape()[2]));
    if (fs::exists(folder / kClasses)) {
      classes_ = ReadClassNames(folder / kClasses);
    } else {
      const IdxArray labels = ReadLabels(folder, split);
      classes_ = Numbers(1 + *std::ranges::max_element(labels.values()));
    }
  }

  const std::vector<std::string>& classes() const override { return classes_; }
  PictureTraits traits() const override { return {size_, 1, Ground::kDark}; }

  void Visit(Split split, const PictureSink& sink,
             const NoteSink&) const override {
    const fs::path path = ImagesPath(folder(), split);
    if (path.empty()) {
      throw Error(fmt::format("{}: {}-images-idx3-ubyte is missing",
                              folder().string(), PrefixOf(split)));
    }
    const IdxArray images = IdxArray::Read(path, 3);
    const IdxArray labels = ReadLabels(folder(), split);
    Check(path, images, labels);
    const int64_t rows = images.shape()[1], cols = images.shape()[2];
    for (int64_t i = 0; i < images.shape()[0]; ++i) {
      const auto pixels = images.values().subspan(i * rows * cols, rows * cols);
      sink({static_cast<int>(cols),
            static_cast<int>(rows),
            1,
            {pixels.begin(), pixels.end()}},
           labels.values()[i]);
    }
  }

 private:
  void Check(const fs::path& path, const IdxArray& images,
             const IdxArray& labels) const {
    if (images.shape()[0] != labels.shape()[0]) {
      throw Error(fmt::format("{}: has {} pictures; there are {} labels",
                              path.string(), images.shape()[0],
                              labels.shape()[0]));
    }
    const int largest = *std::ranges::max_element(labels.values());
    if (largest >= static_cast<int>(classes_.size())) {
      throw Error(fmt::format("{}: has label {}; {} names {} classes",
                              folder().string(), largest, kClasses,
                              classes_.size()));
    }
  }

  int size_ = 0;
  std::vector<std::string> classes_;
};

}  // namespace

std::unique_ptr<Dataset> OpenIdxDataset(const fs::path& folder) {
  if (ImagesPath(folder, Split::kTrain).empty() &&
      ImagesPath(folder, Split::kTest).empty()) {
    return nullptr;
  }
  return std::make_unique<IdxDataset>(folder);
}

}  // namespace keylens::classifier
