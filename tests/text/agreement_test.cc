// The same models and texts through SentencePiece itself: pieces, ids, places
// and joined texts agree.
#include <gtest/gtest.h>
#include <sentencepiece_processor.h>
#include <sentencepiece_trainer.h>

#include <random>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "src/base/error.h"
#include "src/text/sentence_piece_tokenizer.h"
#include "tests/text/model_maker.h"
#include "tests/text/trained.h"

namespace keylens {
namespace {

using std::string_literals::operator""s;

using Flags = std::unordered_map<std::string, std::string>;

class VectorIterator : public sentencepiece::SentenceIterator {
 public:
  explicit VectorIterator(std::vector<std::string> sentences)
      : sentences_(std::move(sentences)) {}
  bool done() const override { return at_ >= sentences_.size(); }
  void Next() override { ++at_; }
  const std::string& value() const override { return sentences_[at_]; }
  sentencepiece::util::Status status() const override { return {}; }

 private:
  std::vector<std::string> sentences_;
  std::size_t at_ = 0;
};

std::string TrainedModel(Flags flags) {
  const Flags defaults = {
      {"model_type", "unigram"},     {"vocab_size", "330"},
      {"hard_vocab_limit", "false"}, {"byte_fallback", "true"},
      {"minloglevel", "3"},          {"num_threads", "1"}};
  flags.insert(defaults.begin(), defaults.end());
  VectorIterator sentences(Sentences());
  std::string model;
  const auto status =
      sentencepiece::SentencePieceTrainer::Train(flags, &sentences, &model);
  EXPECT_TRUE(status.ok()) << status.error_message();
  return model;
}

// Words of the model, characters that normalisation changes, bytes that are no
// character.
std::string RandomText(std::mt19937& random) {
  static const std::vector<std::string> parts = {"red",
                                                 "heart ",
                                                 " ",
                                                 "  ",
                                                 "Mädchen",
                                                 "Straße",
                                                 "\t",
                                                 "\n",
                                                 "a",
                                                 "\0"s,
                                                 "é",
                                                 "e\u0301",
                                                 "\uFB01",
                                                 "\u2460",
                                                 "\u2581",
                                                 "日本",
                                                 "😀",
                                                 "\xFF",
                                                 "\xED\xA0\x80",
                                                 "\xE2\x82",
                                                 "\u00A0",
                                                 "\u200B",
                                                 "½",
                                                 "A",
                                                 "<s>",
                                                 "<0x41>",
                                                 "\u1100\u1161",
                                                 "①②",
                                                 "grün",
                                                 "\uFDFA",
                                                 "…",
                                                 "\x01"};
  std::string text;
  for (auto count = random() % 12; count > 0; --count)
    text += parts[random() % parts.size()];
  return text;
}

struct Agreement : testing::TestWithParam<Flags> {};

void ExpectSamePieces(const Tokenizer& ours,
                      const sentencepiece::SentencePieceProcessor& theirs,
                      const std::string& text) {
  const auto pieces = ours.Encode(text);
  const auto encoded = theirs.EncodeAsImmutableProto(text);
  const auto expected = encoded.pieces();  // views of it
  ASSERT_EQ(pieces.size(), expected.size()) << testing::PrintToString(text);
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    ASSERT_EQ(pieces[i].id, static_cast<int32_t>(expected[i].id()))
        << testing::PrintToString(text);
    ASSERT_EQ(pieces[i].text, expected[i].piece());
    ASSERT_EQ(pieces[i].begin, expected[i].begin())
        << testing::PrintToString(text);
    ASSERT_EQ(pieces[i].end, expected[i].end()) << testing::PrintToString(text);
  }
}

TEST_P(Agreement, PiecesAndPlaces) {
  const std::string model = TrainedModel(GetParam());
  const SentencePieceTokenizer ours =
      SentencePieceTokenizer::Parse(model, "model");
  sentencepiece::SentencePieceProcessor theirs;
  ASSERT_TRUE(theirs.LoadFromSerializedProto(model).ok());
  EXPECT_EQ(ours.vocab_size(), theirs.GetPieceSize());
  EXPECT_EQ(ours.start_id(), theirs.bos_id());
  EXPECT_EQ(ours.end_id(), theirs.eos_id());
  EXPECT_EQ(ours.pad_id(), theirs.pad_id());
  EXPECT_EQ(ours.unknown_id(), theirs.unk_id());
  std::mt19937 random(11);
  for (int trial = 0; trial < 2000; ++trial) {
    ASSERT_NO_FATAL_FAILURE(ExpectSamePieces(ours, theirs, RandomText(random)));
  }
}

// Scores that training does not give: ties, and unknown characters that are
// worth their price or not.
TEST(AgreementByHand, TiesAndUnknownCharacters) {
  const std::string model =
      PieceField("<unk>", 0, 2) + PieceField("\u2581", -3) +
      PieceField("a", -2) + PieceField("b", -2) + PieceField("ab", -4) +
      PieceField("ba", -4) + PieceField("c", 9.5f) + PieceField("cd", -24.5f) +
      PieceField("e", 10.5f) + PieceField("ef", -24.5f) +
      PieceField("fe", -30, 4) + PieceField("af", -1, 5) +
      NormalizerField(CompiledMap({}));
  const SentencePieceTokenizer ours =
      SentencePieceTokenizer::Parse(model, "model");
  sentencepiece::SentencePieceProcessor theirs;
  ASSERT_TRUE(theirs.LoadFromSerializedProto(model).ok());
  std::mt19937 random(13);
  for (int trial = 0; trial < 3000; ++trial) {
    std::string text;
    for (auto count = random() % 12; count > 0; --count)
      text += "abcdef A"[random() % 8];
    ASSERT_NO_FATAL_FAILURE(ExpectSamePieces(ours, theirs, text));
  }
}

TEST_P(Agreement, JoinedTexts) {
  const std::string model = TrainedModel(GetParam());
  const SentencePieceTokenizer ours =
      SentencePieceTokenizer::Parse(model, "model");
  sentencepiece::SentencePieceProcessor theirs;
  ASSERT_TRUE(theirs.LoadFromSerializedProto(model).ok());
  std::mt19937 random(12);
  for (int trial = 0; trial < 2000; ++trial) {
    std::vector<int> ids;
    for (auto count = random() % 10; count > 0; --count) {
      // Half of them special or bytes, half any.
      ids.push_back(static_cast<int>(
          random() % (random() % 2 == 0 ? 8 : ours.vocab_size())));
    }
    ASSERT_EQ(ours.Decode(std::vector<int32_t>(ids.begin(), ids.end())),
              theirs.DecodeIds(ids))
        << testing::PrintToString(ids);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Models, Agreement,
    testing::Values(Flags{{"normalization_rule_name", "nmt_nfkc"}},
                    Flags{{"normalization_rule_name", "nmt_nfkc_cf"}},
                    Flags{{"normalization_rule_name", "identity"}},
                    Flags{{"normalization_rule_name", "nfkc"}},
                    Flags{{"byte_fallback", "false"}, {"vocab_size", "80"}},
                    Flags{{"add_dummy_prefix", "false"}},
                    Flags{{"remove_extra_whitespaces", "false"}},
                    Flags{{"remove_extra_whitespaces", "false"},
                          {"add_dummy_prefix", "false"}},
                    Flags{{"treat_whitespace_as_suffix", "true"}},
                    Flags{{"user_defined_symbols", "<mask>,rt,ﬁ,日本"}},
                    Flags{{"pad_id", "0"},
                          {"unk_id", "3"},
                          {"bos_id", "-1"},
                          {"eos_id", "1"},
                          {"unk_surface", "?"}},
                    Flags{{"control_symbols", "<a>,<b>"},
                          {"bos_piece", "<start>"}}));

TEST(Tokenizer, RefusesAModelOfAnotherKind) {
  EXPECT_THROW(SentencePieceTokenizer::Parse(
                   TrainedModel({{"model_type", "bpe"}}), "model"),
               Error);
}

}  // namespace
}  // namespace keylens
