// Numbers as the command line takes them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "app/cli/number_list.h"
#include "app/cli/option_checks.h"
#include "src/base/error.h"

namespace keylens::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(NumberList, TakesNumbersAndRanges) {
  EXPECT_THAT(NumbersOfList("--q", "0,5,2-4", 9), ElementsAre(0, 5, 2, 3, 4));
  EXPECT_THAT(NumbersOfList("--q", "3-3", 9), ElementsAre(3));
  EXPECT_THAT(NumbersOfList("--q", "all", 3), ElementsAre(0, 1, 2));
  EXPECT_THAT(NumbersOfList("--q", "", 3), IsEmpty());
}

TEST(NumberList, RefusesWhatNamesNothing) {
  for (const char* list :
       {"5-2", "1-0", "0,8-7", "20-10", "1-", "-1", "1-2-3", "1,,2", ",",
        "1, 2", "x", "9", "0-9", "1e1", "99999999999999999999"}) {
    EXPECT_THROW(NumbersOfList("--q", list, 9), UsageError) << list;
  }
  try {
    NumbersOfList("--q", "0,5-2", 9);
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), HasSubstr("--q: '5-2' runs backwards"));
  }
}

// What `check` says of a text; "" for nothing.
std::string SaidOf(CLI::Validator check, std::string text) {
  return check(text);
}

TEST(OptionChecks, WholeNumbers) {
  for (const char* text : {"1", "64", "+7", "007"})
    EXPECT_EQ(SaidOf(WholeNumber(1, 64), text), "") << text;
  for (const char* text : {"0", "65", "-1", "1.5", "1e1", "nan", "inf", "", "x",
                           "0x10", "++1", "18446744073709551617"}) {
    EXPECT_EQ(SaidOf(WholeNumber(1, 64), text),
              std::string("must be a whole number, 1 to 64, not ") + text);
  }
  EXPECT_EQ(SaidOf(WholeNumber(0), "9223372036854775807"), "");
  EXPECT_THAT(SaidOf(WholeNumber(0), "9223372036854775808"),
              HasSubstr("0 or more"));
}

TEST(OptionChecks, Numbers) {
  EXPECT_EQ(SaidOf(NumberWithin(0, 1), "0"), "");
  EXPECT_EQ(SaidOf(NumberWithin(0, 1), "1"), "");
  EXPECT_EQ(SaidOf(NumberWithin(0, 1), "1.5"), "must be 0 to 1, not 1.5");
  EXPECT_EQ(SaidOf(NumberAbove(0), "1e-300"), "");
  EXPECT_EQ(SaidOf(NumberAbove(0), "0"), "must be above 0, not 0");
  EXPECT_EQ(SaidOf(NumberFrom(0), "0"), "");
  EXPECT_EQ(SaidOf(NumberFrom(0), "-0.1"), "must be 0 or more, not -0.1");
  EXPECT_EQ(SaidOf(FiniteNumber(), "-2.5e3"), "");
  EXPECT_NE(SaidOf(FiniteNumber(), "1e39"), "");
  for (const char* text :
       {"nan", "-nan", "inf", "-inf", "infinity", "1e999", "", "x", "1x"}) {
    for (const CLI::Validator& check : {NumberWithin(-10, 10), NumberAbove(-10),
                                        NumberFrom(-10), FiniteNumber()})
      EXPECT_NE(SaidOf(check, text), "") << text;
  }
}

TEST(OptionChecks, AreTightenedInEveryVerb) {
  CLI::App app;
  CLI::App* verb = app.add_subcommand("verb")->add_subcommand("subject");
  double rate = 0, hours = 0, share = 0;
  int64_t steps = 0, count = 0;
  std::string text;
  verb->add_option("--rate", rate);
  verb->add_option("--hours", hours)->check(CLI::PositiveNumber);
  verb->add_option("--share", share)->check(CLI::Range(0.0, 1.0));
  verb->add_option("--steps", steps)->check(CLI::PositiveNumber);
  verb->add_option("--count", count)->check(CLI::NonNegativeNumber);
  verb->add_option("--text", text);
  TightenNumberChecks(app);
  const auto said = [&](const std::string& option) -> std::string {
    try {
      app.parse("verb subject " + option);
    } catch (const CLI::ParseError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(said("--rate 1e-3"), "");
  EXPECT_EQ(rate, 1e-3);
  EXPECT_EQ(said("--share 0.5"), "");
  EXPECT_EQ(said("--steps 3"), "");
  EXPECT_EQ(said("--count 0"), "");
  EXPECT_EQ(said("--text nan"), "");
  for (const char* bad : {"nan", "inf", "-inf", "1e400"}) {
    for (const char* option : {"--rate", "--hours", "--share", "--steps"})
      EXPECT_NE(said(std::string(option) + "=" + bad), "") << option << bad;
  }
  EXPECT_EQ(said("--hours 0"), "--hours: must be above 0, not 0");
  EXPECT_THAT(said("--steps 0"), HasSubstr("1 or more, not 0"));
  EXPECT_THAT(said("--count=-1"), HasSubstr("0 or more, not -1"));
  EXPECT_THAT(said("--steps 99999999999999999999"), HasSubstr("not 99999"));
  EXPECT_EQ(verb->help().find("0000000"), std::string::npos);
}

// No limit is written out with hundreds of digits.
TEST(OptionChecks, AreShortInTheHelp) {
  for (const CLI::Validator& check :
       {WholeNumber(0), WholeNumber(1, 64), NumberAbove(0), NumberFrom(0),
        NumberWithin(0, 5), FiniteNumber()})
    EXPECT_LT(check.get_description().size(), 20u);
}

}  // namespace
}  // namespace keylens::cli
