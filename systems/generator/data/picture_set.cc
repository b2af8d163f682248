#include "systems/generator/data/picture_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string_view>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/base/file_extension.h"
#include "src/base/lines.h"

namespace keylens::generator {
namespace {

namespace fs = std::filesystem;

std::string Trimmed(std::string text) {
  constexpr std::string_view kSpace = " \t\r\n";
  text.erase(0, std::min(text.find_first_not_of(kSpace), text.size()));
  text.erase(text.find_last_not_of(kSpace) + 1);
  return text;
}

using Json = nlohmann::json;

// The member `name` of a line, of the type that it has to have. Throws Error
// without a place; the caller knows it.
template <typename T>
T Member(const Json& line, const std::string& name, const char* type) {
  if (!line.contains(name)) throw Error(fmt::format("has no \"{}\"", name));
  try {
    return line[name].get<T>();
  } catch (const Json::exception&) {
    throw Error(fmt::format("\"{}\" is no {}", name, type));
  }
}

template <typename T>
T Member(const Json& line, const std::string& name, const char* type,
         T otherwise) {
  return line.contains(name) ? Member<T>(line, name, type) : otherwise;
}

// A caption before its picture is read. Throws Error, without a place.
CaptionedPicture ParseLine(const std::string& text) {
  const Json line = Json::parse(text, nullptr, false);
  if (line.is_discarded()) throw Error("is not JSON");
  if (!line.is_object()) {
    throw Error(
        "is no JSON object; each line is one, {\"file_name\": ..., \"text\": "
        "...}");
  }
  CaptionedPicture picture;
  picture.file_name = Member<std::string>(line, "file_name", "string");
  picture.text = Trimmed(Member<std::string>(line, "text", "string"));
  picture.keywords =
      Member<std::vector<std::string>>(line, "keywords", "list of strings", {});
  const std::string split =
      Member<std::string>(line, "split", "string", "train");
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
    } catch (const Error& error) {
      note(fmt::format("{}:{}: left out: {}", path.string(), number,
                       error.what()));
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
                ": no captions; it needs metadata.jsonl (a line each: "
                "{\"file_name\": ..., \"text\": ...}), or x.txt beside x.png");
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
