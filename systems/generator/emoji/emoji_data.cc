#include "systems/generator/emoji/emoji_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "src/base/error.h"
#include "src/base/file.h"
#include "systems/generator/emoji/annotations.h"
#include "systems/generator/emoji/caption.h"
#include "systems/generator/emoji/emoji_painter.h"

namespace keylens {
namespace {

namespace fs = std::filesystem;

std::string ReadUnicodeFile(const fs::path& path, const char* package) {
  if (!fs::exists(path)) {
    throw Error(fmt::format("{} is missing; install the Debian package {}",
                            path.string(), package));
  }
  return ReadFile(path);
}

Annotations ReadEnglishAnnotations(const fs::path& unicode_folder) {
  Annotations annotations;
  for (const char* folder : {"annotations", "annotationsDerived"}) {
    const fs::path path =
        unicode_folder / "cldr" / "common" / folder / "en.xml";
    ReadAnnotations(ReadUnicodeFile(path, "unicode-cldr-core"), path.string(),
                    annotations);
  }
  return annotations;
}

std::string FileNameOf(std::u32string_view sequence) {
  std::string name;
  for (const char32_t code : sequence) {
    name += fmt::format("{}{:x}", name.empty() ? "" : "-",
                        static_cast<uint32_t>(code));
  }
  return name + ".png";
}

EmojiPicture MakePicture(Emoji emoji, const Annotations& annotations) {
  EmojiPicture picture;
  picture.file_name = FileNameOf(emoji.sequence);
  picture.held_out = FindHeldOut(emoji.sequence);
  picture.caption = CaptionOf(emoji.name);
  const auto found =
      annotations.find(ToUtf8(WithoutVariationSelectors(emoji.sequence)));
  if (found != annotations.end()) {
    const Annotation& annotation = found->second;
    if (!annotation.short_name.empty()) {
      picture.caption = CaptionOf(annotation.short_name);
    }
    picture.keywords = annotation.keywords;
    std::erase(picture.keywords, annotation.short_name);
  }
  picture.emoji = std::move(emoji);
  return picture;
}

std::string MetadataLine(const EmojiPicture& picture) {
  nlohmann::ordered_json line = {
      {"file_name", picture.file_name},
      {"text", picture.caption},
      {"keywords", picture.keywords},
      {"emoji", ToUtf8(picture.emoji.sequence)},
      {"group", picture.emoji.group},
      {"split", picture.held_out ? "held_out" : "train"},
  };
  if (picture.held_out) line["kind"] = picture.held_out->kind;
  return line.dump() + "\n";
}

}  // namespace

std::vector<EmojiPicture> ListEmojiPictures(const EmojiDataOptions& options) {
  const fs::path list_path =
      options.unicode_folder / "emoji" / "emoji-test.txt";
  std::vector<Emoji> list = ParseEmojiList(
      ReadUnicodeFile(list_path, "unicode-data"), list_path.string());
  const Annotations annotations =
      ReadEnglishAnnotations(options.unicode_folder);
  std::vector<EmojiPicture> pictures;
  for (Emoji& emoji : list) {
    pictures.push_back(MakePicture(std::move(emoji), annotations));
  }
  return pictures;
}

EmojiDataSummary WriteEmojiData(const fs::path& folder,
                                const EmojiDataOptions& options,
                                const ProgressCallback& progress) {
  EmojiPainter painter;
  const std::vector<EmojiPicture> pictures = ListEmojiPictures(options);
  const fs::path metadata_path = folder / "metadata.jsonl";
  MakeFolder(folder);
  RemoveFile(metadata_path);

  EmojiDataSummary summary;
  std::string metadata;
  int done = 0;
  for (const EmojiPicture& picture : pictures) {
    if (const auto image = painter.Draw(ToUtf8(picture.emoji.sequence))) {
      WritePng(folder / picture.file_name, *image);
      metadata += MetadataLine(picture);
      ++(picture.held_out ? summary.held_out : summary.train);
    } else {
      summary.not_drawn.push_back(picture.caption);
    }
    if (progress) progress(++done, static_cast<int>(pictures.size()));
  }
  WriteFileAtomically(metadata_path, metadata);
  return summary;
}

}  // namespace keylens
