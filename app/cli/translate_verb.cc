// keylens translate [TEXT...]: German to English.

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/cli/line_reader.h"
#include "app/cli/translation_options.h"
#include "app/cli/verb.h"
#include "src/base/error.h"
#include "src/base/utf8.h"
#include "systems/translator/pipeline.h"

namespace keylens::cli {
namespace {

using translator::Translation;

// So many lines are translated at once: enough for batches of like length.
constexpr std::size_t kLinesAtOnce = 1024;

struct Options {
  std::vector<std::string> texts;
  std::string model;
  bool confidence = false;
  bool json = false;
  translator::TranslateSettings settings;
};

// An n-best list is written for programs that rescore it, which know no further
// fields.
void CheckOptions(const Options& options) {
  const bool listed = options.settings.search.nbest > 1 && !options.json;
  if (listed && (options.settings.alignment || options.confidence)) {
    throw UsageError(
        "--nbest takes --alignment or --confidence only with --json");
  }
}

void PrintNbest(const Translation& translation, int64_t line) {
  for (const translator::Alternative& one : translation.nbest) {
    std::cout << fmt::format("{} ||| {} ||| F0= {:.6f} ||| {:.6f}\n", line,
                             one.text, one.log_prob, one.score);
  }
}

void PrintText(const Options& options, const Translation& translation) {
  std::cout << translation.text;
  if (options.settings.alignment)
    std::cout << " ||| " << translator::PharaohText(translation.alignment);
  if (options.confidence) {
    std::cout << fmt::format(" ||| {:.4f} |||", translation.confidence);
    for (const translator::TranslatedWord& word : translation.words)
      std::cout << fmt::format(" {:.4f}", word.confidence);
  }
  std::cout << '\n';
}

nlohmann::ordered_json ToJson(const Options& options,
                              const Translation& translation) {
  nlohmann::ordered_json json = {{"source", translation.source},
                                 {"translation", translation.text},
                                 {"log_prob", translation.log_prob},
                                 {"score", translation.score},
                                 {"confidence", translation.confidence}};
  json["words"] = nlohmann::ordered_json::array();
  for (const translator::TranslatedWord& word : translation.words) {
    json["words"].push_back(
        {{"text", word.text}, {"confidence", word.confidence}});
  }
  if (options.settings.alignment) {
    json["alignment"] = nlohmann::ordered_json::array();
    for (const translator::WordLink& link : translation.alignment)
      json["alignment"].push_back({link.source, link.target});
  }
  if (options.settings.search.nbest > 1) {
    for (const translator::Alternative& one : translation.nbest) {
      json["nbest"].push_back({{"translation", one.text},
                               {"log_prob", one.log_prob},
                               {"score", one.score}});
    }
  }
  return json;
}

void Print(const Options& options, const Translation& translation,
           int64_t line) {
  if (options.json) {
    std::cout << ToJson(options, translation).dump() << '\n';
  } else if (options.settings.search.nbest > 1) {
    PrintNbest(translation, line);
  } else {
    PrintText(options, translation);
  }
}

void TranslateLines(const translator::Pipeline& pipeline,
                    const Options& options,
                    const std::vector<std::string>& lines, int64_t first) {
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (IsUtf8(lines[i])) continue;
    std::cerr << fmt::format(
        "keylens translate: line {} is not UTF-8: each such byte is taken for "
        "U+FFFD\n",
        first + static_cast<int64_t>(i) + 1);
  }
  int64_t line = first;
  for (const Translation& translation :
       pipeline.Translate(lines, options.settings))
    Print(options, translation, line++);
  std::cout.flush();
  if (!std::cout) throw Error("standard output cannot be written");
}

void Translate(Options& options) {
  CheckOptions(options);
  translator::SearchOptions& search = options.settings.search;
  search.beam = std::max(search.beam, search.nbest);
  const auto pipeline =
      translator::Pipeline::Load(TranslatorFolder(options.model));
  if (!options.texts.empty())
    return TranslateLines(pipeline, options, options.texts, 0);
  LineReader reader(STDIN_FILENO);
  int64_t done = 0;
  for (auto lines = reader.Next(kLinesAtOnce); !lines.empty();
       lines = reader.Next(kLinesAtOnce)) {
    TranslateLines(pipeline, options, lines, done);
    done += static_cast<int64_t>(lines.size());
  }
}

}  // namespace

void AddTranslateVerb(CLI::App& app) {
  CLI::App* verb =
      app.add_subcommand("translate", "translate German into English");
  auto options = std::make_shared<Options>();
  verb->add_option("text", options->texts,
                   "German, one line each (default: standard input, line by "
                   "line)");
  AddTranslatorModel(*verb, options->model);
  AddSearchOptions(*verb, options->settings);
  verb->add_option("--nbest", options->settings.search.nbest,
                   "several translations of each line, as Moses and Marian "
                   "write them: LINE ||| TEXT ||| F0= LOG-PROBABILITY ||| "
                   "SCORE; the beam is at least as wide")
      ->check(CLI::Range(1, 64));
  verb->add_flag("--alignment", options->settings.alignment,
                 "also print which words came from which, by cross-attention: "
                 "TEXT ||| 0-0 1-2 ..., the German word first");
  verb->add_flag("--confidence", options->confidence,
                 "also print the mean probability of the translation and of "
                 "each of its words: ... ||| 0.9 ||| 0.95 0.85 ...");
  verb->add_flag("--json", options->json,
                 "print one JSON object for each line");
  verb->callback([options] { Translate(*options); });
}

}  // namespace keylens::cli
