#include "languages/german_english/corpus/ding_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "languages/german_english/corpus/plain_text.h"

namespace keylens::german_english {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> Texts(const std::vector<DingTerm>& terms) {
  std::vector<std::string> texts;
  for (const DingTerm& term : terms) texts.push_back(term.text);
  return texts;
}

// The texts of the German or English side of all parts, "a; b | c".
std::string Side(const std::string& line,
                 std::vector<DingTerm> DingEntry::*side) {
  Counts counts;
  std::string text;
  for (const DingEntry& entry : ParseDingLine(line, counts)) {
    if (!text.empty()) text += " | ";
    std::string terms;
    for (const std::string& term : Texts(entry.*side)) {
      terms += terms.empty() ? term : "; " + term;
    }
    text += terms;
  }
  return text;
}

std::string German(const std::string& line) {
  return Side(line, &DingEntry::german);
}

std::string English(const std::string& line) {
  return Side(line, &DingEntry::english);
}

TEST(DingLineTest, SplitsPartsAndSynonyms) {
  const std::string line =
      "Haus {n}; Zuhause {n} | zu Hause bleiben; daheim bleiben :: "
      "home | to stay home";
  EXPECT_EQ(German(line), "Haus; Zuhause | zu Hause bleiben; daheim bleiben");
  EXPECT_EQ(English(line), "home | to stay home");
}

TEST(DingLineTest, KeepsLabelsAndGrammar) {
  Counts counts;
  const auto entries = ParseDingLine(
      "Apfel {m} [bot.] [cook.] | Äpfel {pl} :: apple [Br.] | apples", counts);
  ASSERT_EQ(entries.size(), 2);
  EXPECT_TRUE(entries[0].is_headword);
  EXPECT_FALSE(entries[1].is_headword);
  EXPECT_THAT(entries[0].german[0].labels, ElementsAre("bot.", "cook."));
  EXPECT_THAT(entries[0].german[0].grammar, ElementsAre("m"));
  EXPECT_THAT(entries[0].english[0].labels, ElementsAre("Br."));
  EXPECT_THAT(entries[1].german[0].grammar, ElementsAre("pl"));
}

TEST(DingLineTest, TakesNotesOut) {
  EXPECT_EQ(German("Fahrer(in) {m} (eines Autos; Lenker) :: driver"), "Fahrer");
  EXPECT_EQ(German("Frau {f}, die lacht :: laughing woman"), "Frau, die lacht");
  EXPECT_EQ(German("Aalreuse <Aalreusse> :: eel trap"), "Aalreuse");
  EXPECT_EQ(German("(allein) im Haus bleiben :: to stay home"),
            "im Haus bleiben");
  EXPECT_EQ(English("Hai {m} :: shark (fish [zool.])"), "shark");
}

TEST(DingLineTest, TakesAbbreviationsOut) {
  EXPECT_EQ(English("Regierung {f} :: government /Gov.; Govt./; rule"),
            "government; rule");
  EXPECT_EQ(English("Bahnhof {m} /Bhf./ :: station /Sta./ /Stn/"), "station");
  EXPECT_EQ(German("Bahnhof {m} /Bhf./ :: station /Sta./ /Stn/"), "Bahnhof");
  EXPECT_EQ(German("Haus {n} ohne Aufzug/Lift :: walk-up"),
            "Haus ohne Aufzug/Lift");
}

TEST(DingLineTest, LeavesOutWhatIsInDoubt) {
  for (const char* term :
       {"Fest…", "Fest...", "-haus", "Haus-", "das Haus / die Hütte", "Haus (",
        "Haus}", "Haus (n]", "{n}", "a = b"}) {
    EXPECT_EQ(German(std::string(term) + " :: house"), "") << term;
    EXPECT_EQ(German(std::string(term) + "; Heim {n} :: house"),
              std::string_view(term) == "Haus (" ? "" : "Heim")
        << term;
  }
}

TEST(DingLineTest, LabelsTaxa) {
  Counts counts;
  const auto entries = ParseDingLine(
      "Echte Aale {pl} (Anguillidae) (zoologische Familie) :: eels", counts);
  ASSERT_EQ(entries.size(), 1);
  EXPECT_THAT(entries[0].german[0].labels, ElementsAre("taxon"));
}

TEST(DingLineTest, SkipsCommentsAndCountsTheRest) {
  Counts counts;
  EXPECT_THAT(ParseDingLine("# Version :: devel", counts), IsEmpty());
  EXPECT_THAT(ParseDingLine("", counts), IsEmpty());
  EXPECT_EQ(counts.Get("lines"), 0);
  EXPECT_THAT(ParseDingLine("Haus {n}", counts), IsEmpty());
  EXPECT_EQ(counts.Get("lines without two sides"), 1);
  const auto entries = ParseDingLine("Haus | Häuser :: house", counts);
  ASSERT_EQ(entries.size(), 1);
  EXPECT_THAT(Texts(entries[0].german), ElementsAre("Haus"));
  EXPECT_EQ(counts.Get("lines with other parts on the two sides, headword "
                       "kept"),
            1);
}

}  // namespace
}  // namespace keylens::german_english
