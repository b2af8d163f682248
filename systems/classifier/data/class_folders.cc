#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string>
#include <utility>

#include "src/base/error.h"
#include "src/base/utf8.h"
#include "systems/classifier/data/dataset.h"

namespace keylens::classifier {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> SortedEntries(const fs::path& folder, bool folders) {
  std::vector<fs::path> entries;
  std::error_code error;
  for (const fs::directory_entry& entry :
       fs::directory_iterator(folder, error)) {
    const bool hidden = entry.path().filename().string().starts_with('.');
    if (!hidden && entry.is_directory() == folders)
      entries.push_back(entry.path());
  }
  if (error) throw Error(folder.string() + ": " + error.message());
  std::ranges::sort(entries);
  return entries;
}

std::vector<std::string> NamesOf(const std::vector<fs::path>& folders) {
  std::vector<std::string> names;
  for (const fs::path& folder : folders) {
    names.push_back(folder.filename().string());
    if (!IsUtf8(names.back()))
      throw Error(folder.string() + ": the folder's name is not UTF-8");
  }
  return names;
}

bool IsPicture(const fs::path& path) {
  try {
    ReadImage(path);
    return true;
  } catch (const Error&) {
    return false;
  }
}

// A folder without any, such as the __MACOSX of a zip file, is no class.
bool HasPictures(const fs::path& folder) {
  return std::ranges::any_of(SortedEntries(folder, false), IsPicture);
}

fs::path TrainingFolder(const fs::path& folder) {
  const fs::path train = folder / "train";
  return fs::is_directory(train) ? train : folder;
}

class ClassFolders : public Dataset {
 public:
  explicit ClassFolders(const fs::path& folder)
      : Dataset(folder), split_(TrainingFolder(folder) != folder) {
    const fs::path training = FolderOf(Split::kTrain);
    std::vector<fs::path> classes = SortedEntries(training, true);
    std::erase_if(classes, std::not_fn(HasPictures));
    classes_ = NamesOf(classes);
  }

  const std::vector<std::string>& classes() const override { return classes_; }
  PictureTraits traits() const override { return {}; }

  void Visit(Split split, const PictureSink& sink,
             const NoteSink& note) const override {
    const fs::path folder = FolderOf(split);
    if (!fs::is_directory(folder))
      throw Error(folder.string() + ": no such folder");
    CheckFolders(folder, note);
    for (std::size_t i = 0; i < classes_.size(); ++i)
      VisitClass(folder / classes_[i], static_cast<int32_t>(i), sink, note);
  }

 private:
  fs::path FolderOf(Split split) const {
    if (!split_) return folder();
    return folder() / (split == Split::kTrain ? "train" : "test");
  }

  // Every folder is a class, or has nothing that could be one.
  void CheckFolders(const fs::path& folder, const NoteSink& note) const {
    for (const fs::path& path : SortedEntries(folder, true)) {
      const bool known =
          std::ranges::find(classes_, path.filename().string()) !=
          classes_.end();
      if (HasPictures(path)) {
        if (known) continue;
        throw Error(fmt::format("{}: is no class of {}", path.string(),
                                FolderOf(Split::kTrain).string()));
      }
      note(fmt::format("{}: has no picture that can be read; it {}",
                       path.string(),
                       known ? "adds nothing to its class" : "is no class"));
    }
  }

  static void VisitClass(const fs::path& folder, int32_t label,
                         const PictureSink& sink, const NoteSink& note) {
    if (!fs::is_directory(folder)) return;  // a test set may lack a class
    for (const fs::path& path : SortedEntries(folder, false)) {
      Image image;
      try {
        image = ReadImage(path, note);
      } catch (const Error& error) {
        note(fmt::format("left out: {}", error.what()));
        continue;
      }
      sink(std::move(image), label);
    }
  }

  bool split_ = false;
  std::vector<std::string> classes_;
};

}  // namespace

std::unique_ptr<Dataset> OpenClassFolders(const fs::path& folder) {
  if (SortedEntries(TrainingFolder(folder), true).size() < 2) return nullptr;
  return std::make_unique<ClassFolders>(folder);
}

}  // namespace keylens::classifier
