#include <png.h>

#include <algorithm>
#include <csetjmp>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include "src/base/error.h"
#include "src/base/utf8.h"
#include "src/image/codecs.h"

namespace keylens {
namespace {

constexpr png_alloc_size_t kMaxChunkBytes =
    png_alloc_size_t{16} << 20;           // unpacked; pixels are no such chunk
constexpr png_uint_32 kMaxChunks = 1000;  // of text, and of kinds not known

// What libpng's callbacks see. Plain data: longjmp may leave any frame that
// uses it.
struct PngSource {
  const char* bytes;
  std::size_t size;
  std::size_t at;
  char message[160];
};

void ReadBytes(png_structp png, png_bytep out, std::size_t count) {
  auto* source = static_cast<PngSource*>(png_get_io_ptr(png));
  if (count > source->size - source->at)
    png_error(png, "the file is cut short");
  std::memcpy(out, source->bytes + source->at, count);
  source->at += count;
}

void KeepMessage(png_structp png, png_const_charp message) {
  auto* source = static_cast<PngSource*>(png_get_error_ptr(png));
  std::strncpy(source->message, message, sizeof(source->message) - 1);
  png_longjmp(png, 1);
}

void IgnoreWarning(png_structp, png_const_charp) {}

// Runs `step`, calls into libpng; false when libpng gave up. libpng reports
// errors by longjmp, which skips destructors: a step owns nothing that has one,
// and nothing that needs one lives in this frame.
template <typename Step>
[[gnu::noinline]] bool Guarded(png_structp png, const Step& step) {
  if (setjmp(png_jmpbuf(png)) != 0) return false;
  step();
  return true;
}

std::size_t BigEndian(std::string_view bytes) {
  std::size_t value = 0;
  for (const char byte : bytes)
    value = value << 8 | static_cast<unsigned char>(byte);
  return value;
}

// Throws Error where a chunk says that it is longer than the rest of the file:
// libpng would take that much memory before it looked.
void CheckChunkLengths(std::string_view bytes, const std::string& name) {
  constexpr std::size_t kFrameBytes = 12;  // length, type and checksum
  std::size_t at = 8;                      // after the signature
  while (at < bytes.size()) {
    const std::size_t left = bytes.size() - at;
    const bool framed = left >= kFrameBytes;
    const std::size_t length = framed ? BigEndian(bytes.substr(at, 4)) : 0;
    if (!framed || length > left - kFrameBytes) {
      throw Error(name +
                  ": not a readable PNG picture (the file is cut short)");
    }
    if (bytes.substr(at + 4, 4) == "IEND") return;
    at += kFrameBytes + length;
  }
}

class PngReader {
 public:
  PngReader(std::string_view bytes, const std::string& name)
      : name_(name), source_{bytes.data(), bytes.size(), 0, {}} {
    png_ = png_create_read_struct(PNG_LIBPNG_VER_STRING, &source_, KeepMessage,
                                  IgnoreWarning);
    if (png_ != nullptr) info_ = png_create_info_struct(png_);
    if (info_ == nullptr) {
      png_destroy_read_struct(&png_, nullptr, nullptr);
      throw Error(name + ": libpng cannot be started");
    }
  }
  ~PngReader() { png_destroy_read_struct(&png_, &info_, nullptr); }
  PngReader(const PngReader&) = delete;
  PngReader& operator=(const PngReader&) = delete;

  Image Read();
  PngText Text() const;
  int Orientation() const;

 private:
  template <typename Step>
  void Run(const Step& step) {
    if (!Guarded(png_, step)) throw Error(name_ + ": " + Reason());
  }
  std::string Reason() const;
  void ReadHeader();
  void CheckDataCanFill() const;
  void AskForEightBits();

  const std::string& name_;
  PngSource source_;
  png_structp png_ = nullptr;
  png_infop info_ = nullptr;
};

std::string PngReader::Reason() const {
  return "not a readable PNG picture (" + std::string(source_.message) + ")";
}

void PngReader::ReadHeader() {
  Run([this] {
    png_set_read_fn(png_, &source_, ReadBytes);
    // Sizes are judged by CheckPictureSize, which says what to do about them.
    png_set_user_limits(png_, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_chunk_malloc_max(png_, kMaxChunkBytes);
    png_set_chunk_cache_max(png_, kMaxChunks);
    png_read_info(png_, info_);
  });
  CheckPictureSize(png_get_image_width(png_, info_),
                   png_get_image_height(png_, info_), name_);
  CheckDataCanFill();
}

// Deflate makes at most 1032 bytes of one, so a file that is smaller than that
// cannot hold its picture; refusing it here keeps the memory taken in
// proportion to the file.
void PngReader::CheckDataCanFill() const {
  constexpr uint64_t kMostBytesFromOne = 1032;
  const uint64_t row_bits = uint64_t{png_get_image_width(png_, info_)} *
                            png_get_bit_depth(png_, info_) *
                            png_get_channels(png_, info_);
  const uint64_t needed = (row_bits / 8) * png_get_image_height(png_, info_);
  if (needed / kMostBytesFromOne > source_.size) {
    throw Error(name_ + ": not a readable PNG picture (the file is cut short)");
  }
}

void PngReader::AskForEightBits() {
  const bool transparent = png_get_valid(png_, info_, PNG_INFO_tRNS) != 0;
  const int color = png_get_color_type(png_, info_);
  png_set_expand(
      png_);  // palettes to RGB, fewer than 8 bits to 8, tRNS to alpha
  png_set_scale_16(png_);  // rounds, where png_set_strip_16 would cut
  const bool grey = (color & PNG_COLOR_MASK_COLOR) == 0;
  if (grey && (transparent || (color & PNG_COLOR_MASK_ALPHA) != 0))
    png_set_gray_to_rgb(png_);
}

Image PngReader::Read() {
  ReadHeader();
  int passes = 1;
  Run([this, &passes] {
    AskForEightBits();
    passes = png_set_interlace_handling(png_);
    png_read_update_info(png_, info_);
  });
  Image image;
  image.width = static_cast<int>(png_get_image_width(png_, info_));
  image.height = static_cast<int>(png_get_image_height(png_, info_));
  image.channels = png_get_channels(png_, info_);
  const std::size_t stride = png_get_rowbytes(png_, info_);
  image.pixels.resize(stride * image.height);
  uint8_t* pixels = image.pixels.data();
  Run([this, &image, pixels, stride, passes] {
    for (int pass = 0; pass < passes; ++pass) {
      for (int y = 0; y < image.height; ++y)
        png_read_row(png_, pixels + stride * y, nullptr);
    }
    png_read_end(png_, info_);
  });
  return image;
}

std::string Utf8FromLatin1(std::string_view latin1) {
  std::string utf8;
  for (const char c : latin1) AppendUtf8(static_cast<unsigned char>(c), utf8);
  return utf8;
}

PngText PngReader::Text() const {
  png_textp chunks = nullptr;
  int count = 0;
  png_get_text(png_, info_, &chunks, &count);
  PngText text;
  for (int i = 0; i < count; ++i) {
    const bool international =
        chunks[i].compression >= PNG_ITXT_COMPRESSION_NONE;
    const std::size_t length =
        international ? chunks[i].itxt_length : chunks[i].text_length;
    const std::string_view value(
        chunks[i].text == nullptr ? "" : chunks[i].text, length);
    text.emplace_back(
        Utf8FromLatin1(chunks[i].key),
        international ? ToValidUtf8(value) : Utf8FromLatin1(value));
  }
  return text;
}

int PngReader::Orientation() const {
  png_uint_32 size = 0;
  png_bytep exif = nullptr;
  if (png_get_eXIf_1(png_, info_, &size, &exif) == 0) return 1;
  return ExifOrientation({reinterpret_cast<const char*>(exif), size});
}

}  // namespace

Image DecodePng(std::string_view bytes, const std::string& name,
                PngText* text) {
  CheckChunkLengths(bytes, name);
  PngReader reader(bytes, name);
  Image image = reader.Read();
  if (text != nullptr) *text = reader.Text();
  return ApplyOrientation(std::move(image), reader.Orientation());
}

}  // namespace keylens
