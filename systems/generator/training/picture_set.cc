#include "systems/generator/training/picture_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string_view>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/base/file_extension.h"
#include "src/base/lines.h"
#include "src/checkpoint/json_mistake.h"

namespace keylens::generator {
namespace {

namespace fs = std::filesystem;

std::string Trimmed(std::string text) {
  constexpr std::string_view kSpace = " \t\r\n";
  text.erase(0, std::min(text.find_first_not_of(kSpace), text.size()));
  text.erase(text.find_last_not_of(kSpace) + 1);
  return text;
}

// A caption before its picture is read. Throws json's exceptions.
CaptionedPicture ParseLine(const std::string& line) {
  const nlohmann::json json = nlohmann::json::parse(line);
  CaptionedPicture picture;
  picture.file_name = json.at("file_name").get<std::string>();
  picture.text = Trimmed(json.at("text").get<std::string>());
  picture.keywords = json.value("keywords", std::vector<std::string>());
  const std::string split = json.value("split", std::string("train"));
  picture.held_out = split == "held_out" || split == "test";
  return picture;
}

std::vector<CaptionedPicture> FromMetadata(const fs::path& path,
                                           const NoteSink& note) {
  std::vector<CaptionedPicture> pictures;
  int number = 0;
  for (const std::string& line : ReadLines(path)) {
    ++number;
    if (Trimmed(line).empty()) continue;
    try {
      pictures.push_back(ParseLine(line));
    } catch (const nlohmann::json::exception& error) {
      note(fmt::format("{}:{}: left out: {}", path.string(), number,
                       JsonMistake(error)));
    }
  }
  return pictures;
}

bool IsPicture(const fs::path& path) {
  const std::string extension = ExtensionOf(path);
  return extension == ".png" || extension == ".jpg" || extension == ".jpeg" ||
         extension == ".webp";
}

std::vector<CaptionedPicture> FromTextFiles(const fs::path& folder) {
  std::vector<CaptionedPicture> pictures;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    fs::path caption = entry.path();
    caption.replace_extension(".txt");
    if (!IsPicture(entry.path()) || !fs::exists(caption)) continue;
    CaptionedPicture picture;
    picture.file_name = entry.path().filename().string();
    picture.text =
        Trimmed(std::string(WithoutByteOrderMark(ReadFile(caption))));
    pictures.push_back(std::move(picture));
  }
  std::sort(pictures.begin(), pictures.end(), [](const auto& a, const auto& b) {
    return a.file_name < b.file_name;
  });
  return pictures;
}

// True when the picture could be read.
bool ReadPixels(const fs::path& folder, int size, CaptionedPicture& picture,
                const NoteSink& note) {
  try {
    picture.image =
        Resize(ToRgba(ReadImage(folder / picture.file_name, note)), size, size);
    return true;
  } catch (const Error& error) {
    note(fmt::format("left out: {}", error.what()));
    return false;
  }
}

}  // namespace

std::vector<CaptionedPicture> ReadPictureSet(const fs::path& folder, int size,
                                             const NoteSink& note) {
  if (!fs::is_directory(folder)) {
    throw Error(folder.string() + ": no such folder");
  }
  const fs::path metadata = folder / "metadata.jsonl";
  std::vector<CaptionedPicture> pictures = fs::exists(metadata)
                                               ? FromMetadata(metadata, note)
                                               : FromTextFiles(folder);
  if (pictures.empty()) {
    throw Error(folder.string() +
                ": no captions; it needs metadata.jsonl (file_name, text), or "
                "x.txt beside x.png");
  }
  std::erase_if(pictures, [&](CaptionedPicture& picture) {
    return !ReadPixels(folder, size, picture, note);
  });
  if (pictures.empty()) {
    throw Error(folder.string() + ": none of its pictures can be read");
  }
  return pictures;
}

}  // namespace keylens::generator
