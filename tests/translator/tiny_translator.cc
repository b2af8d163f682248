#include "tests/translator/tiny_translator.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <utility>

#include "src/base/file.h"
#include "systems/translator/model/model_folder.h"
#include "systems/translator/training/model_files.h"

namespace keylens::translator {
namespace {

namespace fs = std::filesystem;

using Phrases = std::vector<std::pair<std::string, std::string>>;

const Phrases& Subjects() {
  static const Phrases subjects = {
      {"Der Hund", "The dog"},    {"Die Katze", "The cat"},
      {"Das Pferd", "The horse"}, {"Mein Bruder", "My brother"},
      {"Seine Frau", "His wife"}, {"Unser Lehrer", "Our teacher"}};
  return subjects;
}

const Phrases& Predicates() {
  static const Phrases predicates = {
      {"schläft.", "is sleeping."},
      {"trinkt kaltes Wasser.", "drinks cold water."},
      {"ist heute müde.", "is tired today."},
      {"hat dich gesehen.", "has seen you."},
      {"mag keinen Regen.", "does not like rain."},
      {"wartet vor dem Haus.", "is waiting in front of the house."}};
  return predicates;
}

std::string Rows(bool held_out) {
  std::string rows;
  for (const SentencePair& pair : GrammarPairs(held_out)) {
    rows += pair.target + "\t" + pair.source + "\tgrammar\n";
  }
  return rows;
}

}  // namespace

TestFolder::TestFolder(const std::string& name)
    : path_(fs::path(::testing::TempDir()) /
            ("keylens_translator_" + name + "_" + std::to_string(getpid()))) {
  fs::remove_all(path_);
  fs::create_directories(path_);
}

TestFolder::~TestFolder() { fs::remove_all(path_); }

std::vector<SentencePair> GrammarPairs(bool held_out) {
  std::vector<SentencePair> pairs;
  for (std::size_t i = 0; i < Subjects().size(); ++i) {
    for (std::size_t j = 0; j < Predicates().size(); ++j) {
      // Each subject and each predicate is held out once.
      if (((i + j) % Subjects().size() == 0) != held_out) continue;
      const auto& [german, english] = Subjects()[i];
      pairs.push_back({german + " " + Predicates()[j].first,
                       english + " " + Predicates()[j].second});
    }
  }
  return pairs;
}

void WriteGrammar(const fs::path& folder) {
  WriteFileAtomically(folder / "train.tsv", Rows(false));
  WriteFileAtomically(folder / "valid.tsv", Rows(true));
}

TranslatorModel ReadModule(const fs::path& folder) {
  TranslatorModel model(ReadModelFolder(folder).config);
  LoadWeights(*model, folder);
  model->eval();
  return model;
}

TrainingRun TinyRun(const fs::path& data, const fs::path& out, int64_t steps) {
  TrainingRun run;
  run.data = data;
  TranslatorConfig& config = run.training.config;
  config.vocab_size = 400;
  config.hidden_size = 32;
  config.num_heads = 4;
  config.mlp_size = 64;
  config.encoder_layers = 2;
  config.decoder_layers = 1;
  config.max_tokens = 64;
  run.training.dropout = 0.1;
  run.trainer.out = out;
  run.trainer.steps = steps;
  run.trainer.batch = 150;
  run.trainer.workers = 2;
  run.trainer.schedule = {
      .learning_rate = 5e-3, .warmup_steps = 30, .decay_share = 0.5};
  run.trainer.average_decay = 0.9;
  run.trainer.metrics_steps = 10;
  run.note = [](const std::string&) {};
  return run;
}

}  // namespace keylens::translator
