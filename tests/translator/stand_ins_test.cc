#include "systems/translator/lines/stand_ins.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "languages/german_english/rules/german_english_rules.h"
#include "systems/translator/lines/marks.h"
#include "systems/translator/lines/placeholders.h"
#include "systems/translator/lines/protected_words.h"
#include "systems/translator/rules/plain_rules.h"
#include "systems/translator/text/normal_form.h"

namespace keylens::translator {
namespace {

using testing::ElementsAre;

// A vocabulary of Latin letters.
bool KnowsLatin(std::string_view character) {
  return character.size() <= 2 || character == "„" || character == "“";
}

const LanguageRules& Rules() {
  static const auto rules = german_english::MakeRules();
  return *rules;
}

std::vector<std::string> Words(const std::string& text) {
  std::vector<std::string> words;
  for (const Protected& found : FindProtected(text, Rules(), KnowsLatin))
    words.emplace_back(found.range.In(text));
  return words;
}

TEST(FindProtected, FindsAddresses) {
  EXPECT_THAT(Words("Siehe https://example.org/a_b?c=1, schreib an "
                    "„max@example.de“ oder (www.example.com)."),
              ElementsAre("https://example.org/a_b?c=1", "max@example.de",
                          "www.example.com"));
  EXPECT_THAT(Words("Auf example.org/pfad/ und in /etc/hosts, #berlin!"),
              ElementsAre("example.org/pfad/", "/etc/hosts", "#berlin"));
}

TEST(FindProtected, CutsEmoticonsOut) {
  EXPECT_THAT(Words("Danke :) und ;-) nicht: (ja) oder :x."),
              ElementsAre(":)", ";-)"));
}

TEST(FindProtected, LeavesOrdinaryWords) {
  EXPECT_THAT(Words("Er isst z.B. 3 Äpfel und/oder 12 Birnen (usw.), „ja“."),
              ElementsAre());
  EXPECT_THAT(Words("Das ist der 19-jährige Sohn."), ElementsAre());
  EXPECT_THAT(Words("Ende.Anfang"), ElementsAre());
}

TEST(FindProtected, FindsNumbersThatAreNoOrdinaryOnes) {
  EXPECT_THAT(Words("1.234,56 Euro im Jahr 1999 um 14:30 mit GTX1080."),
              ElementsAre("GTX1080"));
  EXPECT_THAT(
      Words("Ruf 0176 4432981 an, 3.5.2024, 192.168.10.1, 1990-1999."),
      ElementsAre("0176", "4432981", "3.5.2024", "192.168.10.1", "1990-1999"));
}

TEST(FindProtected, FindsWhatTheVocabularyNeverSaw) {
  EXPECT_THAT(Words("Ich war in 東京, toll😀👍! Ja."), ElementsAre("東京", "😀👍"));
  EXPECT_THAT(Words("Ein \xEF\xBF\xBD Zeichen"), ElementsAre("\xEF\xBF\xBD"));
  const std::string endless(10000, 'a');
  EXPECT_THAT(Words(endless), ElementsAre(endless));
}

Disguised DisguiseAll(const std::string& text) {
  return Disguise(text, {}, FindProtected(text, Rules(), KnowsLatin), Rules())
      .value();
}

std::optional<std::string> Restored(const std::string& translation,
                                    const std::vector<StandIn>& stand_ins) {
  const auto edits = Undisguise(translation, stand_ins);
  if (!edits) return std::nullopt;
  return EditedText(translation, *edits).text();
}

TEST(Disguise, TakesWordsOutAndPutsThemBack) {
  const Disguised disguised =
      DisguiseAll("Besuche example.org oder schreib a@b.de bis 20255555.");
  EXPECT_EQ(disguised.text.text(), "Besuche Tom oder schreib Boston bis 20.");
  EXPECT_EQ(
      Restored("By 20, write to Boston or visit Tom.", disguised.stand_ins),
      "By 20255555, write to a@b.de or visit example.org.");
}

TEST(Disguise, UsesNoNameThatTheTextHas) {
  EXPECT_EQ(DisguiseAll("Tom mag example.org.").text.text(), "Tom mag Boston.");
}

TEST(Disguise, GivesUpWhereStandInsRunOut) {
  const std::string text = "a@b.de c@d.de e@f.de g@h.de i@j.de k@l.de";
  EXPECT_FALSE(
      Disguise(text, {}, FindProtected(text, Rules(), KnowsLatin), Rules()));
}

TEST(Disguise, TakesAStandInOfTheKind) {
  const std::string text = "Anna war 1987 um 14.35 Uhr in Ulm.";
  const std::vector<Protected> words = {
      {{0, 4}, ProtectedKind::kPerson, "Anna"},
      Rules().Number(text, {9, 13}),
      Rules().Number(text, {17, 22}),
      {{30, 33}, ProtectedKind::kPlace, "Ulm"}};
  const Disguised disguised = Disguise(text, {}, words, Rules()).value();
  EXPECT_EQ(disguised.text.text(), "Tom war 2010 um 10:30 Uhr in Boston.");
  EXPECT_EQ(
      Restored("In 2010, at 10:30, Tom was in Boston.", disguised.stand_ins),
      "In 1987, at 14:35, Anna was in Ulm.");
}

TEST(Disguise, UsesNoStandInTwice) {
  const std::vector<Protected> words = {{{0, 1}, ProtectedKind::kPlace, "A"},
                                        {{2, 3}, ProtectedKind::kName, "B"},
                                        {{4, 5}, ProtectedKind::kPerson, "C"}};
  EXPECT_EQ(Disguise("A B C", {}, words, Rules())->text.text(),
            "Boston Tom Anna");
}

TEST(MergedWords, KeepsTheFirstWhereTheyOverlap) {
  const std::vector<Protected> first = {{{4, 8}, ProtectedKind::kName, "a"}};
  const std::vector<Protected> second = {{{9, 10}, ProtectedKind::kName, "b"},
                                         {{5, 6}, ProtectedKind::kName, "c"},
                                         {{0, 4}, ProtectedKind::kName, "d"}};
  std::vector<std::string> merged;
  for (const Protected& word : MergedWords(first, second))
    merged.push_back(word.target);
  EXPECT_THAT(merged, ElementsAre("d", "a", "b"));
}

TEST(Undisguise, FindsStandInsBesideMarksOfAllKinds) {
  for (const std::string word :
       {"„a@b.de“", "“a@b.de”", "– a@b.de –", "a@b.de…", "»a@b.de«"}) {
    const std::string text = "„Tom“ mailt an " + word + " heute.";
    const Disguised disguised = DisguiseAll(text);
    EXPECT_EQ(disguised.text.text().find("a@b.de"), std::string::npos);
    EXPECT_NE(disguised.stand_ins.at(0).stand_in, "Tom");
    EXPECT_EQ(Restored(disguised.text.text(), disguised.stand_ins), text);
  }
}

TEST(FindPlaceholders, FindsThoseOfManyKinds) {
  const auto found = [](const std::string& text) {
    std::vector<std::string> words;
    for (const Protected& word : FindPlaceholders(text))
      words.push_back(word.target);
    return words;
  };
  for (const std::string one :
       {"%s", "%1$s", "%d", "%-5.2f", "%@", "%1", "%{name}", "%(name)s", "{0}",
        "{name}", "{{ name }}", "{n, plural, one {x} other {y}}", "${name}",
        "#{name}", "$name", "&amp;", "%%"})
    EXPECT_THAT(found("Hallo " + one + ", ja"), ElementsAre(one));
  EXPECT_THAT(found("Datei{0}.txt"), ElementsAre("Datei{0}"));
  EXPECT_THAT(found("50 % der 100% und 50%ig, $100, #1, A & B, {"),
              ElementsAre());
  EXPECT_EQ(FindPlaceholders("%d")[0].kind, ProtectedKind::kNumber);
  EXPECT_EQ(FindPlaceholders("{count}")[0].kind, ProtectedKind::kNumber);
  EXPECT_EQ(FindPlaceholders("{name}")[0].kind, ProtectedKind::kName);
}

std::vector<std::string> Enclosed(const std::string& text) {
  std::vector<std::string> inside;
  const std::vector<TextRange> tags = FindTags(text);
  for (const MarkPair& pair : FindMarks(text, tags, {}))
    inside.emplace_back(pair.Inside().In(text));
  return inside;
}

TEST(FindMarks, PairsQuotesBracketsAndMarkup) {
  for (const std::string text :
       {"„x y“", "»x y«", "«x y»", "“x y”", "\"x y\"", "'x y'", "‚x y‘",
        "(x y)", "[x y]", "**x y**", "_x y_", "`x y`", "<b>x y</b>",
        "[x y](https://example.org)", "<a href=\"u\">x y</a>"})
    EXPECT_THAT(Enclosed("a " + text + ", b"), ElementsAre("x y")) << text;
  EXPECT_THAT(Enclosed("**„a“ (b)**"), ElementsAre("„a“ (b)", "a", "b"));
  EXPECT_THAT(Enclosed("geht's, Hans' Auto, 5 * 3 * 2, a_b_c, 3\" und :)"),
              ElementsAre());
}

TEST(LineMarkerLength, IsThatOfHeadingsQuotesAndLists) {
  EXPECT_EQ(LineMarkerLength("## Wort"), 2u);
  EXPECT_EQ(LineMarkerLength("> > Wort"), 3u);
  EXPECT_EQ(LineMarkerLength("- [ ] Wort"), 5u);
  EXPECT_EQ(LineMarkerLength("  1) Wort"), 4u);
  EXPECT_EQ(LineMarkerLength("#Wort"), 0u);
  EXPECT_EQ(LineMarkerLength("**Wort**"), 0u);
  EXPECT_EQ(LineMarkerLength("3. Mai"), 0u);
}

TEST(NormalForm, ComposesAndDropsWhatDoesNotShow) {
  EXPECT_EQ(NormalForm("Schlu\u0308ssel"), "Schlüssel");
  EXPECT_EQ(NormalForm("Kranken\u00ADhaus\u200B \uFEFFja"), "Krankenhaus ja");
  EXPECT_EQ(NormalForm("👩\u200D👧"), "👩\u200D👧");
  EXPECT_EQ(NormalForm(std::string("a\0u\u0308", 5)), std::string("a\0ü", 4));
}

TEST(EditedText, KnowsWhatBecameOfEachPlace) {
  const EditedText text("a bb c", {{{0, 0}, "("}, {{2, 4}, "x"}});
  EXPECT_EQ(text.text(), "(a x c");
  EXPECT_EQ(text.InEdited({2, 4}), (TextRange{3, 4}));
  EXPECT_EQ(text.InEdited({5, 6}), (TextRange{5, 6}));
  EXPECT_EQ(text.InOriginal({3, 4}), (TextRange{2, 4}));
  EXPECT_EQ(text.InOriginal({1, 2}), (TextRange{0, 1}));
}

TEST(PlainRules, KnowNoLanguage) {
  const PlainRules rules;
  EXPECT_EQ(rules.Number("1.250", {0, 5}).target, "1.250");
  EXPECT_EQ(rules.WithinSentence("Ja"), "Ja");
  EXPECT_TRUE(rules.Lost("Anna hat 3.", "x").numbers.empty());
  EXPECT_EQ(rules.Sentences("Il est la. Tu viens ?").size(), 2u);
}

TEST(Undisguise, NeedsEachStandInOnce) {
  const auto stand_ins = DisguiseAll("Besuche example.org.").stand_ins;
  EXPECT_FALSE(Restored("Visit him.", stand_ins));
  EXPECT_FALSE(Restored("Tom, visit Tom.", stand_ins));
  EXPECT_FALSE(Restored("Visit Tommy.", stand_ins));
  EXPECT_EQ(Restored("Tom's page", stand_ins), "example.org's page");
}

}  // namespace
}  // namespace keylens::translator
