// keylens evaluate translator: BLEU, chrF, speed, and questions answered.

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/cli/input_failures.h"
#include "app/cli/output_guard.h"
#include "app/cli/translation_options.h"
#include "app/cli/verb.h"
#include "src/base/error.h"
#include "src/base/file.h"
#include "src/base/lines.h"
#include "systems/translator/looking/choose_heads.h"
#include "systems/translator/scores/evaluate.h"
#include "systems/translator/text/parallel_text.h"

namespace keylens::cli {
namespace {

using translator::AnswerScore;
using translator::TextScore;

struct Options {
  std::string source, reference, output, model;
  std::string alignment_pairs;
  std::vector<std::string> questions;
  bool wrong = false;
  bool json = false;
  // --rules was not given: the text is measured with the rules and without.
  bool both = false;
  translator::TranslateSettings settings;
};

// Sentences of a few words, spread over the whole text.
std::vector<translator::SentencePair> Sample(
    const std::vector<translator::SentencePair>& pairs) {
  constexpr std::size_t kPairs = 40000;
  const std::size_t stride = std::max<std::size_t>(1, pairs.size() / kPairs);
  std::vector<translator::SentencePair> sample;
  for (std::size_t i = 0; i < pairs.size(); i += stride)
    if (pairs[i].source.find(' ') != std::string::npos)
      sample.push_back(pairs[i]);
  return sample;
}

nlohmann::ordered_json ToJson(const TextScore& score) {
  return {{"lines", score.lines},
          {"bleu", score.bleu.bleu},
          {"precisions", score.bleu.precisions},
          {"brevity_penalty", score.bleu.brevity_penalty},
          {"chrf", score.chrf},
          {"source_words", score.source_words},
          {"seconds", score.seconds},
          {"words_per_second", score.words_per_second},
          {"alignment_entropy", score.alignment_entropy}};
}

nlohmann::ordered_json ToJson(const std::string& file,
                              const AnswerScore& score) {
  nlohmann::ordered_json json = {{"file", file},
                                 {"questions", score.questions},
                                 {"right", score.right},
                                 {"wrong", nlohmann::ordered_json::array()}};
  for (const translator::WrongAnswer& answer : score.wrong) {
    json["wrong"].push_back(
        {{"german", answer.german}, {"translation", answer.translation}});
  }
  return json;
}

void Print(const TextScore& score, bool rules) {
  const auto& precisions = score.bleu.precisions;
  std::cout << fmt::format(
      "rules              {}\n"
      "lines              {}\n"
      "BLEU               {:.2f}   ({:.1f}/{:.1f}/{:.1f}/{:.1f}, brevity "
      "penalty {:.3f})\n"
      "chrF2              {:.2f}\n"
      "words a second     {:.0f}   ({} words of the source in {:.2f} s)\n"
      "alignment entropy  {:.3f} nats\n",
      rules ? "on" : "off", score.lines, score.bleu.bleu, precisions[0],
      precisions[1], precisions[2], precisions[3], score.bleu.brevity_penalty,
      score.chrf, score.words_per_second, score.source_words, score.seconds,
      score.alignment_entropy);
}

void Print(const std::string& file, const AnswerScore& score, bool wrong) {
  std::cout << fmt::format("{}: {} of {} right\n", file, score.right,
                           score.questions);
  if (!wrong) return;
  for (const translator::WrongAnswer& answer : score.wrong)
    std::cout << fmt::format("  {} -> {}\n", answer.german, answer.translation);
}

void CheckOptions(const Options& options) {
  if (options.source.empty() != options.reference.empty())
    throw UsageError("--source and --reference need each other");
  if (options.source.empty() && options.questions.empty() &&
      options.alignment_pairs.empty())
    throw UsageError(
        "there is nothing to measure: give --source and --reference, or "
        "--everyday, or --choose-heads");
  if (options.source.empty() && !options.output.empty())
    throw UsageError("--output needs --source");
}

void CheckOutput(const Options& options, const std::filesystem::path& model) {
  if (options.output.empty()) return;
  OutputGuard guard;
  guard.ReadsModel(model);
  guard.Reads(options.source);
  guard.Reads(options.reference);
  for (const std::string& file : options.questions) guard.Reads(file);
  guard.Reads(options.alignment_pairs);
  guard.Writes("--output", options.output);
}

// Writes what was chosen into the model's config.json.
void ChooseHeads(const translator::Pipeline& pipeline, const Options& options,
                 nlohmann::ordered_json& json) {
  constexpr int64_t kSentences = 400;
  const auto text = translator::ReadParallelText(options.alignment_pairs);
  const translator::ChosenHeads chosen = translator::ChooseAlignmentHeads(
      pipeline, Sample(text.train), kSentences);
  translator::WriteAlignmentHeads(
      TranslatorFolder(options.model) / "config.json", chosen);
  std::string heads;
  for (const translator::AttentionHeadId& id : chosen.heads.heads) {
    heads += fmt::format(" {}.{}", id.layer, id.head);
    json["alignment"]["heads"].push_back({id.layer, id.head});
  }
  json["alignment"]["row_that_reads"] = chosen.heads.row_that_reads;
  json["alignment"]["agreement"] = chosen.agreement;
  json["alignment"]["of_last_layer"] = chosen.of_last_layer;
  if (options.json) return;
  std::cout << fmt::format(
      "alignment heads   {} (layer.head), of the row that {} a piece\n"
      "agreement          {:.1f} % of {} links of a lexical aligner, in {} "
      "sentences (all heads of the last layer: {:.1f} %)\n",
      heads, chosen.heads.row_that_reads ? "reads" : "predicts",
      100 * chosen.agreement, chosen.links, chosen.sentences,
      100 * chosen.of_last_layer);
}

TextScore EvaluateFiles(const translator::Pipeline& pipeline,
                        const Options& options,
                        const translator::TranslateSettings& settings) {
  const TextScore score =
      translator::EvaluateText(pipeline, ReadLines(options.source),
                               ReadLines(options.reference), settings);
  if (!options.output.empty() && settings.rules == options.settings.rules) {
    std::string text;
    for (const std::string& line : score.translations) text += line + '\n';
    WriteFileAtomically(options.output, text);
  }
  return score;
}

// With the settings, and where none were asked for also without the rules: what
// the model does alone.
void MeasureText(const translator::Pipeline& pipeline, const Options& options,
                 nlohmann::ordered_json& json) {
  const TextScore score = EvaluateFiles(pipeline, options, options.settings);
  json["text"] = ToJson(score);
  json["text"]["rules"] = options.settings.rules;
  if (!options.json) Print(score, options.settings.rules);
  if (!options.both) return;
  translator::TranslateSettings alone = options.settings;
  alone.rules = false;
  const TextScore without = EvaluateFiles(pipeline, options, alone);
  json["text_without_rules"] = ToJson(without);
  if (!options.json) Print(without, false);
}

void Evaluate(const Options& options) {
  CheckOptions(options);
  CheckOutput(options, TranslatorFolder(options.model));
  const auto pipeline = LoadTranslator(options.model);
  nlohmann::ordered_json json;
  if (!options.alignment_pairs.empty()) ChooseHeads(pipeline, options, json);
  if (!options.source.empty()) MeasureText(pipeline, options, json);
  InputFailures failures("keylens evaluate translator", "files",
                         options.questions.size());
  for (const std::string& file : options.questions) {
    try {
      const AnswerScore score = translator::EvaluateAnswers(
          pipeline, translator::ReadQuestions(file), options.settings);
      json["answers"].push_back(ToJson(file, score));
      if (!options.json) Print(file, score, options.wrong);
    } catch (const Error& error) {
      failures.Add(error);
    }
  }
  if (options.json && !json.is_null()) {
    std::cout << json.dump(2, ' ', false,
                           nlohmann::json::error_handler_t::replace)
              << '\n';
  }
  failures.Finish();
}

}  // namespace

void AddEvaluateTranslator(CLI::App& evaluate) {
  CLI::App* verb = evaluate.add_subcommand(
      "translator",
      "BLEU and chrF (as sacrebleu computes them) of translations, words a "
      "second, and how many questions are answered as listed");
  auto options = std::make_shared<Options>();
  verb->add_option("--source", options->source, "German text, line by line")
      ->type_name("FILE");
  verb->add_option("--reference", options->reference, "the same in English")
      ->type_name("FILE");
  verb->add_option("--output", options->output,
                   "where to write the translations")
      ->type_name("FILE");
  verb->add_option("--everyday", options->questions,
                   "German TAB answer|answer..., line by line; may be given "
                   "several times")
      ->type_name("FILE");
  verb->add_option("--choose-heads", options->alignment_pairs,
                   "a folder of parallel text: choose the heads of "
                   "cross-attention that --alignment reads by how often they "
                   "agree with a lexical aligner, and write them into the "
                   "model's config.json")
      ->type_name("DIR");
  AddTranslatorModel(*verb, options->model);
  AddSearchOptions(*verb, options->settings);
  AddRulesOption(*verb, options->settings);
  verb->add_flag("--wrong", options->wrong,
                 "list what was not answered as listed");
  verb->add_flag("--json", options->json, "print JSON");
  verb->callback([verb, options] {
    options->both = verb->count("--rules") == 0;
    Evaluate(*options);
  });
}

}  // namespace keylens::cli
