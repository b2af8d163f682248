#include "src/base/foreign_file.h"

#include <algorithm>
#include <cctype>
#include <cstddef>

#include "src/base/utf8.h"

namespace keylens {
namespace {

using std::string_view_literals::operator""sv;

struct Beginning {
  std::string_view bytes;
  std::string_view text;
};

constexpr Beginning kBeginnings[] = {
    {"version https://git-lfs.github.com/"sv,
     "a Git LFS pointer, not the file itself; fetch it with `git lfs pull`"sv},
    {"version https://hawser.github.com/"sv,
     "a Git LFS pointer, not the file itself; fetch it with `git lfs pull`"sv},
    {"PK\x03\x04"sv,
     "a zip archive, as torch.save and numpy.savez write; save the weights as "
     "safetensors"sv},
    {"PK\x05\x06"sv, "an empty zip archive"sv},
    {"\x93NUMPY"sv, "a numpy file (npy)"sv},
    {"\x89HDF\r\n"sv,
     "an HDF5 file, as Keras writes; save the weights as safetensors"sv},
    {"GGUF"sv, "a GGUF file; the safetensors of the model are needed"sv},
    {"\x1F\x8B"sv, "compressed by gzip; unpack it first"sv},
    {"\x28\xB5\x2F\xFD"sv, "compressed by zstd; unpack it first"sv},
    {"\xFD\x37zXZ"sv, "compressed by xz; unpack it first"sv},
    {"BZh"sv, "compressed by bzip2; unpack it first"sv},
    {"\x7F"
     "ELF"sv,
     "a program"sv},
    {"%PDF"sv, "a PDF document"sv},
    {"\x89PNG"sv, "a PNG picture"sv},
    {"\xFF\xD8\xFF"sv, "a JPEG picture"sv},
};

// A pickle of protocol 2 to 5: the mark, the number, then an opcode. What
// torch.save wrote before it wrote zip archives starts so.
bool IsPickle(std::string_view bytes) {
  return bytes.size() > 2 && bytes[0] == '\x80' && bytes[1] >= 2 &&
         bytes[1] <= 5 &&
         "cX(]}\x8A\x95"sv.find(bytes[2]) != std::string_view::npos;
}

bool StartsWithWord(std::string_view text, std::string_view lower_case) {
  return text.size() >= lower_case.size() &&
         std::equal(lower_case.begin(), lower_case.end(), text.begin(),
                    [](char want, char c) {
                      return want ==
                             std::tolower(static_cast<unsigned char>(c));
                    });
}

// Without a byte order mark and white space.
std::string_view TextOf(std::string_view bytes) {
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  if (bytes.starts_with(kMark)) bytes.remove_prefix(kMark.size());
  const std::size_t first = bytes.find_first_not_of(" \t\r\n");
  return first == std::string_view::npos ? "" : bytes.substr(first);
}

bool LooksLikeText(std::string_view bytes) {
  constexpr std::size_t kLooked = 64;
  // A character may be cut at the end of what is looked at.
  const std::string_view start = bytes.substr(0, kLooked);
  return std::ranges::all_of(start,
                             [](char c) {
                               const auto byte = static_cast<unsigned char>(c);
                               return byte >= 0x20
                                          ? byte != 0x7F
                                          : byte == '\n' || byte == '\r' ||
                                                byte == '\t';
                             }) &&
         (bytes.size() > kLooked || IsUtf8(start));
}

}  // namespace

std::string ForeignFileText(std::string_view bytes) {
  if (bytes.empty()) return "an empty file";
  for (const Beginning& beginning : kBeginnings) {
    if (bytes.starts_with(beginning.bytes)) return std::string(beginning.text);
  }
  if (IsPickle(bytes)) {
    return "a Python pickle, as torch.save wrote before 2020; save the weights "
           "as safetensors";
  }
  const std::string_view text = TextOf(bytes);
  for (const std::string_view start :
       {"<!doctype html"sv, "<html"sv, "<head"sv}) {
    if (StartsWithWord(text, start))
      return "a web page, saved in place of the file; download the file itself";
  }
  if (text.starts_with("<?xml") || text.starts_with("<Error"))
    return "an XML text, perhaps a server's message saved in place of the file";
  constexpr std::size_t kTar = 257;
  if (bytes.size() > kTar && bytes.substr(kTar).starts_with("ustar"))
    return "a tar archive; unpack it first";
  if (LooksLikeText(bytes)) return "a text";
  return "";
}

}  // namespace keylens
