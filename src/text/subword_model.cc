#include "src/text/subword_model.h"

#include <cmath>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "src/base/error.h"
#include "src/text/protobuf_fields.h"

namespace keylens {
namespace {

// Field numbers of sentencepiece_model.proto.
namespace model_field {
constexpr uint32_t kPiece = 1, kTrainer = 2, kNormalizer = 3, kDenormalizer = 5;
}
namespace piece_field {
constexpr uint32_t kText = 1, kScore = 2, kType = 3;
}
namespace trainer_field {
constexpr uint32_t kModelType = 3, kSpaceIsSuffix = 24, kByteFallback = 35,
                   kUnknownSurface = 44, kStart = 46, kEnd = 47, kPad = 48;
}
namespace normalizer_field {
constexpr uint32_t kCharacters = 2, kAddDummyPrefix = 3, kRemoveExtraSpaces = 4,
                   kEscapeSpaces = 5;
}

constexpr uint64_t kUnigram = 1;

// Names of the special pieces, which the file gives where they are not these.
struct SpecialNames {
  std::string start = "<s>";
  std::string end = "</s>";
  std::string pad = "<pad>";
};

Piece ParsePiece(std::string_view message, const std::string& name) {
  Piece piece;
  ProtobufFields fields(message, name);
  while (fields.Next()) {
    if (fields.number() == piece_field::kText) piece.text = fields.Bytes();
    if (fields.number() == piece_field::kScore) piece.score = fields.Float();
    if (fields.number() != piece_field::kType) continue;
    const uint64_t type = fields.Integer();
    if (type < 1 || type > 6)
      throw Error(name + ": a piece of the unknown type " +
                  std::to_string(type));
    piece.type = static_cast<PieceType>(type);
  }
  if (piece.text.empty())
    throw Error(name + ": not a SentencePiece model (a piece without text)");
  if (!std::isfinite(piece.score))
    throw Error(name + ": a piece whose score is no number");
  return piece;
}

void ParseTrainer(std::string_view message, const std::string& name,
                  SubwordModel& model, SpecialNames& special) {
  ProtobufFields fields(message, name);
  while (fields.Next()) {
    switch (fields.number()) {
      case trainer_field::kModelType:
        if (fields.Integer() != kUnigram) {
          throw Error(name +
                      ": a SentencePiece model that is not of the unigram "
                      "kind, the only one that is read");
        }
        break;
      case trainer_field::kSpaceIsSuffix:
        model.rules.space_is_suffix = fields.Boolean();
        break;
      case trainer_field::kByteFallback:
        model.byte_fallback = fields.Boolean();
        break;
      case trainer_field::kUnknownSurface:
        model.unknown_surface = fields.Bytes();
        break;
      case trainer_field::kStart:
        special.start = fields.Bytes();
        break;
      case trainer_field::kEnd:
        special.end = fields.Bytes();
        break;
      case trainer_field::kPad:
        special.pad = fields.Bytes();
        break;
      default:
        break;
    }
  }
}

void ParseNormalizer(std::string_view message, const std::string& name,
                     NormalizationRules& rules) {
  ProtobufFields fields(message, name);
  while (fields.Next()) {
    if (fields.number() == normalizer_field::kCharacters)
      rules.characters = fields.Bytes();
    if (fields.number() == normalizer_field::kAddDummyPrefix)
      rules.add_dummy_prefix = fields.Boolean();
    if (fields.number() == normalizer_field::kRemoveExtraSpaces)
      rules.remove_extra_spaces = fields.Boolean();
    if (fields.number() == normalizer_field::kEscapeSpaces)
      rules.escape_spaces = fields.Boolean();
  }
}

// Joining would have to change the text by it.
void RefuseDenormalizer(std::string_view message, const std::string& name) {
  NormalizationRules rules;
  ParseNormalizer(message, name, rules);
  if (!rules.characters.empty())
    throw Error(
        name +
        ": a SentencePiece model with a denormaliser, which is not read");
}

// "<0x41>"
bool IsByteText(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  return text.size() == 6 && text.starts_with("<0x") && text.ends_with('>') &&
         text.substr(3, 2).find_first_not_of(kDigits) == std::string_view::npos;
}

using IdsByText = std::unordered_map<std::string_view, int32_t>;

IdsByText IndexPieces(SubwordModel& model, const std::string& name) {
  IdsByText ids;
  for (std::size_t id = 0; id < model.pieces.size(); ++id) {
    const Piece& piece = model.pieces[id];
    if (!ids.emplace(piece.text, static_cast<int32_t>(id)).second) {
      throw Error(name + ": not a SentencePiece model (a piece given twice)");
    }
    if (piece.type == PieceType::kByte && !IsByteText(piece.text)) {
      throw Error(
          name +
          ": not a SentencePiece model (a byte that is spelled otherwise)");
    }
    if (piece.type != PieceType::kUnknown) continue;
    if (model.unknown_id >= 0)
      throw Error(name + ": not a SentencePiece model (two unknown pieces)");
    model.unknown_id = static_cast<int32_t>(id);
  }
  if (model.unknown_id < 0)
    throw Error(name + ": not a SentencePiece model (no unknown piece)");
  return ids;
}

int32_t ControlId(const SubwordModel& model, const IdsByText& ids,
                  std::string_view text) {
  const auto found = ids.find(text);
  const bool is_control =
      found != ids.end() &&
      model.pieces[found->second].type == PieceType::kControl;
  return is_control ? found->second : -1;
}

void FindBytePieces(SubwordModel& model, const IdsByText& ids,
                    const std::string& name) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  for (int byte = 0; byte < 256; ++byte) {
    std::string text = "<0x";
    text += kDigits[byte / 16];
    text += kDigits[byte % 16];
    const auto found = ids.find(text + ">");
    if (found == ids.end() ||
        model.pieces[found->second].type != PieceType::kByte) {
      throw Error(name +
                  ": a SentencePiece model that falls back on bytes, without a "
                  "piece for each byte");
    }
    model.byte_ids.push_back(found->second);
  }
}

}  // namespace

SubwordModel ParseSubwordModel(std::string_view bytes,
                               const std::string& name) {
  SubwordModel model;
  SpecialNames special;
  ProtobufFields fields(bytes, name);
  while (fields.Next()) {
    switch (fields.number()) {
      case model_field::kPiece:
        model.pieces.push_back(ParsePiece(fields.Bytes(), name));
        break;
      case model_field::kTrainer:
        ParseTrainer(fields.Bytes(), name, model, special);
        break;
      case model_field::kNormalizer:
        ParseNormalizer(fields.Bytes(), name, model.rules);
        break;
      case model_field::kDenormalizer:
        RefuseDenormalizer(fields.Bytes(), name);
        break;
      default:
        break;
    }
  }
  const IdsByText ids = IndexPieces(model, name);
  model.start_id = ControlId(model, ids, special.start);
  model.end_id = ControlId(model, ids, special.end);
  model.pad_id = ControlId(model, ids, special.pad);
  if (model.byte_fallback) FindBytePieces(model, ids, name);
  return model;
}

}  // namespace keylens
