#include "languages/german_english/variety/clause_joiner.h"

#include <map>
#include <string_view>
#include <vector>

#include "languages/german_english/variety/phrase.h"
#include "systems/translator/text/text_words.h"

namespace keylens::german_english {
namespace {

using translator::TextRange;
using translator::TextWords;
using translator::WithSmallInitial;

using Words = std::set<std::string, std::less<>>;

// After these a main clause keeps its order in both languages.
const Phrase kConjunctions[] = {
    {", und ", ", and "},      {" und ", " and "},    {", und ", ", and "},
    {" und ", " and "},        {", aber ", ", but "}, {", aber ", ", but "},
    {", denn ", ", because "}, {"; ", "; "},          {", oder ", ", or "}};

const Phrase kOpenings[] = {
    {"Ich glaube, ", "I think "}, {"Ich denke, ", "I think "},
    {"Ich hoffe, ", "I hope "},   {"Er sagt, ", "He says "},
    {"Sie sagt, ", "She says "},  {"Wir wissen, ", "We know "},
    {"Du weißt, ", "You know "}};

// Counts of a word inside of sentences, by case.
struct Cases {
  int small = 0, capital = 0;
};

using CaseCounts = std::map<std::string, Cases, std::less<>>;

void Count(std::string_view text, CaseCounts& counts) {
  const std::vector<TextRange> words = TextWords(text);
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::string_view word = words[i].In(text);
    const std::string small = WithSmallInitial(word);
    Cases& cases = counts[small];
    ++(small == word ? cases.small : cases.capital);
  }
}

Words SmallOnes(const CaseCounts& counts) {
  Words words;
  for (const auto& [word, cases] : counts)
    if (cases.small > cases.capital) words.insert(word);
  return words;
}

std::string Within(std::string_view text, const Words& small) {
  const std::vector<TextRange> words = TextWords(text);
  if (words.empty() || words[0].begin != 0) return std::string(text);
  if (!small.contains(WithSmallInitial(words[0].In(text))))
    return std::string(text);
  return WithSmallInitial(text);
}

bool IsStatement(const SentencePair& pair) {
  const auto ends = [](std::string_view text) {
    return text.ends_with('.') && !text.ends_with("..");
  };
  return ends(pair.source) && ends(pair.target);
}

std::string_view WithoutEnd(std::string_view text) {
  text.remove_suffix(1);
  return text;
}

}  // namespace

ClauseJoiner::ClauseJoiner(std::span<const SentencePair> text) {
  CaseCounts german, english;
  for (const SentencePair& pair : text) {
    Count(pair.source, german);
    Count(pair.target, english);
  }
  small_german_ = SmallOnes(german);
  small_english_ = SmallOnes(english);
}

// "Sie" is "you" or "she", and small only as the latter.
std::string ClauseJoiner::GermanWithin(const SentencePair& pair) const {
  const bool formal = pair.source.starts_with("Sie ") ||
                      pair.source.starts_with("Ihr ") ||
                      pair.source.starts_with("Ihre");
  if (formal && (pair.target.find("you") != std::string::npos ||
                 pair.target.find("You") != std::string::npos))
    return pair.source;
  return Within(pair.source, small_german_);
}

std::string ClauseJoiner::EnglishWithin(const SentencePair& pair) const {
  return Within(pair.target, small_english_);
}

SentencePair ClauseJoiner::Join(const SentencePair& first,
                                const SentencePair& second,
                                Random& random) const {
  if (!IsStatement(first) || !IsStatement(second) || Happens(0.15, random)) {
    return {first.source + " " + second.source,
            first.target + " " + second.target, 1};
  }
  const Phrase& conjunction = OneOf(kConjunctions, random);
  SentencePair joined;
  joined.source = WithoutEnd(first.source);
  joined.source += conjunction.german + GermanWithin(second);
  joined.target = WithoutEnd(first.target);
  joined.target += conjunction.english + EnglishWithin(second);
  return joined;
}

SentencePair ClauseJoiner::Embed(const SentencePair& statement,
                                 Random& random) const {
  if (!IsStatement(statement)) return statement;
  const Phrase& opening = OneOf(kOpenings, random);
  SentencePair embedded;
  embedded.source = opening.german + GermanWithin(statement);
  embedded.target = opening.english + EnglishWithin(statement);
  return embedded;
}

}  // namespace keylens::german_english
