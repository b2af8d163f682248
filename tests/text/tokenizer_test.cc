#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/base/utf8.h"
#include "src/text/sentence_piece_tokenizer.h"
#include "tests/text/trained.h"

namespace keylens {
namespace {

using std::string_literals::operator""s;
using testing::HasSubstr;

std::vector<int32_t> Ids(const std::vector<TextPiece>& pieces) {
  std::vector<int32_t> ids;
  for (const TextPiece& piece : pieces) ids.push_back(piece.id);
  return ids;
}

std::string RoundTrip(const Tokenizer& tokenizer, std::string_view text) {
  return tokenizer.Decode(Ids(tokenizer.Encode(text)));
}

// Ranges in order, within the text, and at the edges of its characters.
void ExpectRangesAreSound(std::string_view text,
                          const std::vector<TextPiece>& pieces) {
  std::vector<bool> edge(text.size() + 1, false);
  edge[text.size()] = true;
  for (std::size_t at = 0; at < text.size(); at += DecodeUtf8(text, at).length)
    edge[at] = true;
  std::size_t last = 0;
  for (const TextPiece& piece : pieces) {
    ASSERT_LE(last, piece.begin);
    ASSERT_LE(piece.begin, piece.end);
    ASSERT_LE(piece.end, text.size());
    ASSERT_TRUE(edge[piece.begin] && edge[piece.end])
        << testing::PrintToString(std::string(text));
    last = piece.end;
  }
}

TEST(Tokenizer, GivesEachPieceItsBytes) {
  const std::string text = "a  red Mädchen";
  const auto pieces = Trained(false, true).Encode(text);
  ExpectRangesAreSound(text, pieces);
  for (const TextPiece& piece : pieces) {
    std::string spelled = piece.text;
    const std::string bytes = text.substr(piece.begin, piece.end - piece.begin);
    const bool spaced = spelled.starts_with("\u2581");
    if (spaced) spelled.erase(0, 3);
    const std::size_t letters = bytes.find_first_not_of(' ');
    EXPECT_EQ(spelled,
              letters == std::string::npos ? "" : bytes.substr(letters));
    EXPECT_EQ(piece.begin != 0 && spaced, bytes.starts_with(' ')) << bytes;
  }
}

TEST(Tokenizer, RangesOfATextThatNormalisationChanges) {
  // fi ligature, a decomposed letter, a full-width letter, a no-break space,
  // tabs.
  for (const bool lowercase : {false, true}) {
    const std::string text = "\uFB01n e\u0301\u00A0\uFF21B\t\t c\u00BD";
    ExpectRangesAreSound(text, Trained(lowercase, true).Encode(text));
  }
}

TEST(Tokenizer, RangesOfAnyBytes) {
  std::mt19937 random(7);
  const std::string alphabet =
      "ab \t\n\0\xC3\xA4\xE2\x96\x81\xF0\x9F\x98\x80\xFF\xED\xA0\x80\xCC\x81\xEF\xAC\x81"s;
  for (int trial = 0; trial < 3000; ++trial) {
    std::string text;
    for (auto length = random() % 24; length > 0; --length)
      text.push_back(alphabet[random() % alphabet.size()]);
    const auto pieces = Trained(trial % 2 == 0, true).Encode(text);
    ExpectRangesAreSound(text, pieces);
    for (const TextWord& word : WordsOf(text, pieces)) {
      ASSERT_LE(word.first_piece, word.last_piece);
      ASSERT_LE(word.last_piece, pieces.size());
    }
  }
}

TEST(Tokenizer, TextComesBack) {
  for (const std::string text :
       {"a red heart", "Das Mädchen läuft über die Straße", "日本 heart 😀",
        "<s> </s> <0x41>"}) {
    EXPECT_EQ(RoundTrip(Trained(false, true), text), text);
  }
  EXPECT_EQ(RoundTrip(Trained(false, true), "  two   spaces "), "two spaces");
  EXPECT_EQ(RoundTrip(Trained(true, true), "A RED Heart Ä"), "a red heart ä");
  EXPECT_EQ(RoundTrip(Trained(false, true), ""), "");
}

TEST(Tokenizer, NothingIsUnknownWithBytesToFallBackOn) {
  for (const TextPiece& piece :
       Trained(false, true).Encode("日本 ☃ 😀 \u0416")) {
    EXPECT_NE(piece.id, Trained(false, true).unknown_id());
  }
  const auto without = Trained(false, false).Encode("☃");
  ASSERT_FALSE(without.empty());
  EXPECT_EQ(without.back().id, Trained(false, false).unknown_id());
  EXPECT_EQ(without.back().end, 3u);
}

TEST(Tokenizer, FoldsCaseWhereAsked) {
  EXPECT_EQ(Ids(Trained(true, true).Encode("A Red HEART ÄPFEL")),
            Ids(Trained(true, true).Encode("a red heart äpfel")));
  EXPECT_NE(Ids(Trained(false, true).Encode("A Red HEART")),
            Ids(Trained(false, true).Encode("a red heart")));
}

TEST(Tokenizer, SpecialIdsAreFixed) {
  const SentencePieceTokenizer& tokenizer = Trained(false, true);
  EXPECT_EQ(tokenizer.pad_id(), 0);
  EXPECT_EQ(tokenizer.unknown_id(), 1);
  EXPECT_EQ(tokenizer.start_id(), 2);
  EXPECT_EQ(tokenizer.end_id(), 3);
  EXPECT_EQ(tokenizer.Decode(std::vector<int32_t>{2, 3, 0}), "");
  for (const TextPiece& piece : tokenizer.Encode("<s> </s> <pad>"))
    EXPECT_GT(piece.id, 3);
}

TEST(Tokenizer, RefusesIdsOfNoPiece) {
  const SentencePieceTokenizer& tokenizer = Trained(false, true);
  for (const int32_t id : {-1, tokenizer.vocab_size(), 1 << 30}) {
    EXPECT_THROW(tokenizer.Decode(std::vector<int32_t>{4, id}), Error) << id;
  }
}

void ExpectLoadFails(const std::filesystem::path& path,
                     const std::string& what) {
  try {
    SentencePieceTokenizer::Load(path);
    FAIL() << "loaded";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr(path.string()));
    EXPECT_THAT(error.what(), HasSubstr(what));
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
  }
}

TEST(Tokenizer, RefusesWhatIsNoModel) {
  const auto path = TemporaryPath("model");
  ExpectLoadFails(path, "no such file");
  for (const std::string& bytes :
       {""s, "hello, this is text\n"s, "\x0A\xFF\xFF\xFF\xFF\x0F"s,
        std::string(10000, '\0')}) {
    WriteFileAtomically(path, bytes);
    testing::internal::CaptureStderr();
    ExpectLoadFails(path, "not a SentencePiece model");
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  }
  std::filesystem::remove(path);
}

TEST(Tokenizer, SaysWhatAnotherFileIs) {
  const auto path = TemporaryPath("model");
  WriteFileAtomically(path, "version https://git-lfs.github.com/spec/v1\n");
  ExpectLoadFails(path, "Git LFS pointer");
  std::filesystem::remove(path);
}

TEST(Tokenizer, RefusesAModelCutShort) {
  const auto path = TemporaryPath("model");
  TrainTokenizer(Sentences(), {.vocab_size = 350}, path);
  const std::string whole = ReadFile(path);
  for (const std::size_t size :
       {std::size_t{1}, std::size_t{100}, whole.size() / 2, whole.size() - 1}) {
    WriteFileAtomically(path, whole.substr(0, size));
    ExpectLoadFails(path, "not a SentencePiece model");
  }
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace keylens
