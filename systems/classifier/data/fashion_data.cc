#include "systems/classifier/data/fashion_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "src/base/error.h"
#include "src/base/file.h"
#include "systems/classifier/data/idx.h"

namespace keylens::classifier {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kSide = 28;
// As the authors name them (README of zalandoresearch/fashion-mnist).
constexpr std::array<const char*, 10> kClasses = {
    "T-shirt/top", "Trouser", "Pullover", "Dress", "Coat",
    "Sandal",      "Shirt",   "Sneaker",  "Bag",   "Ankle boot"};

struct Part {
  IdxArray images, labels;
};

std::string ImagesName(const char* split) {
  return fmt::format("{}-images-idx3-ubyte", split);
}

std::string LabelsName(const char* split) {
  return fmt::format("{}-labels-idx1-ubyte", split);
}

Part ReadPart(const fs::path& package, const char* split) {
  Part part{IdxArray::Read(package / (ImagesName(split) + ".gz"), 3),
            IdxArray::Read(package / (LabelsName(split) + ".gz"), 1)};
  const std::vector<int64_t>& shape = part.images.shape();
  if (shape[1] != kSide || shape[2] != kSide ||
      shape[0] != part.labels.shape()[0] ||
      *std::ranges::max_element(part.labels.values()) >= kClasses.size()) {
    throw Error(fmt::format("{}: {} is not Fashion-MNIST's", package.string(),
                            ImagesName(split)));
  }
  return part;
}

void WritePart(const Part& part, const char* split, const fs::path& out) {
  WriteFileAtomically(out / ImagesName(split), part.images.bytes());
  WriteFileAtomically(out / LabelsName(split), part.labels.bytes());
}

}  // namespace

FashionSummary WriteFashionData(const fs::path& package, const fs::path& out) {
  if (!fs::exists(package / (ImagesName("train") + ".gz"))) {
    throw Error(package.string() +
                ": Fashion-MNIST is not there; install Debian's package "
                "dataset-fashion-mnist");
  }
  const Part train = ReadPart(package, "train");
  const Part test = ReadPart(package, "t10k");
  MakeFolder(out);
  WritePart(train, "train", out);
  WritePart(test, "t10k", out);
  WriteFileAtomically(out / "classes.txt",
                      fmt::format("{}\n", fmt::join(kClasses, "\n")));
  return {train.images.shape()[0], test.images.shape()[0],
          static_cast<int64_t>(kClasses.size())};
}

}  // namespace keylens::classifier
