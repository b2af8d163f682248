// keylens data german-english

#include <fmt/format.h>

#include <cmath>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "app/cli/data_sets.h"
#include "app/cli/output_guard.h"
#include "app/cli/verb.h"
#include "languages/german_english/corpus/german_english_data.h"
#include "languages/german_english/corpus/packages.h"
#include "src/base/error.h"
#include "src/parallel/stop_on_signals.h"

namespace keylens::cli {
namespace {

struct Options {
  std::string folder;
  GermanEnglishOptions data;
  std::vector<std::string> weights;  // NAME=W
};

// Adds "wesnoth=0.5" to the weights.
void ParseWeight(const std::string& text, GermanEnglishOptions& options) {
  const size_t equals = text.rfind('=');
  double weight = -1;
  size_t read = 0;
  if (equals != std::string::npos && equals > 0) {
    try {
      weight = std::stod(text.substr(equals + 1), &read);
    } catch (const std::logic_error&) {
      // Not a number: reported below, as a negative one is.
    }
  }
  if (!(weight >= 0) || std::isinf(weight) ||
      read + equals + 1 != text.size()) {
    throw UsageError(fmt::format(
        "--weights {}: give a source and a number from 0 on, wesnoth=0.5",
        text));
  }
  options.weights[text.substr(0, equals)] = weight;
}

std::vector<std::string> PackageNames() {
  std::vector<std::string> names;
  for (const german_english::Package& package :
       german_english::KnownPackages()) {
    names.emplace_back(package.source);
  }
  return names;
}

void WriteGermanEnglish(Options& options) {
  for (const std::string& weight : options.weights) {
    ParseWeight(weight, options.data);
  }
  OutputGuard guard;
  for (const auto& file : options.data.corpus.tsv_files) guard.Reads(file);
  guard.WritesFolder("--out", options.folder,
                     {kGermanEnglishFiles.begin(), kGermanEnglishFiles.end()});
  const StopOnSignals signals;
  const GermanEnglishSummary summary = WriteGermanEnglishData(
      options.folder, options.data, [&](const std::string& what) {
        std::cerr << "reading " << what << '\n';
        if (signals.token().stop_requested()) {
          throw Error("interrupted; the same command starts again");
        }
      });
  for (const auto& [name, count] : summary.train_by_source) {
    std::cerr << fmt::format("{:>8} of {}\n", count, name);
  }
  std::cout << fmt::format(
      "{}: {} pairs to train on, {} to validate with, {} to test with\n",
      options.folder, summary.train, summary.valid, summary.test);
}

}  // namespace

void AddGermanEnglishData(CLI::App& data) {
  CLI::App* verb = data.add_subcommand(
      "german-english",
      "German sentences and words with their English, from dictionaries, games "
      "and TSV files");
  auto options = std::make_shared<Options>();
  options->data.corpus.packages = PackageNames();
  verb->add_option("--out", options->folder, "The folder to write")
      ->required()
      ->type_name("DIR");
  verb->add_option("--tsv", options->data.corpus.tsv_files,
                   "Everyday sentences, English TAB German, as Tatoeba's; what "
                   "is held out comes from here; may be repeated")
      ->type_name("FILE");
  verb->add_option("--sources", options->data.corpus.packages,
                   "The Debian packages to read")
      ->delimiter(',')
      ->check(CLI::IsMember(PackageNames()))
      ->capture_default_str();
  verb->add_option("--weights", options->weights,
                   "How often the rows of a source are drawn in training, "
                   "instead of its own weight")
      ->delimiter(',')
      ->type_name("NAME=W");
  verb->add_option("--seed", options->data.corpus.split.seed,
                   "Chooses what is held out")
      ->check(CheckSeed)
      ->capture_default_str();
  verb->callback([options] { WriteGermanEnglish(*options); });
}

}  // namespace keylens::cli
