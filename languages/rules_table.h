#ifndef KEYLENS_LANGUAGES_RULES_TABLE_H_
#define KEYLENS_LANGUAGES_RULES_TABLE_H_

#include <span>

#include "systems/translator/rules/language_rules.h"

namespace keylens::languages {

// The pairs of languages for which there are rules, a row each.
std::span<const translator::RulesRow> RulesTable();

}  // namespace keylens::languages

#endif  // KEYLENS_LANGUAGES_RULES_TABLE_H_
