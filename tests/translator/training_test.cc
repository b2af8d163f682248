// Training the translator, on sentences of a small grammar.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "languages/german_english/variety/german_english_variety.h"
#include "src/base/error.h"
#include "src/base/file.h"
#include "src/checkpoint/safetensors.h"
#include "systems/translator/model/model_folder.h"
#include "systems/translator/training/greedy.h"
#include "systems/translator/training/train.h"
#include "tests/translator/tiny_translator.h"

namespace keylens::translator {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

// Held out are subjects with predicates that never met in training: words that
// were only learnt by heart would not do.
TEST(TranslatorTrainingTest, LearnsToPutPhrasesTogether) {
  const TestFolder folder("grammar");
  WriteGrammar(folder.path());
  TrainingRun run = TinyRun(folder.path(), folder.path() / "run", 400);
  const train::TrainingResult result = TrainTranslator(run);
  EXPECT_EQ(result.examples, 400 * 150);
  ModelFolder trained = ReadModelFolder(folder.path() / "run/model");
  std::vector<std::string> sources, references;
  for (const SentencePair& pair : GrammarPairs(/*held_out=*/true)) {
    sources.push_back(pair.source);
    references.push_back(pair.target);
  }
  const std::vector<std::string> translations = TranslateGreedily(
      *ReadModule(folder.path() / "run/model"), trained.tokenizer, sources);
  int right = 0;
  for (std::size_t i = 0; i < sources.size(); ++i)
    right += translations[i] == references[i] ? 1 : 0;
  EXPECT_GE(right, 4) << ::testing::PrintToString(translations);
  const auto score =
      nlohmann::json::parse(ReadFile(folder.path() / "run/validation.jsonl"));
  EXPECT_EQ(score["step"], 400);
  EXPECT_GT(score["chrf"], 50);
  EXPECT_TRUE(fs::exists(folder.path() / "run/best/model.safetensors"));
  EXPECT_THAT(ReadFile(folder.path() / "run/samples/0000400.txt"),
              HasSubstr("= " + references[0]));
}

// Every weight, moment and average of the checkpoint.
std::string StateOf(const fs::path& run) {
  const Safetensors file = Safetensors::Read(run / "checkpoint.safetensors");
  std::string bytes;
  for (const NamedTensor& tensor : file.tensors()) {
    bytes += tensor.name;
    bytes.append(reinterpret_cast<const char*>(tensor.bytes.data()),
                 tensor.bytes.size());
  }
  return bytes;
}

TEST(TranslatorTrainingTest, ThreeStepsAndThreeMoreAreSix) {
  const TestFolder folder("resume");
  WriteGrammar(folder.path());
  const auto run = [&](const std::string& name, int64_t steps, bool resume) {
    TrainingRun training = TinyRun(folder.path(), folder.path() / name, steps);
    training.trainer.schedule.decay_share = 0;
    training.training.subword_sharpness = 0.5;
    training.training.variety = german_english::VarietyOf({0.5, 0.3});
    training.trainer.resume = resume;
    // The run knows its own.
    if (resume) training.training.config = TranslatorConfig();
    training.trainer.seed.reset();
    if (!resume) training.trainer.seed = 7;
    TrainTranslator(training);
    return StateOf(folder.path() / name);
  };
  const std::string whole = run("whole", 6, false);
  EXPECT_NE(run("parts", 3, false), whole);
  EXPECT_EQ(run("parts", 6, true), whole);
}

// The weights of an exported model.
std::string WeightsOf(const fs::path& run) {
  return ReadFile(run / "model/model.safetensors");
}

TEST(TranslatorTrainingTest, StartsWithTheModelThatItIsGiven) {
  const TestFolder folder("from");
  WriteGrammar(folder.path());
  TrainTranslator(TinyRun(folder.path(), folder.path() / "first", 5));
  TrainingRun run = TinyRun(folder.path(), folder.path() / "second", 1);
  run.training.from = folder.path() / "first/model";
  run.training.config = TranslatorConfig();    // the model says what it is
  run.trainer.schedule.learning_rate = 1e-12;  // it learns nothing
  TrainTranslator(run);
  EXPECT_EQ(WeightsOf(folder.path() / "second"),
            WeightsOf(folder.path() / "first"));
  EXPECT_EQ(ReadFile(folder.path() / "second/model/spiece.model"),
            ReadFile(folder.path() / "first/model/spiece.model"));
  // Going on needs the first model no more.
  fs::remove_all(folder.path() / "first");
  run.trainer.resume = true;
  run.trainer.steps = 2;
  EXPECT_EQ(TrainTranslator(run).steps, 2);
}

TEST(TranslatorTrainingTest, NamesTheModelThatIsNotThere) {
  const TestFolder folder("from_nothing");
  WriteGrammar(folder.path());
  TrainingRun run = TinyRun(folder.path(), folder.path() / "run", 1);
  run.training.from = folder.path() / "nothing";
  try {
    TrainTranslator(run);
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("nothing: no such model folder"));
  }
}

class TaskTest : public ::testing::Test {
 protected:
  TaskTest() : folder_("task") {
    WriteGrammar(folder_.path());
    const TrainingRun run = TinyRun(folder_.path(), folder_.path(), 1);
    const ParallelText text = ReadParallelText(folder_.path());
    TrainVocabulary(text.train, run.training.config.vocab_size,
                    folder_.path() / "spiece.model");
    task_ = std::make_unique<TranslatorTask>(
        text, folder_.path() / "spiece.model", run.training, folder_.path());
  }

  TestFolder folder_;
  std::unique_ptr<TranslatorTask> task_;
};

TEST_F(TaskTest, SharesOfABatchAreItsSentencesInOrder) {
  const PackedPairs all = task_->MakeBatch({3, 5, 150, 0, 150});
  const PackedPairs first = task_->MakeBatch({3, 5, 150, 0, 60});
  const PackedPairs rest = task_->MakeBatch({3, 5, 150, 60, 90});
  EXPECT_GT(first.target_offsets.size(), 1u);
  EXPECT_GT(rest.target_offsets.size(), 1u);
  const auto joined = [](const torch::Tensor& a, const torch::Tensor& b) {
    return torch::cat({a, b});
  };
  EXPECT_TRUE(joined(first.source_ids, rest.source_ids).equal(all.source_ids));
  EXPECT_TRUE(joined(first.target_ids, rest.target_ids).equal(all.target_ids));
  EXPECT_TRUE(joined(first.next_ids, rest.next_ids).equal(all.next_ids));
  EXPECT_TRUE(
      joined(first.target_keys, rest.target_keys).equal(all.target_keys));
  EXPECT_EQ(all.source_offsets.size(), all.target_offsets.size());
  EXPECT_EQ(all.source_offsets.back(), all.source_ids.size(0));
}

// Sentences are joined alike however a batch is shared out.
TEST_F(TaskTest, SharesOfAVariedBatchAreItsSentencesInOrder) {
  TrainingRun run = TinyRun(folder_.path(), folder_.path(), 1);
  run.training.variety = german_english::VarietyOf({0.5, 0.8});
  TranslatorTask task(ReadParallelText(folder_.path()),
                      folder_.path() / "spiece.model", run.training,
                      folder_.path());
  for (const int64_t first : {1, 20, 60, 75, 149}) {
    const PackedPairs all = task.MakeBatch({3, 5, 150, 0, 150});
    const PackedPairs one = task.MakeBatch({3, 5, 150, 0, first});
    const PackedPairs two = task.MakeBatch({3, 5, 150, first, 150 - first});
    EXPECT_TRUE(
        torch::cat({one.source_ids, two.source_ids}).equal(all.source_ids));
    EXPECT_TRUE(torch::cat({one.next_ids, two.next_ids}).equal(all.next_ids));
    EXPECT_FALSE(
        all.next_ids.equal(task_->MakeBatch({3, 5, 150, 0, 150}).next_ids));
  }
}

// The trainer weighs a share by its part of the batch.
TEST_F(TaskTest, LossesOfSharesAddUpToTheLossOfTheBatch) {
  const torch::NoGradGuard no_grad;
  const auto model = task_->MakeModel();
  const double whole = task_->Loss(*model, {3, 5, 150, 0, 150}).item<double>();
  const double parts =
      task_->Loss(*model, {3, 5, 150, 0, 60}).item<double>() * 60 / 150 +
      task_->Loss(*model, {3, 5, 150, 60, 90}).item<double>() * 90 / 150;
  EXPECT_NEAR(parts, whole, 1e-5);
  EXPECT_NEAR(whole, std::log(400), 1.5);  // nothing is learnt yet
}

TEST_F(TaskTest, ATargetFollowsItsSentenceByOneToken) {
  const PackedPairs pairs = task_->MakeBatch({1, 0, 150, 0, 150});
  const SentencePieceTokenizer tokenizer =
      SentencePieceTokenizer::Load(folder_.path() / "spiece.model");
  for (std::size_t s = 0; s + 1 < pairs.target_offsets.size(); ++s) {
    const int64_t begin = pairs.target_offsets[s];
    const int64_t end = pairs.target_offsets[s + 1];
    EXPECT_EQ(pairs.target_ids[begin].item<int64_t>(), tokenizer.start_id());
    EXPECT_EQ(pairs.next_ids[end - 1].item<int64_t>(), tokenizer.end_id());
    EXPECT_TRUE(pairs.target_ids.slice(0, begin + 1, end)
                    .equal(pairs.next_ids.slice(0, begin, end - 1)));
  }
}

TEST(TranslatorTrainingTest, StopsWhenSamplesGetNoBetter) {
  const TestFolder folder("patience");
  WriteGrammar(folder.path());
  TrainingRun run = TinyRun(folder.path(), folder.path() / "run", 1000);
  run.trainer.schedule.learning_rate = 1e-12;  // it learns nothing
  run.trainer.sample_seconds = 1e-3;           // after every step
  run.training.patience = 3;
  const train::TrainingResult result = TrainTranslator(run);
  EXPECT_LT(result.steps, 100);
  EXPECT_FALSE(result.interrupted);
}

std::vector<int64_t> StepsOfSamples(const fs::path& run) {
  std::vector<int64_t> steps;
  std::istringstream lines(ReadFile(run / "validation.jsonl"));
  for (std::string line; std::getline(lines, line);)
    steps.push_back(nlohmann::json::parse(line).at("step"));
  return steps;
}

// A sitting that was killed has left samples of steps after its checkpoint.
TEST(TranslatorTrainingTest, SamplesOfALostSittingDoNotCount) {
  const TestFolder folder("lost");
  WriteGrammar(folder.path());
  const fs::path out = folder.path() / "run";
  TrainTranslator(TinyRun(folder.path(), out, 3));
  const std::vector<int64_t> before = StepsOfSamples(out);
  WriteFileAtomically(out / "validation.jsonl",
                      ReadFile(out / "validation.jsonl") +
                          "{\"step\":4,\"chrf\":99.0,\"bleu\":99.0}\n"
                          "{\"step\":5,\"chrf\":0.0,\"bleu\":0.0}\n{\"st");
  TrainingRun run = TinyRun(folder.path(), out, 1000);
  run.trainer.resume = true;
  run.trainer.schedule.learning_rate = 1e-12;
  run.trainer.sample_seconds = 1e-3;
  run.training.patience = 3;
  TrainTranslator(run);
  const std::vector<int64_t> after = StepsOfSamples(out);
  ASSERT_GT(after.size(), before.size());
  EXPECT_TRUE(std::is_sorted(after.begin(), after.end()));
  EXPECT_THAT(ReadFile(out / "validation.jsonl"),
              ::testing::Not(HasSubstr("99.0")));
}

TEST(TranslatorTrainingTest, ASentenceTooLongForTheModelIsLeftOut) {
  const TestFolder folder("long");
  WriteGrammar(folder.path());
  std::string rows = ReadFile(folder.path() / "train.tsv") + "x";
  for (int i = 0; i < 200; ++i) rows += " y z";
  WriteFileAtomically(folder.path() / "train.tsv", rows + "\tx\n");
  TrainingRun run = TinyRun(folder.path(), folder.path() / "run", 1);
  std::string note;
  run.note = [&](const std::string& line) { note += line; };
  TrainTranslator(run);
  EXPECT_THAT(note, HasSubstr("30 pairs to train on, 1 too long"));
}

}  // namespace
}  // namespace keylens::translator
