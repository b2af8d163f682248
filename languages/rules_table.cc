#include "languages/rules_table.h"

#include "languages/german_english/rules/german_english_rules.h"

namespace keylens::languages {
namespace {

constexpr translator::RulesRow kRules[] = {
    {"de", "en", german_english::MakeRules}};

}  // namespace

std::span<const translator::RulesRow> RulesTable() { return kRules; }

}  // namespace keylens::languages
