// jpeglib.h needs stdio.h's FILE first.
#include <cstdio>
// clang-format off
#include <jpeglib.h>
#include <jerror.h>
// clang-format on

#include <csetjmp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "src/base/error.h"
#include "src/image/codecs.h"

namespace keylens {
namespace {

constexpr int kExifMarker = JPEG_APP0 + 1;
// A progressive file may ask for the whole picture to be passed over again in a
// few bytes; encoders write 10 or so scans.
constexpr int kMostScans = 200;

// libjpeg's error manager with the way out. Plain data: longjmp may leave any
// frame that uses it.
struct JpegErrors {
  jpeg_error_mgr base;  // first, so that libjpeg's pointer is this one's
  std::jmp_buf escape;
  char message[JMSG_LENGTH_MAX];
};

[[noreturn]] void Escape(j_common_ptr jpeg) {
  auto* errors = reinterpret_cast<JpegErrors*>(jpeg->err);
  errors->base.format_message(jpeg, errors->message);
  std::longjmp(errors->escape, 1);
}

// Warnings that leave the pixels whole. All others tell of missing or damaged
// data, which libjpeg would paint over in grey.
bool IsHarmless(int code) {
  return code == JWRN_EXTRANEOUS_DATA || code == JWRN_ADOBE_XFORM ||
         code == JWRN_JFIF_MAJOR || code == JWRN_BOGUS_ICC ||
         code == JWRN_TOO_MUCH_DATA;
}

void RefuseDamage(j_common_ptr jpeg, int level) {
  if (level < 0 && !IsHarmless(jpeg->err->msg_code)) Escape(jpeg);
}

void StaySilent(j_common_ptr) {}

void LimitScans(j_common_ptr jpeg) {
  auto* decoder = reinterpret_cast<j_decompress_ptr>(jpeg);
  if (decoder->input_scan_number <= kMostScans) return;
  jpeg->err->msg_code = JERR_BAD_PROGRESSION;
  Escape(jpeg);
}

// Ink as Adobe writes it is upside down: 255 is none. Both become light here.
void RgbFromCmyk(const uint8_t* cmyk, bool inverted, uint8_t* rgb) {
  const int black = inverted ? cmyk[3] : 255 - cmyk[3];
  for (int c = 0; c < 3; ++c) {
    const int light = inverted ? cmyk[c] : 255 - cmyk[c];
    rgb[c] = static_cast<uint8_t>((light * black + 127) / 255);
  }
}

class JpegReader {
 public:
  JpegReader(std::string_view bytes, const std::string& name)
      : bytes_(bytes), name_(name) {
    decoder_.err = jpeg_std_error(&errors_.base);
    errors_.base.error_exit = Escape;
    errors_.base.emit_message = RefuseDamage;
    errors_.base.output_message = StaySilent;
    progress_.progress_monitor = LimitScans;
  }
  // A struct that was never created holds a null memory manager, which
  // libjpeg's destroy allows for.
  ~JpegReader() { jpeg_destroy_decompress(&decoder_); }
  JpegReader(const JpegReader&) = delete;
  JpegReader& operator=(const JpegReader&) = delete;

  Image Read();

 private:
  // Runs `step`, calls into libjpeg. libjpeg's errors longjmp back here,
  // skipping destructors: a step owns nothing that has one.
  template <typename Step>
  void Run(const Step& step) {
    if (!Guarded(step))
      throw Error(name_ + ": not a readable JPEG picture (" + errors_.message +
                  ")");
  }
  template <typename Step>
  [[gnu::noinline]] bool Guarded(const Step& step) {
    if (setjmp(errors_.escape) != 0) return false;
    step();
    return true;
  }
  void ReadHeader();
  void ReadRows(Image& image);
  std::string_view ExifData() const;

  std::string_view bytes_;
  const std::string& name_;
  jpeg_decompress_struct decoder_{};
  jpeg_progress_mgr progress_{};
  JpegErrors errors_{};
};

void JpegReader::ReadHeader() {
  Run([this] {
    jpeg_create_decompress(&decoder_);
    decoder_.progress = &progress_;
    jpeg_mem_src(&decoder_,
                 reinterpret_cast<const unsigned char*>(bytes_.data()),
                 bytes_.size());
    jpeg_save_markers(&decoder_, kExifMarker, 0xFFFF);
    jpeg_read_header(&decoder_, TRUE);
  });
  CheckPictureSize(decoder_.image_width, decoder_.image_height, name_);
}

// Rows go straight into the picture; those of four inks through a row of their
// own.
void JpegReader::ReadRows(Image& image) {
  const bool inks = decoder_.out_color_space == JCS_CMYK;
  const bool inverted = decoder_.saw_Adobe_marker != FALSE;
  std::vector<uint8_t> ink_row(inks ? std::size_t{4} * image.width : 0);
  uint8_t* ink = ink_row.data();
  const std::size_t ink_pixels = ink_row.size() / 4;
  uint8_t* pixels = image.pixels.data();
  const std::size_t stride = std::size_t{1} * image.width * image.channels;
  Run([this, inks, inverted, ink, pixels, stride, ink_pixels] {
    while (decoder_.output_scanline < decoder_.output_height) {
      uint8_t* out = pixels + stride * decoder_.output_scanline;
      JSAMPROW row = inks ? ink : out;
      jpeg_read_scanlines(&decoder_, &row, 1);
      for (std::size_t x = 0; x < ink_pixels; ++x)
        RgbFromCmyk(ink + 4 * x, inverted, out + 3 * x);
    }
    jpeg_finish_decompress(&decoder_);
  });
}

std::string_view JpegReader::ExifData() const {
  constexpr std::string_view kSignature("Exif\0\0", 6);
  for (auto* marker = decoder_.marker_list; marker != nullptr;
       marker = marker->next) {
    const std::string_view data(reinterpret_cast<const char*>(marker->data),
                                marker->data_length);
    if (marker->marker == kExifMarker && data.starts_with(kSignature))
      return data.substr(kSignature.size());
  }
  return {};
}

Image JpegReader::Read() {
  ReadHeader();
  Run([this] {
    const auto space = decoder_.jpeg_color_space;
    const bool inks = space == JCS_CMYK || space == JCS_YCCK;
    if (space != JCS_GRAYSCALE)
      decoder_.out_color_space = inks ? JCS_CMYK : JCS_RGB;
    decoder_.dct_method = JDCT_ISLOW;
    jpeg_start_decompress(&decoder_);
  });
  Image image;
  image.width = static_cast<int>(decoder_.output_width);
  image.height = static_cast<int>(decoder_.output_height);
  image.channels = decoder_.out_color_space == JCS_GRAYSCALE ? 1 : 3;
  image.pixels.resize(std::size_t{1} * image.width * image.height *
                      image.channels);
  const int orientation = ExifOrientation(ExifData());
  ReadRows(image);
  return ApplyOrientation(std::move(image), orientation);
}

}  // namespace

Image DecodeJpeg(std::string_view bytes, const std::string& name) {
  return JpegReader(bytes, name).Read();
}

}  // namespace keylens
