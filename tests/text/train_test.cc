#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <string>
#include <vector>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/base/utf8.h"
#include "src/text/sentence_piece_tokenizer.h"
#include "tests/text/trained.h"

namespace keylens {
namespace {

using testing::HasSubstr;

std::string ErrorOf(const std::vector<std::string>& sentences,
                    const TokenizerTraining& training,
                    const std::filesystem::path& path) {
  try {
    TrainTokenizer(sentences, training, path);
  } catch (const Error& error) {
    EXPECT_FALSE(std::filesystem::exists(path));
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    return error.what();
  }
  std::filesystem::remove(path);
  return "trained";
}

TEST(TrainTokenizer, SameSentencesGiveTheSameBytesInSilence) {
  const auto path = TemporaryPath("model");
  testing::internal::CaptureStderr();
  TrainTokenizer(Sentences(), {.vocab_size = 400}, path);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  const std::string first = ReadFile(path);
  TrainTokenizer(Sentences(), {.vocab_size = 400}, path);
  EXPECT_EQ(ReadFile(path), first);
  EXPECT_GT(SentencePieceTokenizer::Load(path).vocab_size(), 300);
  std::filesystem::remove(path);
}

TEST(TrainTokenizer, FewSentencesGiveFewerPieces) {
  const auto path = TemporaryPath("model");
  TrainTokenizer(std::vector<std::string>{"a red heart"}, {.vocab_size = 8000},
                 path);
  const SentencePieceTokenizer tokenizer = SentencePieceTokenizer::Load(path);
  EXPECT_GT(tokenizer.vocab_size(), 4 + 256);
  EXPECT_LT(tokenizer.vocab_size(), 300);
  std::filesystem::remove(path);
}

TEST(TrainTokenizer, SaysHowManyPiecesTheCharactersNeed) {
  const std::string error =
      ErrorOf(Sentences(), {.vocab_size = 261}, TemporaryPath("model"));
  EXPECT_THAT(error, HasSubstr("Increase vocab_size"));
  EXPECT_THAT(error, testing::Not(HasSubstr(".cc(")));
}

TEST(TrainTokenizer, RefusesSizesOutOfRange) {
  for (const int32_t size : {0, -5, 2'000'000'000}) {
    EXPECT_THAT(
        ErrorOf(Sentences(), {.vocab_size = size}, TemporaryPath("model")),
        HasSubstr(std::to_string(size)));
  }
}

TEST(TrainTokenizer, RefusesSentencesWithoutText) {
  const std::vector<std::vector<std::string>> corpora = {
      {},
      {""},
      {" ", "\t\n"},
      {"\u2581"},
      {"\u2047 \u2047"},
      {"\xFF\xFE"},
      {"\u200B"},
      {std::string(70000, 'a')}};
  for (const auto& corpus : corpora) {
    EXPECT_THAT(ErrorOf(corpus, {.vocab_size = 300}, TemporaryPath("model")),
                HasSubstr("has text"));
  }
}

// The trainer ends the process where normalisation leaves it nothing, so what
// is refused beforehand must be all of that: every character alone is either
// refused or trained on.
TEST(TrainTokenizer, NeverEndsTheProcess) {
  const auto path = TemporaryPath("model");
  const SentencePieceTokenizer& tokenizer = Trained(false, true);
  for (char32_t code = 1; code < 0x11000; ++code) {
    if (code >= 0xD800 && code < 0xE000) continue;
    std::string sentence;
    AppendUtf8(code, sentence);
    const bool emptied = tokenizer.Encode(sentence).empty();
    // One in a thousand of those that leave text, and all of those that do not.
    if (!emptied && code % 1009 != 0 && code != 0x2047) continue;
    const std::string outcome = ErrorOf({sentence}, {.vocab_size = 300}, path);
    if (emptied || code == 0x2047) {
      EXPECT_THAT(outcome, HasSubstr("has text"))
          << std::hex << static_cast<uint32_t>(code);
    } else {
      EXPECT_EQ(outcome, "trained") << std::hex << static_cast<uint32_t>(code);
    }
  }
}

TEST(TrainTokenizer, TakesSentencesWithNulAndBadUtf8) {
  EXPECT_EQ(ErrorOf({std::string("a\0b", 3), "\xFFok"}, {.vocab_size = 300},
                    TemporaryPath("model")),
            "trained");
}

TEST(TrainTokenizer, AFullDiskLeavesTheOldModel) {
  const auto path = TemporaryPath("model");
  WriteFileAtomically(path, "old");
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{4096, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  EXPECT_THROW(TrainTokenizer(Sentences(), {.vocab_size = 400}, path), Error);
  setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_EQ(ReadFile(path), "old");
  std::filesystem::remove(path);
}

TEST(TrainTokenizer, NamesAFolderThatIsNotThere) {
  EXPECT_THAT(
      ErrorOf(Sentences(), {.vocab_size = 400}, "/nonexistent/folder/model"),
      HasSubstr("/nonexistent/folder"));
}

}  // namespace
}  // namespace keylens
