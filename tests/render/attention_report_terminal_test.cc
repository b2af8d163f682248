#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <sstream>

#include "src/render/report/attention_report_outputs.h"
#include "src/render/report/colour_map.h"
#include "src/render/report/terminal_columns.h"
#include "tests/render/attention_report_sample.h"

namespace keylens::render {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

std::string WithoutColours(const std::string& text) {
  return std::regex_replace(text, std::regex("\x1b\\[[0-9;]*m"), "");
}

std::vector<std::string> LinesOf(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

TEST(TerminalColumnsTest, CountsWideAndCombiningCharacters) {
  EXPECT_EQ(TerminalColumns("Größe"), 5);
  EXPECT_EQ(TerminalColumns("Gro\u0308ße"), 5);
  EXPECT_EQ(TerminalColumns("漢字"), 4);
  EXPECT_EQ(TerminalColumns("🙂"), 2);
  EXPECT_EQ(TerminalColumns("a\u200Bb"), 2);
  EXPECT_EQ(TerminalColumns(""), 0);
}

TEST(TerminalColumnsTest, FitsToTheColumn) {
  EXPECT_EQ(FitColumns("ab", 4), "ab  ");
  EXPECT_EQ(FitColumns("ab", 4, true), "  ab");
  EXPECT_EQ(FitColumns("abcdef", 4), "abc…");
  EXPECT_EQ(FitColumns("漢字漢", 4), "漢… ");
  EXPECT_EQ(FitColumns("o\u0308o\u0308o\u0308", 2), "o\u0308…");
  EXPECT_EQ(FitColumns("abc", 1), "…");
}

TEST(AttentionInTerminalTest, ShowsShadesAndPercentsWithoutColours) {
  AttentionPanel panel = EvenPanel({"red", "heart"}, {"rotes", "Herz"});
  panel.weights = {0.8f, 0.2f, 0.0f, 1.0f};
  const std::vector<std::string> lines =
      LinesOf(AttentionInTerminal(panel, {.colour = false}));
  EXPECT_THAT(lines, ElementsAre("even: weights", "queries down, keys across",
                                 HasSubstr("100"), "", "      rotes Herz",
                                 "  red ██80██░20░░", "heart       █100█"));
}

TEST(AttentionInTerminalTest, BlocksHaveTheColoursOfTheWeights) {
  AttentionPanel panel = EvenPanel({"red"}, {"rotes", "Herz"});
  panel.weights = {0.25f, 0.5f};
  const std::string text = AttentionInTerminal(panel, {});
  const auto ground = [](float share) {
    const Colour colour = HeatColour(share);
    std::ostringstream code;
    code << "\x1b[48;2;" << int{colour.red} << ';' << int{colour.green} << ';'
         << int{colour.blue} << 'm';
    return code.str();
  };
  const std::string row = LinesOf(text).back();
  EXPECT_THAT(row, HasSubstr(ground(0.5f)));
  EXPECT_THAT(row, HasSubstr(ground(1)));
  EXPECT_TRUE(row.ends_with("\x1b[0m"));
  EXPECT_EQ(WithoutColours(row), "red   25   50  ");
}

TEST(AttentionInTerminalTest, NoLineIsWiderThanTheTerminal) {
  const std::vector<std::string> words = {
      "ein",      "Donaudampfschifffahrtskapitän",
      "漢字漢字", "🙂",
      "o\u0308",  "",
      "العربية",  "zwölf",
      "eins",     "zwei"};
  for (const bool colour : {true, false}) {
    for (const int columns : {20, 40, 79, 200}) {
      const std::string text = AttentionInTerminal(
          EvenPanel(words, words), {.colour = colour, .columns = columns});
      for (const std::string& line : LinesOf(WithoutColours(text)))
        EXPECT_LE(TerminalColumns(line), columns) << line;
    }
  }
}

TEST(AttentionInTerminalTest, RowsOfABandAreEquallyWideAndEveryKeyIsThere) {
  const std::string text = WithoutColours(AttentionInTerminal(
      EvenPanel({"漢字", "a"}, Words(20)), {.columns = 50}));
  const std::vector<std::string> lines = LinesOf(text);
  int rows = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!lines[i].starts_with("漢字 ")) continue;
    ++rows;
    EXPECT_EQ(TerminalColumns(lines[i]), TerminalColumns(lines.at(i + 1)));
  }
  EXPECT_EQ(rows, 4);
  for (const std::string& word : Words(20))
    EXPECT_THAT(text, HasSubstr(word + (word == "word19" ? "\n" : "")));
}

TEST(AttentionInTerminalTest, DrawsTheMapAskedFor) {
  TerminalStyle style = {.colour = false};
  style.map = {1, 2};
  const std::string text = AttentionInTerminal(SamplePanel(), style);
  EXPECT_THAT(text, HasSubstr("cross-attention: layer 2, head 3\n"));
  EXPECT_THAT(text, HasSubstr("90"));
  style.map = {5, 0};
  EXPECT_THROW(AttentionInTerminal(SamplePanel(), style),
               std::invalid_argument);
}

TEST(AttentionInTerminalTest, LabelsCannotCommandTheTerminal) {
  AttentionPanel panel = EvenPanel({"a\x1b[2Jb"}, {"c\nd", "\u202Ee"});
  panel.name = "x\x07\x9b";
  const std::string text = AttentionInTerminal(panel, {.colour = false});
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
  EXPECT_THAT(text, Not(HasSubstr("\x07")));
  EXPECT_THAT(text, Not(HasSubstr("\u202E")));
  EXPECT_EQ(LinesOf(text).size(), 6);
}

}  // namespace
}  // namespace keylens::render
