#include <png.h>

#include <csetjmp>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/base/utf8.h"
#include "src/image/check_image.h"
#include "src/image/image.h"

namespace keylens {
namespace {

constexpr std::size_t kMaxKeyBytes = 79;  // by the PNG specification

// Where libpng's bytes go. Out of memory is noted here rather than thrown
// through libpng's frames.
struct PngSink {
  std::string* bytes;
  char message[160];
};

void AppendBytes(png_structp png, png_bytep data, std::size_t count) {
  auto* sink = static_cast<PngSink*>(png_get_io_ptr(png));
  bool appended = true;
  try {
    sink->bytes->append(reinterpret_cast<const char*>(data), count);
  } catch (const std::bad_alloc&) {
    appended = false;
  }
  if (!appended) png_error(png, "out of memory");
}

void FlushNothing(png_structp) {}

void KeepMessage(png_structp png, png_const_charp message) {
  auto* sink = static_cast<PngSink*>(png_get_error_ptr(png));
  std::strncpy(sink->message, message, sizeof(sink->message) - 1);
  png_longjmp(png, 1);
}

void IgnoreWarning(png_structp, png_const_charp) {}

// A character that a tEXt chunk may hold: printable Latin-1, or a line feed.
bool IsPlainLatin1(char32_t code) {
  return code == '\n' || (code >= 0x20 && code < 0x7F) ||
         (code >= 0xA0 && code <= 0xFF);
}

// UTF-8 as Latin-1; nothing where a character has none.
std::optional<std::string> Latin1FromUtf8(std::string_view utf8) {
  std::string latin1;
  for (std::size_t at = 0; at < utf8.size();) {
    const Utf8Character character = DecodeUtf8(utf8, at);
    if (!IsPlainLatin1(character.code)) return std::nullopt;
    latin1.push_back(static_cast<char>(character.code));
    at += character.length;
  }
  return latin1;
}

// Valid UTF-8 without NUL, which ends a value in the file.
std::string StorableText(std::string_view value) {
  std::string storable;
  for (const char c : ToValidUtf8(value)) {
    if (c == '\0') {
      AppendUtf8(kReplacementCharacter, storable);
    } else {
      storable.push_back(c);
    }
  }
  return storable;
}

void CheckKey(std::string_view key) {
  bool good = !key.empty() && key.size() <= kMaxKeyBytes &&
              key.front() != ' ' && key.back() != ' ';
  for (const char c : key) good = good && c >= 0x20 && c < 0x7F;
  if (!good) {
    throw std::invalid_argument("EncodePng: the text key '" + std::string(key) +
                                "' is not 1 to 79 printable ASCII characters "
                                "without spaces at its ends");
  }
}

// Keys and values as libpng takes them; owns their bytes.
class TextChunks {
 public:
  explicit TextChunks(const PngText& text) {
    values_.reserve(text.size());
    for (const auto& [key, value] : text) {
      CheckKey(key);
      const std::string utf8 = StorableText(value);
      const std::optional<std::string> latin1 = Latin1FromUtf8(utf8);
      values_.push_back(latin1.value_or(utf8));
      png_text chunk{};
      chunk.compression =
          latin1 ? PNG_TEXT_COMPRESSION_NONE : PNG_ITXT_COMPRESSION_NONE;
      chunk.key = const_cast<char*>(key.c_str());  // libpng copies it
      chunk.text = values_.back().data();
      (latin1 ? chunk.text_length : chunk.itxt_length) = values_.back().size();
      chunks_.push_back(chunk);
    }
  }
  const png_text* data() const { return chunks_.data(); }
  int size() const { return static_cast<int>(chunks_.size()); }

 private:
  std::vector<std::string> values_;
  std::vector<png_text> chunks_;
};

int ColorType(int channels) {
  if (channels == 1) return PNG_COLOR_TYPE_GRAY;
  return channels == 3 ? PNG_COLOR_TYPE_RGB : PNG_COLOR_TYPE_RGBA;
}

void WriteAll(png_structp png, png_infop info, const Image& image,
              const TextChunks& text) {
  png_set_IHDR(png, info, image.width, image.height, 8,
               ColorType(image.channels), PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
  png_set_text(png, info, text.data(), text.size());
  png_write_info(png, info);
  const std::size_t stride = std::size_t{1} * image.width * image.channels;
  for (int y = 0; y < image.height; ++y)
    png_write_row(png, image.pixels.data() + stride * y);
  png_write_end(png, info);
}

// False when libpng gave up, by longjmp: nothing in this frame or in WriteAll
// has a destructor.
[[gnu::noinline]] bool GuardedWrite(png_structp png, png_infop info,
                                    const Image& image,
                                    const TextChunks& text) {
  if (setjmp(png_jmpbuf(png)) != 0) return false;
  WriteAll(png, info, image, text);
  return true;
}

}  // namespace

std::string EncodePng(const Image& image, const PngText& text) {
  CheckImage(image, "EncodePng");
  const TextChunks chunks(text);
  std::string bytes;
  PngSink sink{&bytes, {}};
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &sink,
                                            KeepMessage, IgnoreWarning);
  png_infop info = png == nullptr ? nullptr : png_create_info_struct(png);
  bool written = false;
  if (info != nullptr) {
    png_set_write_fn(png, &sink, AppendBytes, FlushNothing);
    // libpng's own limit, a million pixels a side, is for files that come from
    // elsewhere.
    png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    written = GuardedWrite(png, info, image, chunks);
  }
  png_destroy_write_struct(&png, &info);
  if (!written)
    throw Error(std::string("a PNG picture cannot be made: ") + sink.message);
  return bytes;
}

void WritePng(const std::filesystem::path& path, const Image& image,
              const PngText& text) {
  WriteFileAtomically(path, EncodePng(image, text));
}

}  // namespace keylens
