#ifndef KEYLENS_SRC_TEXT_PROTOBUF_FIELDS_H_
#define KEYLENS_SRC_TEXT_PROTOBUF_FIELDS_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace keylens {

// The fields of one protobuf message, one after the other
// (https://protobuf.dev/programming-guides/encoding).
class ProtobufFields {
 public:
  // Views `message`. Errors start with `name`.
  ProtobufFields(std::string_view message, const std::string& name)
      : rest_(message), name_(name) {}

  // The next field; false after the last. Throws Error where the bytes are no
  // message.
  bool Next();

  // Of the field that Next found. A value asked for as what it is not gives
  // Error.
  uint32_t number() const { return number_; }
  uint64_t Integer() const;  // a varint
  bool Boolean() const { return Integer() != 0; }
  float Float() const;             // 32 bits
  std::string_view Bytes() const;  // text, bytes or a message

 private:
  enum class Wire : uint32_t {
    kVarint = 0,
    kFixed64 = 1,
    kBytes = 2,
    kFixed32 = 5
  };

  [[noreturn]] void Fail() const;
  uint64_t TakeVarint();
  std::string_view Take(uint64_t count);

  std::string_view rest_;
  const std::string& name_;
  uint32_t number_ = 0;
  Wire wire_ = Wire::kVarint;
  uint64_t integer_ = 0;
  std::string_view bytes_;
};

}  // namespace keylens

#endif  // KEYLENS_SRC_TEXT_PROTOBUF_FIELDS_H_
