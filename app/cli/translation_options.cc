#include "app/cli/translation_options.h"

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <map>

#include "app/cli/option_checks.h"
#include "languages/rules_table.h"
#include "src/base/program.h"
#include "src/base/shipped_model.h"

namespace keylens::cli {

void AddTranslatorModel(CLI::App& verb, std::string& model) {
  verb.add_option("--model", model,
                  "model folder (default: the one that ships)")
      ->type_name("DIR");
}

std::filesystem::path TranslatorFolder(const std::string& model) {
  if (!model.empty()) return model;
  return ShippedModelFolder(ShippedModel::kTranslator, ProgramFolder());
}

translator::Pipeline LoadTranslator(const std::string& model) {
  return translator::Pipeline::Load(TranslatorFolder(model),
                                    languages::RulesTable());
}

void AddRulesOption(CLI::App& verb, translator::TranslateSettings& settings) {
  static const std::map<std::string, bool> kValues = {{"on", true},
                                                      {"off", false}};
  verb.add_option("--rules", settings.rules,
                  "what is known of the languages beyond the model: names and "
                  "numbers that it lost, abbreviations, measures; off: the "
                  "model alone, with placeholders and addresses kept")
      ->transform(CLI::CheckedTransformer(kValues))
      ->type_name("on|off");
}

void AddSearchOptions(CLI::App& verb, translator::TranslateSettings& settings) {
  verb.add_option("--beam", settings.search.beam,
                  "how many translations are followed; 1 is greedy, three "
                  "times as fast as 4")
      ->check(WholeNumber(1, 64))
      ->capture_default_str();
  verb.add_option("--length-penalty", settings.search.length_penalty,
                  "above 0, longer translations are favoured")
      ->check(NumberWithin(0, 5))
      ->capture_default_str();
  verb.add_option("--threads", settings.threads,
                  "0: one for each core; translations do not depend on it")
      ->check(WholeNumber(0, 1024))
      ->capture_default_str();
}

}  // namespace keylens::cli
