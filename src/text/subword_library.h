#ifndef KEYLENS_SRC_TEXT_SUBWORD_LIBRARY_H_
#define KEYLENS_SRC_TEXT_SUBWORD_LIBRARY_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "src/text/tokenizer.h"

namespace keylens {

// A SentencePiece model; see Tokenizer.
class SubwordModel {
 public:
  virtual ~SubwordModel() = default;
  virtual std::vector<TextPiece> Encode(std::string_view text) const = 0;
  virtual std::string Decode(std::span<const int32_t> ids) const = 0;
  virtual int32_t vocab_size() const = 0;
  virtual int32_t start_id() const = 0;
  virtual int32_t end_id() const = 0;
  virtual int32_t pad_id() const = 0;
  virtual int32_t unknown_id() const = 0;
};

// What is used of libsentencepiece.
//
// Debian's libsentencepiece brings the code of an older protobuf of its own,
// under the names that libtorch's protobuf has: linked into one program, each
// calls functions of the other, and the program ends before main. So this
// library is a module, loaded at run time, whose symbols see their own
// libraries first (RTLD_DEEPBIND) and are seen by nobody.
class SubwordLibrary {
 public:
  virtual ~SubwordLibrary() = default;

  // Throws Error, starting with `name`.
  virtual std::unique_ptr<SubwordModel> Parse(
      std::string_view bytes, const std::string& name) const = 0;

  // The bytes of a model. `flags` are SentencePieceTrainer's. Throws Error,
  // starting with `name`.
  virtual std::string Train(
      std::span<const std::string> sentences,
      const std::unordered_map<std::string, std::string>& flags,
      const std::string& name) const = 0;
};

// The module's library, loaded on the first call. Throws Error when the module
// is not found beside the program, or below ../lib/keylens of an installed one.
const SubwordLibrary& LoadedSubwordLibrary();

}  // namespace keylens

#endif  // KEYLENS_SRC_TEXT_SUBWORD_LIBRARY_H_
