#include "systems/classifier/data/dataset.h"

#include <sstream>
#include <utility>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/base/lines.h"
#include "src/base/utf8.h"

namespace keylens::classifier {

namespace fs = std::filesystem;

std::unique_ptr<Dataset> OpenDataset(const fs::path& folder) {
  if (!fs::is_directory(folder)) {
    throw Error(folder.string() + ": no such folder");
  }
  if (auto dataset = OpenIdxDataset(folder)) return dataset;
  if (auto dataset = OpenCifarDataset(folder)) return dataset;
  if (auto dataset = OpenClassFolders(folder)) return dataset;
  throw Error(folder.string() +
              ": no data set; it needs train-images-idx3-ubyte and the like "
              "(`keylens data fashion` writes them), CIFAR-10's "
              "data_batch_1.bin, or a sub-folder of pictures for each class");
}

LabelledPictures ReadPictures(const Dataset& dataset, Split split,
                              const Framing& framing, const NoteSink& note) {
  Framing known = framing;
  // A set that stands on the model's ground is not to be guessed about.
  if (dataset.traits().ground == framing.ground) known.ground = Ground::kAny;
  LabelledPictures result;
  dataset.Visit(
      split,
      [&](Image image, int32_t label) {
        result.pictures.push_back(Frame(image, known));
        result.labels.push_back(label);
      },
      note);
  if (result.pictures.empty()) {
    throw Error(dataset.folder().string() +
                ": has no picture that can be read");
  }
  return result;
}

std::vector<std::string> ReadClassNames(const fs::path& path) {
  constexpr int64_t kMaxBytes = 1 << 24;
  std::vector<std::string> names;
  for (std::string line : ReadLines(path, kMaxBytes)) {
    line.erase(line.find_last_not_of(" \t\r") + 1);
    if (line.empty()) continue;
    if (!IsUtf8(line)) throw Error(path.string() + ": is not UTF-8");
    names.push_back(line);
  }
  if (names.empty() || names.size() > kMaxClasses) {
    throw Error(path.string() + ": must name the classes, one a line");
  }
  return names;
}

}  // namespace keylens::classifier
