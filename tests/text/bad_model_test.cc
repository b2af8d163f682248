// Models put together by hand: one that is right, and all that may be wrong
// with it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "src/base/error.h"
#include "src/text/sentence_piece_tokenizer.h"
#include "tests/text/model_maker.h"

namespace keylens {
namespace {

using std::string_literals::operator""s;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

std::vector<int32_t> Ids(const Tokenizer& tokenizer, const std::string& text) {
  std::vector<int32_t> ids;
  for (const TextPiece& piece : tokenizer.Encode(text)) ids.push_back(piece.id);
  return ids;
}

std::string ErrorOf(const std::string& bytes) {
  try {
    SentencePieceTokenizer::Parse(bytes, "m.model");
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), StartsWith("m.model: "));
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    return error.what();
  }
  ADD_FAILURE() << "was read";
  return "";
}

TEST(SmallModel, IsRead) {
  const SentencePieceTokenizer tokenizer = SentencePieceTokenizer::Parse(
      SmallPieces() + NormalizerField(CompiledMap({})), "m.model");
  EXPECT_EQ(tokenizer.vocab_size(), 6);
  EXPECT_EQ(tokenizer.start_id(), 1);
  EXPECT_EQ(tokenizer.end_id(), -1);
  // "ab" scores -4, "a" and "b" together -4.5; "A" becomes "a".
  EXPECT_THAT(Ids(tokenizer, "ab"), ElementsAre(2, 5));
  EXPECT_THAT(Ids(tokenizer, "Ab ba"), ElementsAre(2, 5, 2, 4, 3));
  EXPECT_EQ(tokenizer.Decode(std::vector<int32_t>{2, 5, 2, 0}), "ab  \u2047 ");
}

// At the end of a field the rest is a smaller model; anywhere else it is none.
TEST(BadModel, CutShortAnywhereIsNoticedOrSmaller) {
  const std::string whole = SmallPieces() + NormalizerField(CompiledMap({}));
  int refused = 0;
  for (std::size_t size = 0; size < whole.size(); ++size) {
    try {
      EXPECT_LE(SentencePieceTokenizer::Parse(whole.substr(0, size), "m.model")
                    .vocab_size(),
                6);
    } catch (const Error&) {
      ++refused;
    }
  }
  EXPECT_GE(refused, static_cast<int>(whole.size()) - 7);
}

TEST(BadModel, Pieces) {
  const std::string unknown = PieceField("<unk>", 0, 2);
  EXPECT_THAT(ErrorOf(PieceField("a", 0)), HasSubstr("no unknown piece"));
  EXPECT_THAT(ErrorOf(unknown + PieceField("<unk2>", 0, 2)),
              HasSubstr("two unknown"));
  EXPECT_THAT(ErrorOf(unknown + PieceField("", 0)), HasSubstr("without text"));
  EXPECT_THAT(ErrorOf(unknown + PieceField("a", 0) + PieceField("a", -1)),
              HasSubstr("given twice"));
  EXPECT_THAT(ErrorOf(unknown +
                      PieceField("a", std::numeric_limits<float>::quiet_NaN())),
              HasSubstr("no number"));
  EXPECT_THAT(ErrorOf(unknown +
                      PieceField("a", -std::numeric_limits<float>::infinity())),
              HasSubstr("no number"));
  for (const uint64_t type : {uint64_t{0}, uint64_t{7}, ~uint64_t{0}}) {
    EXPECT_THAT(ErrorOf(unknown + PieceField("a", 0, type)),
                HasSubstr("unknown type"));
  }
  EXPECT_THAT(ErrorOf(unknown + PieceField("<0xag>", 0, 6)), HasSubstr("byte"));
  EXPECT_THAT(ErrorOf(unknown + BytesField(2, IntegerField(35, 1))),
              HasSubstr("each byte"));
}

TEST(BadModel, KindsThatAreNotRead) {
  EXPECT_THAT(ErrorOf(SmallPieces() + BytesField(2, IntegerField(3, 2))),
              HasSubstr("unigram"));
  EXPECT_THAT(ErrorOf(SmallPieces() + BytesField(5, BytesField(2, "x"))),
              HasSubstr("denormaliser"));
}

TEST(BadModel, FieldsOfTheWrongKind) {
  ErrorOf(SmallPieces() + IntegerField(1, 5));
  ErrorOf(SmallPieces() + BytesField(1, IntegerField(1, 5)));
  ErrorOf(SmallPieces() +
          BytesField(1, BytesField(1, "x") + BytesField(2, "score")));
  ErrorOf(SmallPieces() + BytesField(2, BytesField(3, "unigram")));
  ErrorOf(SmallPieces() + BytesField(3, IntegerField(2, 1)));
  ErrorOf(SmallPieces() + "\x0B");            // a group
  ErrorOf(SmallPieces() + "\x00"s + "\x01");  // field 0
  ErrorOf(SmallPieces() +
          std::string(11, '\xFF'));  // a number of more than 64 bits
  ErrorOf(SmallPieces() +
          "\x0A\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x7F");  // 2^63 bytes
}

TEST(BadModel, MapsOfCharactersThatLie) {
  const auto model = [](const SmallMap& map) {
    return SmallPieces() + NormalizerField(CompiledMap(map));
  };
  for (const uint32_t trie_bytes :
       {0u, 3u, 67u * 4 + 2, 0x7FFFFFFCu, 0xFFFFFFFCu}) {
    EXPECT_THAT(ErrorOf(model({.trie_bytes = trie_bytes})),
                HasSubstr("map of characters"))
        << trie_bytes;
  }
  EXPECT_THAT(ErrorOf(model({.strings = "a"})), HasSubstr("map of characters"));
  EXPECT_THAT(ErrorOf(model({.strings = ""})), HasSubstr("map of characters"));
  EXPECT_THAT(ErrorOf(model({.strings = std::string(300, 'a') + '\0'})),
              HasSubstr("map of characters"));
  for (const std::string& map :
       {"x"s, "\0\0\0\0"s, "\4\0\0\0"s, "\4\0\0\0abcd"s}) {
    EXPECT_THAT(ErrorOf(SmallPieces() + NormalizerField(map)),
                HasSubstr("map of characters"));
  }
}

// Places inside the map are looked at when a text leads there: a wrong one
// leads nowhere.
TEST(BadModel, PlacesOutsideTheMapLeadNowhere) {
  const std::vector<SmallMap> maps = {
      {.unit_of_a = 0x41 | 1u << 8 | 0xFFFFFC00u},
      {.unit_of_a = 0x41 | 1u << 8 | 1u << 9 | 0xFFFFFC00u},
      {.leaf = 0xFFFFFFFFu},
      {.leaf = 1u << 31 | 2}};
  for (const SmallMap& map : maps) {
    const auto tokenizer = SentencePieceTokenizer::Parse(
        SmallPieces() + NormalizerField(CompiledMap(map)), "m.model");
    EXPECT_THAT(Ids(tokenizer, "Ab"), ElementsAre(2, 0, 4));
  }
}

}  // namespace
}  // namespace keylens
