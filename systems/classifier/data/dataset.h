#ifndef KEYLENS_SYSTEMS_CLASSIFIER_DATA_DATASET_H_
#define KEYLENS_SYSTEMS_CLASSIFIER_DATA_DATASET_H_

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "src/base/note_sink.h"
#include "src/image/framing.h"
#include "src/image/image.h"

namespace keylens::classifier {

enum class Split { kTrain, kTest };

// What the pictures of a data set have in common.
struct PictureTraits {
  int size = 0;  // pixels along the longer side; 0: any
  int channels = 3;
  Ground ground = Ground::kAny;
};

using PictureSink = std::function<void(Image image, int32_t label)>;

// Pictures that each belong to one class. A new format is a source of its own,
// a factory below and a line of OpenDataset.
class Dataset {
 public:
  explicit Dataset(std::filesystem::path folder) : folder_(std::move(folder)) {}
  virtual ~Dataset() = default;

  const std::filesystem::path& folder() const { return folder_; }

  virtual const std::vector<std::string>& classes() const = 0;
  virtual PictureTraits traits() const = 0;

  // Calls `sink` with every picture of the split, in an order that does not
  // change; what cannot be read goes to `note` where a single picture can be
  // left out, and is an Error otherwise. Throws Error for a split that the set
  // has not.
  virtual void Visit(Split split, const PictureSink& sink,
                     const NoteSink& note) const = 0;

 private:
  std::filesystem::path folder_;
};

// Tells by the files that are there which kind of data set `folder` is:
//
//   {train,t10k}-images-idx3-ubyte and -labels-idx1-ubyte, with or without
//     .gz: MNIST's format, as `keylens data fashion` writes it; classes.txt
//     names the classes, one a line, otherwise they are called by their number
//   data_batch_1.bin, ..., test_batch.bin, batches.meta.txt: CIFAR-10's binary
//     version
//   sub-folders train and test of one folder for each class, or the folders of
//     the classes themselves (then both splits are all of them): PNG, JPEG and
//     WebP; a folder of which no picture can be read is no class
//
// Throws Error where it is none of these or a file cannot be read.
std::unique_ptr<Dataset> OpenDataset(const std::filesystem::path& folder);

// Null where `folder` does not look like the format.
std::unique_ptr<Dataset> OpenIdxDataset(const std::filesystem::path& folder);
std::unique_ptr<Dataset> OpenCifarDataset(const std::filesystem::path& folder);
std::unique_ptr<Dataset> OpenClassFolders(const std::filesystem::path& folder);

// Framed pictures, in memory.
struct LabelledPictures {
  std::vector<Image> pictures;
  std::vector<int32_t> labels;  // one each
};

// Throws Error as Visit does, and where no picture is left.
LabelledPictures ReadPictures(const Dataset& dataset, Split split,
                              const Framing& framing, const NoteSink& note);

// One name a line, as classes.txt and batches.meta.txt have them; white space
// at the ends of lines and empty lines are dropped.
std::vector<std::string> ReadClassNames(const std::filesystem::path& path);

}  // namespace keylens::classifier

#endif  // KEYLENS_SYSTEMS_CLASSIFIER_DATA_DATASET_H_
