#include "src/text/sentence_piece_tokenizer.h"

#include <string>
#include <utility>
#include <vector>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/base/foreign_file.h"
#include "src/text/joiner.h"
#include "src/text/normalizer.h"
#include "src/text/subword_model.h"
#include "src/text/unigram.h"

namespace keylens {

namespace {

constexpr int64_t kMaxModelBytes = int64_t{64}
                                   << 20;  // the largest in use have some 5 MB

// Pieces that the user asked for are never normalised.
PieceTrie UserDefinedPieces(const SubwordModel& model) {
  std::vector<std::pair<std::string, int32_t>> strings;
  for (std::size_t id = 0; id < model.pieces.size(); ++id) {
    if (model.pieces[id].type != PieceType::kUserDefined) continue;
    strings.emplace_back(model.pieces[id].text, static_cast<int32_t>(id));
  }
  return PieceTrie(std::move(strings));
}

}  // namespace

struct SentencePieceTokenizer::Impl {
  Impl(std::string_view bytes, const std::string& file)
      : name(file),
        model(ParseSubwordModel(bytes, file)),
        normalizer(model.rules, UserDefinedPieces(model), file),
        segmenter(model) {}

  std::vector<TextPiece> PiecesOf(const NormalizedText& normalized,
                                  const std::vector<Segment>& segments) const;
  void AppendBytes(std::string_view character, std::size_t begin,
                   std::size_t end, std::vector<TextPiece>& pieces) const;

  std::string name;  // of the file, for errors
  SubwordModel model;
  Normalizer normalizer;
  UnigramSegmenter segmenter;
};

SentencePieceTokenizer::SentencePieceTokenizer(std::unique_ptr<Impl> impl)
    : impl_(std::move(impl)) {}
SentencePieceTokenizer::SentencePieceTokenizer(
    SentencePieceTokenizer&&) noexcept = default;
SentencePieceTokenizer& SentencePieceTokenizer::operator=(
    SentencePieceTokenizer&&) noexcept = default;
SentencePieceTokenizer::~SentencePieceTokenizer() = default;

SentencePieceTokenizer SentencePieceTokenizer::Load(
    const std::filesystem::path& path) {
  const std::string bytes = ReadFile(path, kMaxModelBytes);
  try {
    return Parse(bytes, path.string());
  } catch (const Error&) {
    const std::string foreign = ForeignFileText(bytes);
    if (foreign.empty()) throw;
    throw Error(path.string() + ": not a SentencePiece model but " + foreign);
  }
}

SentencePieceTokenizer SentencePieceTokenizer::Parse(std::string_view bytes,
                                                     const std::string& name) {
  return SentencePieceTokenizer(std::make_unique<Impl>(bytes, name));
}

// One piece for each byte of a character that no piece is made of; the last has
// the character's place.
void SentencePieceTokenizer::Impl::AppendBytes(
    std::string_view character, std::size_t begin, std::size_t end,
    std::vector<TextPiece>& pieces) const {
  for (std::size_t i = 0; i < character.size(); ++i) {
    const int32_t id = model.byte_ids[static_cast<uint8_t>(character[i])];
    const bool last = i + 1 == character.size();
    pieces.push_back(
        {id, model.pieces[id].text, begin, last ? end : begin, true});
  }
}

std::vector<TextPiece> SentencePieceTokenizer::Impl::PiecesOf(
    const NormalizedText& normalized,
    const std::vector<Segment>& segments) const {
  std::vector<TextPiece> pieces;
  bool after_unknown = false;
  for (const Segment& segment : segments) {
    const std::string_view part =
        std::string_view(normalized.text)
            .substr(segment.begin, segment.end - segment.begin);
    const std::size_t begin = normalized.origin[segment.begin];
    const std::size_t end = normalized.origin[segment.end];
    const bool unknown = segment.id == model.unknown_id;
    if (unknown && model.byte_fallback) {
      AppendBytes(part, begin, end, pieces);
    } else if (unknown && after_unknown) {
      pieces.back().text += part;  // unknown characters in a row are one piece
      pieces.back().end = end;
    } else {
      pieces.push_back({segment.id, std::string(part), begin, end, unknown});
    }
    after_unknown = unknown;
  }
  return pieces;
}

std::vector<TextPiece> SentencePieceTokenizer::Encode(
    std::string_view text) const {
  const NormalizedText normalized = impl_->normalizer.Normalize(text);
  return impl_->PiecesOf(normalized, impl_->segmenter.Split(normalized.text));
}

std::vector<TextPiece> SentencePieceTokenizer::EncodeSampled(
    std::string_view text, double sharpness, uint64_t seed) const {
  const NormalizedText normalized = impl_->normalizer.Normalize(text);
  return impl_->PiecesOf(
      normalized, impl_->segmenter.Sample(normalized.text, sharpness, seed));
}

std::string SentencePieceTokenizer::Decode(std::span<const int32_t> ids) const {
  const int32_t count = vocab_size();
  for (const int32_t id : ids) {
    if (id >= 0 && id < count) continue;
    throw Error(impl_->name + ": no piece has the id " + std::to_string(id) +
                "; there are " + std::to_string(count));
  }
  return JoinPieces(impl_->model, ids);
}

int32_t SentencePieceTokenizer::vocab_size() const {
  return static_cast<int32_t>(impl_->model.pieces.size());
}
int32_t SentencePieceTokenizer::start_id() const {
  return impl_->model.start_id;
}
int32_t SentencePieceTokenizer::end_id() const { return impl_->model.end_id; }
int32_t SentencePieceTokenizer::pad_id() const { return impl_->model.pad_id; }
int32_t SentencePieceTokenizer::unknown_id() const {
  return impl_->model.unknown_id;
}

}  // namespace keylens
