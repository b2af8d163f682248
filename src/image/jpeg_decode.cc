// jpeglib.h needs stdio.h's FILE first.
#include <cstdio>
// clang-format off
#include <jpeglib.h>
#include <jerror.h>
// clang-format on

#include <csetjmp>
#include <cstring>
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
  char damage[JMSG_LENGTH_MAX];  // the first sign of it that was passed over
  bool ended_early;              // the file has no end marker
};

[[noreturn]] void Escape(j_common_ptr jpeg) {
  auto* errors = reinterpret_cast<JpegErrors*>(jpeg->err);
  if (errors->ended_early) {
    // What else libjpeg says follows from it.
    std::strcpy(errors->message, "the file is cut short");
  } else {
    errors->base.format_message(jpeg, errors->message);
  }
  std::longjmp(errors->escape, 1);
}

// Warnings that leave the pixels whole.
bool IsHarmless(int code) {
  return code == JWRN_ADOBE_XFORM || code == JWRN_JFIF_MAJOR ||
         code == JWRN_BOGUS_ICC || code == JWRN_TOO_MUCH_DATA;
}

// Missing or damaged data libjpeg would paint over in grey: it is refused. Two
// warnings may come with whole pixels, and are judged later: bytes that nothing
// used (some cameras pad; a damaged picture has them, too, where what it lost
// was longer), and a file that ends without its end marker.
void RefuseDamage(j_common_ptr jpeg, int level) {
  const int code = jpeg->err->msg_code;
  if (level >= 0 || IsHarmless(code)) return;
  auto* errors = reinterpret_cast<JpegErrors*>(jpeg->err);
  if (code == JWRN_JPEG_EOF) {
    errors->ended_early = true;
  } else if (code != JWRN_EXTRANEOUS_DATA) {
    Escape(jpeg);
  } else if (errors->damage[0] == '\0') {
    errors->base.format_message(jpeg, errors->damage);
  }
}

void StaySilent(j_common_ptr) {}

void LimitScans(j_common_ptr jpeg) {
  auto* decoder = reinterpret_cast<j_decompress_ptr>(jpeg);
  if (decoder->input_scan_number <= kMostScans) return;
  jpeg->err->msg_code = JERR_BAD_PROGRESSION;
  Escape(jpeg);
}

// Ink becomes light. Adobe stores ink upside down, 255 is none; so do others by
// now, with or without Adobe's marker, and browsers and Pillow read every JPEG
// of four inks that way.
void RgbFromCmyk(const uint8_t* cmyk, uint8_t* rgb) {
  for (int c = 0; c < 3; ++c)
    rgb[c] = static_cast<uint8_t>((cmyk[c] * cmyk[3] + 127) / 255);
}

// Whether the scans that were read hold every coefficient of every component,
// down to its last bit.
bool HasAllData(const jpeg_decompress_struct& decoder) {
  // An arithmetic coder leaves zeros away at the end: what is missing cannot be
  // told from what was left away.
  if (decoder.arith_code != FALSE) return false;
  for (int c = 0; c < decoder.num_components; ++c) {
    // libjpeg takes the table when a component's first scan begins.
    if (decoder.comp_info[c].quant_table == nullptr) return false;
    if (decoder.progressive_mode == FALSE) continue;
    const int* bits_missing = decoder.coef_bits[c];  // -1: all
    for (int i = 0; i < DCTSIZE2; ++i) {
      if (bits_missing[i] != 0) return false;
    }
  }
  return true;
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

  Image Read(const NoteSink& note);

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
  void CheckIsWhole(const NoteSink& note) const;
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
  std::vector<uint8_t> ink_row(inks ? std::size_t{4} * image.width : 0);
  uint8_t* ink = ink_row.data();
  const std::size_t ink_pixels = ink_row.size() / 4;
  uint8_t* pixels = image.pixels.data();
  const std::size_t stride = std::size_t{1} * image.width * image.channels;
  Run([this, inks, ink, pixels, stride, ink_pixels] {
    while (decoder_.output_scanline < decoder_.output_height) {
      uint8_t* out = pixels + stride * decoder_.output_scanline;
      JSAMPROW row = inks ? ink : out;
      jpeg_read_scanlines(&decoder_, &row, 1);
      for (std::size_t x = 0; x < ink_pixels; ++x)
        RgbFromCmyk(ink + 4 * x, out + 3 * x);
    }
    // Up to the end marker. jpeg_finish_decompress would look for it as well,
    // and forget what was read.
    while (jpeg_input_complete(&decoder_) == FALSE)
      jpeg_consume_input(&decoder_);
  });
}

// Throws Error where a file that ended early lacks some of the picture.
void JpegReader::CheckIsWhole(const NoteSink& note) const {
  if (errors_.ended_early && !HasAllData(decoder_))
    throw Error(name_ +
                ": not a readable JPEG picture (the file is cut short)");
  if (!note) return;
  if (errors_.damage[0] != '\0') {
    note(name_ + ": damaged (" + errors_.damage +
         "); what it shows may be wrong");
  } else if (errors_.ended_early) {
    note(name_ + ": the end marker is missing; all of the picture is there");
  }
}

std::string_view JpegReader::ExifData() const {
  constexpr std::string_view kSignature("Exif\0\0", 6);
  for (auto* marker = decoder_.marker_list; marker != nullptr;
       marker = marker->next) {
    const std::string_view data(reinterpret_cast<const char*>(marker->data),
                                marker->data_length);
    if (marker->marker == kExifMarker && data.starts_with(kSignature))
      return data;
  }
  return {};
}

Image JpegReader::Read(const NoteSink& note) {
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
  CheckIsWhole(note);
  return ApplyOrientation(std::move(image), orientation);
}

}  // namespace

Image DecodeJpeg(std::string_view bytes, const std::string& name,
                 const NoteSink& note) {
  return JpegReader(bytes, name).Read(note);
}

}  // namespace keylens
