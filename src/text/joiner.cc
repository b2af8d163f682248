#include "src/text/joiner.h"

#include <string_view>

#include "src/base/utf8.h"

namespace keylens {
namespace {

std::string WithSpaces(std::string_view piece) {
  std::string text;
  for (std::size_t at = 0; at < piece.size();) {
    const bool space = piece.substr(at).starts_with(kSpaceSymbol);
    text.push_back(space ? ' ' : piece[at]);
    at += space ? kSpaceSymbol.size() : 1;
  }
  return text;
}

// Collects a text from pieces.
class Joiner {
 public:
  explicit Joiner(const SubwordModel& model) : model_(model) {}

  void Add(int32_t id) {
    const Piece& piece = model_.pieces[id];
    if (piece.type == PieceType::kByte) {
      bytes_.push_back(ByteOf(piece.text));
      return;
    }
    FinishBytes();
    if (dropped_space_ || !text_.empty()) at_start_ = false;
    dropped_space_ = false;
    if (piece.type == PieceType::kUnknown) {
      text_ += model_.unknown_surface;
    } else if (piece.type != PieceType::kControl) {
      AddText(piece.text);
    }
  }

  std::string Finish() {
    FinishBytes();
    return std::move(text_);
  }

 private:
  // The value of "<0xAB>".
  static char ByteOf(const std::string& piece) {
    return static_cast<char>(std::stoi(piece.substr(3, 2), nullptr, 16));
  }

  // Bytes in a row are characters as far as they are UTF-8.
  void FinishBytes() {
    text_ += ToValidUtf8(bytes_);
    bytes_.clear();
  }

  // The space that normalising put before a text is none of the text.
  void AddText(std::string_view piece) {
    const bool adds_space =
        model_.rules.add_dummy_prefix || model_.rules.remove_extra_spaces;
    if (at_start_ && adds_space && piece.starts_with(kSpaceSymbol)) {
      piece.remove_prefix(kSpaceSymbol.size());
      // Where spaces are removed, all that lead are.
      dropped_space_ = !model_.rules.remove_extra_spaces;
    }
    text_ += WithSpaces(piece);
  }

  const SubwordModel& model_;
  std::string text_;
  std::string bytes_;
  bool at_start_ = true;
  bool dropped_space_ = false;
};

}  // namespace

std::string JoinPieces(const SubwordModel& model,
                       std::span<const int32_t> ids) {
  Joiner joiner(model);
  for (const int32_t id : ids) joiner.Add(id);
  return joiner.Finish();
}

}  // namespace keylens
