#include <string>
#include <string_view>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/base/foreign_file.h"
#include "src/image/codecs.h"
#include "src/image/image.h"

namespace keylens {
namespace {

constexpr int64_t kMaxFileBytes = int64_t{1} << 29;

bool IsPng(std::string_view bytes) {
  return bytes.starts_with("\x89PNG\r\n\x1A\n");
}
bool IsJpeg(std::string_view bytes) {
  return bytes.starts_with("\xFF\xD8\xFF");
}
bool IsWebp(std::string_view bytes) {
  return bytes.starts_with("RIFF") && bytes.substr(4).size() >= 8 &&
         bytes.substr(8, 4) == "WEBP";
}

}  // namespace

void CheckPictureSize(int64_t width, int64_t height, const std::string& name) {
  if (width > 0 && height > 0 && width <= kMaxPixels / height) return;
  const std::string size =
      std::to_string(width) + " x " + std::to_string(height);
  if (width <= 0 || height <= 0)
    throw Error(name + ": a picture of " + size + " pixels");
  throw Error(name + ": " + size + " pixels are more than the " +
              std::to_string(kMaxPixels) +
              " that are read; scale the picture down first");
}

Image DecodeImage(std::string_view bytes, const std::string& name,
                  const NoteSink& note) {
  if (IsPng(bytes)) return DecodePng(bytes, name, nullptr);
  if (IsJpeg(bytes)) return DecodeJpeg(bytes, name, note);
  if (IsWebp(bytes)) return DecodeWebp(bytes, name);
  if (bytes.empty()) throw Error(name + ": the file is empty");
  const std::string foreign = ForeignFileText(bytes);
  throw Error(name + ": not a PNG, JPEG or WebP picture" +
              (foreign.empty() ? "" : " but " + foreign));
}

Image ReadImage(const std::filesystem::path& path, const NoteSink& note) {
  return DecodeImage(ReadFile(path, kMaxFileBytes), path.string(), note);
}

PngText ReadPngText(const std::filesystem::path& path) {
  const std::string bytes = ReadFile(path, kMaxFileBytes);
  if (!IsPng(bytes)) throw Error(path.string() + ": not a PNG picture");
  PngText text;
  DecodePng(bytes, path.string(), &text);
  return text;
}

}  // namespace keylens
