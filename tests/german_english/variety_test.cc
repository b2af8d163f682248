// What text becomes when it is drawn for training.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "languages/german_english/variety/german_english_variety.h"
#include "systems/translator/text/text_words.h"

namespace keylens::german_english {
namespace {

using translator::SentenceJoiner;
using translator::TextRange;
using translator::TextWords;
using translator::WithCapitalInitial;
using translator::WithSmallInitial;

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

SentencePair Pair(const std::string& german, const std::string& english) {
  return {german, english, 1};
}

// What names are learnt from.
std::vector<SentencePair> Text() {
  return {Pair("Ich kenne Tom.", "I know Tom."),
          Pair("Maria mag Boston.", "Mary likes Boston."),
          Pair("Der Hund schläft.", "The dog sleeps."),
          Pair("Das ist der Hund, und ich bin hier.",
               "This is the dog, and I am here."),
          Pair("Das ist gut, aber er hat Hunger.",
               "That is good, but he is hungry."),
          Pair("Dublin", "Dublin"),
          Pair("Bäcker", "baker")};
}

std::vector<std::string> Numbers(const std::string& text) {
  std::vector<std::string> numbers;
  for (const TextRange& range : TextWords(text)) {
    std::string word(range.In(text));
    if (word[0] < '0' || word[0] > '9') continue;
    // Without marks, and a time on the hour as the hour alone.
    const auto is_mark = [](char c) {
      return c == '.' || c == ',' || c == ':';
    };
    if (word.size() > 3 && word.ends_with("00") && is_mark(word.end()[-3]))
      word.resize(word.size() - 3);
    std::erase_if(word, is_mark);
    numbers.push_back(word);
  }
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

TEST(TextWords, AreRunsOfLettersAndNumbersWithTheirMarks) {
  const std::string text = "Um 14:30, am 3. Mai: 1.250,50 Euro für „Jörg“.";
  std::vector<std::string> words;
  for (const TextRange& range : TextWords(text))
    words.emplace_back(range.In(text));
  EXPECT_THAT(words, ElementsAre("Um", "14:30", "am", "3", "Mai", "1.250,50",
                                 "Euro", "für", "Jörg"));
  EXPECT_EQ(WithSmallInitial("Ärzte"), "ärzte");
  EXPECT_EQ(WithCapitalInitial("über"), "Über");
  EXPECT_EQ(WithSmallInitial(""), "");
}

class SubstitutionTest : public testing::Test {
 protected:
  // One that changed something, of some that may not.
  SentencePair Substituted(const std::string& german,
                           const std::string& english) {
    for (uint64_t seed = 0; seed < 50; ++seed) {
      Random random({seed, 1});
      if (auto changed = substitution_.Apply(Pair(german, english), random)) {
        return *changed;
      }
    }
    return Pair("", "");
  }

  const std::vector<SentencePair> text_ = Text();
  const Substitution substitution_{text_};
};

TEST_F(SubstitutionTest, KnowsNamesFromWordsThatBothSidesHave) {
  EXPECT_TRUE(substitution_.IsName("Tom"));
  EXPECT_TRUE(substitution_.IsName("Boston"));
  EXPECT_FALSE(substitution_.IsName("Hund"));
  EXPECT_FALSE(substitution_.IsName("Maria"));
}

TEST_F(SubstitutionTest, GivesBothSidesTheSameName) {
  const SentencePair pair =
      Substituted("Gestern schlief Tom lange.", "Tom slept late.");
  EXPECT_THAT(pair.source, Not(HasSubstr("Tom")));
  std::smatch name;
  ASSERT_TRUE(
      std::regex_match(pair.target, name, std::regex("(.+) slept late\\.")));
  EXPECT_EQ(pair.source, "Gestern schlief " + name.str(1) + " lange.");
}

TEST_F(SubstitutionTest, WritesGenitivesAsEachLanguageDoes) {
  const SentencePair pair =
      Substituted("Ich mag Toms Auto.", "I like Tom's car.");
  std::smatch name;
  ASSERT_TRUE(
      std::regex_match(pair.target, name, std::regex("I like (.+)'s car\\.")));
  EXPECT_NE(name.str(1), "Tom");
  EXPECT_THAT(pair.source,
              testing::AnyOf("Ich mag " + name.str(1) + "s Auto.",
                             "Ich mag " + name.str(1) + "' Auto."));
}

TEST_F(SubstitutionTest, GivesBothSidesTheSameNumber) {
  for (const auto& pair :
       {Substituted("Ich habe drei Katzen.", "I have three cats."),
        Substituted("Ich habe 12 Katzen.", "I have 12 cats.")}) {
    EXPECT_EQ(Numbers(pair.source).size(), 1u) << pair.source;
    EXPECT_EQ(Numbers(pair.source), Numbers(pair.target));
    EXPECT_NE(Numbers(pair.source)[0], "12");
  }
}

TEST_F(SubstitutionTest, LeavesWhatIsNotClear) {
  for (const auto& [german, english] :
       {std::pair("Der Hund schläft.", "The dog sleeps."),
        std::pair("Tom mag Tom.", "Tom likes Tom."),
        std::pair("Wir sehen uns heute Abend.", "See you today."),
        std::pair("Es ist drei Uhr.", "It is three."),
        std::pair("Er ist müde.", "He's tired."),
        std::pair("Am 3. kommt sie.", "She comes on the 3.")}) {
    EXPECT_EQ(Substituted(german, english).source, "") << german;
  }
}

TEST(ClauseJoiner, PutsSentencesTogether) {
  const std::vector<SentencePair> text = Text();
  const ClauseJoiner joiner(text);
  const SentencePair first = Pair("Der Hund schläft.", "The dog sleeps.");
  std::set<std::string> joined;
  for (uint64_t seed = 0; seed < 100; ++seed) {
    Random random({seed});
    const SentencePair pair =
        joiner.Join(first, Pair("Er hat Hunger.", "He is hungry."), random);
    joined.insert(pair.source + " / " + pair.target);
  }
  EXPECT_TRUE(joined.contains(
      "Der Hund schläft, und er hat Hunger. / The dog sleeps, and he is "
      "hungry."));
  EXPECT_TRUE(joined.contains(
      "Der Hund schläft. Er hat Hunger. / The dog sleeps. He is hungry."));
}

TEST(ClauseJoiner, KeepsWhatIsAlwaysCapitalised) {
  const std::vector<SentencePair> text = Text();
  const ClauseJoiner joiner(text);
  Random random({3});
  const SentencePair name =
      joiner.Embed(Pair("Tom weint.", "Tom cries."), random);
  EXPECT_THAT(name.source, HasSubstr(", Tom weint."));
  EXPECT_THAT(name.target, HasSubstr(" Tom cries."));
  EXPECT_EQ(joiner.Embed(Pair("Wo?", "Where?"), random).source, "Wo?");
}

TEST(SentenceJoiner, PutsSentencesOfAnyLanguagesInARow) {
  const SentenceJoiner joiner(1);
  const std::vector<SentencePair> pairs = {
      Pair("Il pleut ici.", "It rains here."),
      Pair("Tu viens ?", "Are you coming?")};
  const auto joined = joiner.Joined(pairs, 1, 0);
  ASSERT_TRUE(joined.has_value());
  EXPECT_EQ(joined->source, "Il pleut ici. Tu viens ?");
  EXPECT_EQ(joined->target, "It rains here. Are you coming?");
  EXPECT_FALSE(joiner.Changed(pairs[0], 1, 0).has_value());
  EXPECT_FALSE(SentenceJoiner::IsSentence(Pair("Hund", "dog")));
}

TEST(SentenceJoiner, JoinsAtMostThreeAndAsOftenAsItIsTold) {
  const SentenceJoiner variety(0.5);
  int threes = 0, in_a_row = 0;
  for (uint64_t n = 0; n < 3000; ++n) {
    in_a_row = variety.JoinsPrevious(7, n) ? in_a_row + 1 : 0;
    ASSERT_LE(in_a_row, 2);
    if (n % 3 == 2) {
      threes += variety.JoinsPrevious(7, n) || variety.JoinsPrevious(7, n - 1)
                    ? 1
                    : 0;
    }
  }
  EXPECT_NEAR(threes, 500, 60);
}

TEST(GermanEnglishVariety, IsAFunctionOfSeedAndNumber) {
  const std::vector<SentencePair> text = Text();
  const GermanEnglishVariety variety(text, {1, 0.5});
  const SentencePair pair = Pair("Ich kenne Tom.", "I know Tom.");
  std::set<std::string> sentences;
  for (uint64_t n = 0; n < 50; ++n) {
    const auto once = variety.Changed(pair, 1, n);
    const auto again = variety.Changed(pair, 1, n);
    ASSERT_EQ(once.has_value(), again.has_value());
    if (!once) continue;
    EXPECT_EQ(once->source, again->source);
    sentences.insert(once->source);
  }
  EXPECT_GT(sentences.size(), 20u);
  EXPECT_LT(sentences.size(), 50u);
}

}  // namespace
}  // namespace keylens::german_english
