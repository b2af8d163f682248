#ifndef KEYLENS_LANGUAGES_GERMAN_ENGLISH_RULES_GERMAN_ENGLISH_RULES_H_
#define KEYLENS_LANGUAGES_GERMAN_ENGLISH_RULES_GERMAN_ENGLISH_RULES_H_

#include <memory>

#include "systems/translator/rules/language_rules.h"

namespace keylens::german_english {

// What translating German into English knows of the two: abbreviations and
// ordinals that end no sentence, numbers, dates and measures, names and their
// titles, where English says "I" and how it quotes.
std::unique_ptr<translator::LanguageRules> MakeRules();

}  // namespace keylens::german_english

#endif  // KEYLENS_LANGUAGES_GERMAN_ENGLISH_RULES_GERMAN_ENGLISH_RULES_H_
