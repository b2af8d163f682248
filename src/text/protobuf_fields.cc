#include "src/text/protobuf_fields.h"

#include <bit>
#include <cstring>

#include "src/base/error.h"

namespace keylens {

static_assert(std::endian::native == std::endian::little,
              "protobuf's numbers are little-endian");

void ProtobufFields::Fail() const {
  throw Error(name_ + ": not a SentencePiece model (damaged or cut short)");
}

uint64_t ProtobufFields::TakeVarint() {
  uint64_t value = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    const auto byte = static_cast<uint8_t>(Take(1)[0]);
    value |= static_cast<uint64_t>(byte & 0x7F) << shift;
    if (byte < 0x80) return value;
  }
  Fail();
}

std::string_view ProtobufFields::Take(uint64_t count) {
  if (count > rest_.size()) Fail();
  const std::string_view taken = rest_.substr(0, count);
  rest_.remove_prefix(count);
  return taken;
}

bool ProtobufFields::Next() {
  if (rest_.empty()) return false;
  const uint64_t key = TakeVarint();
  if (key >> 3 == 0 || key >> 3 > 0x1FFFFFFF) Fail();
  number_ = static_cast<uint32_t>(key >> 3);
  wire_ = static_cast<Wire>(key & 7);
  switch (wire_) {
    case Wire::kVarint:
      integer_ = TakeVarint();
      return true;
    case Wire::kFixed64:
      bytes_ = Take(8);
      return true;
    case Wire::kBytes:
      bytes_ = Take(TakeVarint());
      return true;
    case Wire::kFixed32:
      bytes_ = Take(4);
      return true;
  }
  Fail();  // groups, which no model has
}

uint64_t ProtobufFields::Integer() const {
  if (wire_ != Wire::kVarint) Fail();
  return integer_;
}

float ProtobufFields::Float() const {
  if (wire_ != Wire::kFixed32) Fail();
  float value;
  std::memcpy(&value, bytes_.data(), sizeof(value));
  return value;
}

std::string_view ProtobufFields::Bytes() const {
  if (wire_ != Wire::kBytes) Fail();
  return bytes_;
}

}  // namespace keylens
