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
#include "app/cli/option_checks.h"
#include "app/cli/output_guard.h"
#include "app/cli/report_option.h"
#include "app/cli/translation_options.h"
#include "app/cli/verb.h"
#include "src/base/error.h"
#include "src/base/utf8.h"
#include "src/render/report/attention_report_outputs.h"
#include "src/render/sheets/attention_report_files.h"
#include "systems/translator/looking/attention_maps.h"
#include "systems/translator/pipeline.h"

namespace keylens::cli {
namespace {

using translator::Translation;

// So many lines are translated at once: enough for batches of like length.
constexpr std::size_t kLinesAtOnce = 1024;
// Of lines, where they are not counted.
constexpr std::size_t kSeveral = 2;

struct Options {
  std::vector<std::string> texts;
  std::string model;
  std::string maps;  // a file; "-": the terminal; empty: none
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

// The number of lines of standard input is not known: maps are numbered as for
// several, and checked as they come.
std::filesystem::path MapsPath(const Options& options, int64_t line) {
  const auto count = options.texts.empty() ? kSeveral : options.texts.size();
  return NumberedPath(options.maps, static_cast<std::size_t>(line), count);
}

void CheckMaps(const Options& options, const std::filesystem::path& model) {
  if (options.maps.empty() || options.maps == "-") return;
  OutputGuard guard;
  guard.ReadsModel(model);
  GuardReports(guard, "--maps", options.maps,
               std::max<std::size_t>(options.texts.size(), 1));
  if (options.texts.empty()) guard.Writes("--maps", MapsPath(options, 0));
}

void ShowMaps(const render::AttentionReport& report) {
  render::TerminalStyle style;
  style.colour = isatty(STDOUT_FILENO) == 1;
  for (const render::AttentionPanel& panel : report.panels) {
    if (panel.name.starts_with("alignment"))
      std::cout << render::AttentionInTerminal(panel, style);
  }
}

void MakeMaps(const translator::Pipeline& pipeline, const Options& options,
              const Translation& translation, int64_t line) {
  if (options.maps.empty()) return;
  const render::AttentionReport report =
      translator::AttentionMaps(pipeline, translation);
  if (report.panels.empty()) {
    std::cerr << fmt::format(
        "keylens translate: line {} has nothing that the model translated: "
        "there are no maps\n",
        line + 1);
  } else if (options.maps == "-") {
    ShowMaps(report);
  } else {
    render::WriteAttentionReport(report, MapsPath(options, line));
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
    std::cout << ToJson(options, translation)
                     .dump(-1, ' ', false,
                           nlohmann::json::error_handler_t::replace)
              << '\n';
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
       pipeline.Translate(lines, options.settings)) {
    Print(options, translation, line);
    MakeMaps(pipeline, options, translation, line++);
  }
  std::cout.flush();
  if (!std::cout) throw Error("standard output cannot be written");
}

void Translate(Options& options) {
  CheckOptions(options);
  translator::SearchOptions& search = options.settings.search;
  search.beam = std::max(search.beam, search.nbest);
  CheckMaps(options, TranslatorFolder(options.model));
  const auto pipeline = LoadTranslator(options.model);
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
  AddRulesOption(*verb, options->settings);
  verb->add_option("--nbest", options->settings.search.nbest,
                   "several translations of each line, as Moses and Marian "
                   "write them: LINE ||| TEXT ||| F0= LOG-PROBABILITY ||| "
                   "SCORE; the beam is at least as wide")
      ->check(WholeNumber(1, 64));
  verb->add_flag("--alignment", options->settings.alignment,
                 "also print which words came from which, by cross-attention: "
                 "TEXT ||| 0-0 1-2 ..., the German word first");
  verb->add_flag("--confidence", options->confidence,
                 "also print the mean probability of the translation and of "
                 "each of its words: ... ||| 0.9 ||| 0.95 0.85 ...");
  verb->add_option("--maps", options->maps,
                   fmt::format("where the model looked, in every layer and "
                               "head: a file that ends in {} (FILE-1, FILE-2, "
                               "... for several lines), or - for the alignment "
                               "in the terminal",
                               render::kFormatsText))
      ->type_name("FILE");
  verb->add_flag("--json", options->json,
                 "print one JSON object for each line");
  verb->callback([options] { Translate(*options); });
}

}  // namespace keylens::cli
