#ifndef KEYLENS_APP_CLI_TRANSLATION_OPTIONS_H_
#define KEYLENS_APP_CLI_TRANSLATION_OPTIONS_H_

#include <CLI/App.hpp>
#include <filesystem>
#include <string>

#include "systems/translator/pipeline.h"

// Options that all verbs that translate have.

namespace keylens::cli {

// --model
void AddTranslatorModel(CLI::App& verb, std::string& model);

// The folder that `model` names, or that of the model that ships where it is
// empty.
std::filesystem::path TranslatorFolder(const std::string& model);

// The model in that folder, with the rules of its languages.
translator::Pipeline LoadTranslator(const std::string& model);

// --beam, --length-penalty, --threads
void AddSearchOptions(CLI::App& verb, translator::TranslateSettings& settings);

// --rules on|off
void AddRulesOption(CLI::App& verb, translator::TranslateSettings& settings);

}  // namespace keylens::cli

#endif  // KEYLENS_APP_CLI_TRANSLATION_OPTIONS_H_
