#include "src/text/tokenizer.h"

#include <sentencepiece_processor.h>

#include <utility>

#include "src/base/error.h"
#include "src/base/file.h"

namespace keylens {

namespace {

constexpr int64_t kMaxModelBytes = int64_t{64}
                                   << 20;  // the largest in use have some 5 MB

}  // namespace

struct Tokenizer::Impl {
  std::string name;  // of the file, for errors
  sentencepiece::SentencePieceProcessor processor;

  void Check(const sentencepiece::util::Status& status) const {
    if (!status.ok()) throw Error(name + ": " + status.error_message());
  }
};

Tokenizer::Tokenizer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Tokenizer::Tokenizer(Tokenizer&&) noexcept = default;
Tokenizer& Tokenizer::operator=(Tokenizer&&) noexcept = default;
Tokenizer::~Tokenizer() = default;

Tokenizer Tokenizer::Load(const std::filesystem::path& path) {
  return Parse(ReadFile(path, kMaxModelBytes), path.string());
}

Tokenizer Tokenizer::Parse(std::string_view bytes, const std::string& name) {
  auto impl = std::make_unique<Impl>();
  impl->name = name;
  if (!impl->processor.LoadFromSerializedProto(bytes).ok()) {
    throw Error(name + ": not a SentencePiece model that can be used");
  }
  return Tokenizer(std::move(impl));
}

std::vector<TextPiece> Tokenizer::Encode(std::string_view text) const {
  sentencepiece::ImmutableSentencePieceText encoded;
  impl_->Check(impl_->processor.Encode(text, encoded.mutable_proto()));
  std::vector<TextPiece> pieces;
  pieces.reserve(encoded.pieces_size());
  for (const auto& piece : encoded.pieces()) {
    pieces.push_back({static_cast<int32_t>(piece.id()), piece.piece(),
                      piece.begin(), piece.end()});
  }
  return pieces;
}

std::string Tokenizer::Decode(std::span<const int32_t> ids) const {
  const int32_t count = vocab_size();
  for (const int32_t id : ids) {
    if (id >= 0 && id < count) continue;
    throw Error(impl_->name + ": no piece has the id " + std::to_string(id) +
                "; there are " + std::to_string(count));
  }
  std::string text;
  impl_->Check(
      impl_->processor.Decode(std::vector<int>(ids.begin(), ids.end()), &text));
  return text;
}

int32_t Tokenizer::vocab_size() const {
  return impl_->processor.GetPieceSize();
}
int32_t Tokenizer::start_id() const { return impl_->processor.bos_id(); }
int32_t Tokenizer::end_id() const { return impl_->processor.eos_id(); }
int32_t Tokenizer::pad_id() const { return impl_->processor.pad_id(); }
int32_t Tokenizer::unknown_id() const { return impl_->processor.unk_id(); }

}  // namespace keylens
