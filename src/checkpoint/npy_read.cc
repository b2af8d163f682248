#include <algorithm>
#include <bit>
#include <string>
#include <string_view>
#include <utility>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/checkpoint/header_text.h"
#include "src/checkpoint/npy.h"
#include "src/checkpoint/npy_header.h"

namespace keylens {
namespace {

static_assert(std::endian::native == std::endian::little,
              "the files are little-endian");

constexpr int64_t kMaxFileBytes = int64_t{1} << 36;
constexpr std::size_t kMaxHeaderText = std::size_t{1} << 16;
constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::string_view kZipMagic = "PK";

// The little-endian number of `size` bytes.
std::size_t NumberAt(std::string_view bytes, std::size_t at, std::size_t size) {
  std::size_t number = 0;
  for (std::size_t i = size; i-- > 0;)
    number = number << 8 | static_cast<unsigned char>(bytes[at + i]);
  return number;
}

// Magic, version, and the length of the header's text: 2 bytes in version 1, 4
// from then on.
std::string_view HeaderText(std::string_view file, const std::string& name) {
  if (file.starts_with(kZipMagic)) {
    throw Error(name +
                ": an archive of arrays (npz); save each array by itself with "
                "numpy.save");
  }
  constexpr std::size_t kVersionEnd = 8;
  if (!file.starts_with(kMagic) || file.size() < kVersionEnd)
    throw Error(name + ": not an npy file");
  const int version = static_cast<unsigned char>(file[kMagic.size()]);
  if (version < 1 || version > 3) {
    throw Error(name + ": npy format " + std::to_string(version) +
                ", where 1 to 3 are read");
  }
  const std::size_t length_bytes = version == 1 ? 2 : 4;
  const std::size_t begin = kVersionEnd + length_bytes;
  if (file.size() < begin) throw Error(name + ": cut short in its npy header");
  const std::size_t length = NumberAt(file, kVersionEnd, length_bytes);
  if (length > kMaxHeaderText)
    throw Error(name + ": an npy header of " + std::to_string(length) +
                " bytes, where " + std::to_string(kMaxHeaderText) +
                " are read at most");
  if (length > file.size() - begin)
    throw Error(name + ": cut short in its npy header");
  return file.substr(begin, length);
}

ElementType TypeOf(const std::string& descr, const std::string& name) {
  // bfloat16 as ml_dtypes has it saved.
  static constexpr std::pair<std::string_view, ElementType> kTypes[] = {
      {"<f8", ElementType::kFloat64},  {"<f4", ElementType::kFloat32},
      {"<f2", ElementType::kFloat16},  {"<V2", ElementType::kBFloat16},
      {"|V2", ElementType::kBFloat16}, {"<i8", ElementType::kInt64},
      {"<i4", ElementType::kInt32},    {"|u1", ElementType::kUInt8},
      {"|b1", ElementType::kBool}};
  const auto* found =
      std::find_if(std::begin(kTypes), std::end(kTypes),
                   [&](const auto& type) { return type.first == descr; });
  if (found != std::end(kTypes)) return found->second;
  std::string remedy = "; save it as float32, int32 or bool with .astype";
  if (descr.starts_with('>')) {
    remedy = ", which is big-endian; save it with .astype(" +
             QuotedName(std::string("<").append(descr, 1)) + ")";
  } else if (descr.starts_with("|O")) {
    remedy = ", which are Python objects" + remedy;
  }
  throw Error(name + ": elements of type " + QuotedName(descr) + remedy);
}

std::vector<int64_t> StridesOf(const NpyHeader& header) {
  const std::size_t rank = header.shape.size();
  std::vector<int64_t> strides(rank, 0);
  // Without elements, the other axes may be of any length.
  if (std::ranges::count(header.shape, 0) > 0) return strides;
  int64_t stride = 1;
  for (std::size_t i = 0; i < rank; ++i) {
    const std::size_t axis = header.fortran_order ? i : rank - 1 - i;
    strides[axis] = stride;
    stride *= header.shape[axis];
  }
  return strides;
}

void CheckBooleans(std::span<const std::byte> bytes, const std::string& name) {
  const bool good = std::all_of(bytes.begin(), bytes.end(),
                                [](std::byte b) { return b <= std::byte{1}; });
  if (!good) throw Error(name + ": a boolean that is neither 0 nor 1");
}

}  // namespace

NpyArray NpyArray::Parse(std::string bytes, const std::string& name) {
  NpyArray array;
  array.file_ = std::move(bytes);
  const std::string_view text = HeaderText(array.file_, name);
  const NpyHeader header = ParseNpyHeader(text, name);
  array.type_ = TypeOf(header.descr, name);
  array.shape_ = header.shape;
  array.data_at_ =
      static_cast<std::size_t>(text.data() + text.size() - array.file_.data());
  const int64_t needed = DenseBytes(array.type_, array.shape_);
  if (needed < 0)
    throw Error(name + ": the impossible shape " + ShapeText(array.shape_));
  const auto there = static_cast<int64_t>(array.file_.size() - array.data_at_);
  if (there != needed) {
    throw Error(name + ": " + std::to_string(there) + " bytes of data for " +
                std::string(NameOf(array.type_)) + " " +
                ShapeText(array.shape_) + ", which takes " +
                std::to_string(needed) +
                (there < needed ? "; the file is cut short"
                                : "; only one array is read from a file"));
  }
  array.strides_ = StridesOf(header);
  if (array.type_ == ElementType::kBool) CheckBooleans(array.bytes(), name);
  return array;
}

NpyArray NpyArray::Read(const std::filesystem::path& path) {
  return Parse(ReadFile(path, kMaxFileBytes), path.string());
}

}  // namespace keylens
