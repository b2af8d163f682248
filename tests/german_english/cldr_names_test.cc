#include "languages/german_english/corpus/cldr_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "src/base/error.h"

namespace keylens::german_english {
namespace {

using testing::ElementsAre;
using testing::UnorderedElementsAre;

CldrNames Read(const std::string& inside) {
  CldrNames names;
  ReadCldrNames("<?xml version='1.0'?><ldml>" + inside + "</ldml>", "de.xml",
                names);
  return names;
}

TEST(CldrNamesTest, PairsNamesByWhatTheyName) {
  const CldrNames german = Read(
      "<localeDisplayNames><territories>"
      "<territory type='DE'>Deutschland</territory>"
      "<territory type='GB' alt='short'>UK</territory>"
      "<territory type='QO'>Äußeres Ozeanien</territory>"
      "</territories></localeDisplayNames>"
      "<numbers><currencies><currency type='EUR'>"
      "<displayName>Euro</displayName><symbol>€</symbol>"
      "<displayName count='other'>Euro</displayName></currency></currencies>"
      "</numbers>");
  const CldrNames english = Read(
      "<localeDisplayNames><territories>"
      "<territory type='DE'>Germany</territory>"
      "<territory type='GB'>United Kingdom</territory>"
      "</territories></localeDisplayNames>"
      "<numbers><currencies><currency type='EUR'>"
      "<displayName>euro</displayName></currency></currencies></numbers>");
  EXPECT_THAT(PairNames(english, german),
              UnorderedElementsAre(Pair{"Germany", "Deutschland"},
                                   Pair{"euro", "Euro"}));
}

TEST(CldrNamesTest, CallsCitiesAsTheirTimeZones) {
  const CldrNames german = Read(
      "<dates><timeZoneNames>"
      "<zone type='Europe/Rome'><exemplarCity>Rom</exemplarCity></zone>"
      "<zone type='America/New_York'><exemplarCity>New York</exemplarCity>"
      "<long><standard>Zeit</standard></long></zone>"
      "</timeZoneNames></dates>");
  EXPECT_THAT(PairNames({}, german),
              ElementsAre(Pair{"New York", "New York"}, Pair{"Rome", "Rom"}));
}

TEST(CldrNamesTest, ReadsShortNamesOfCharacters) {
  const std::string names =
      "<annotations><annotation cp='❤'>Herz | rot</annotation>"
      "<annotation cp='❤' type='tts'>rotes Herz</annotation></annotations>";
  const CldrNames german = Read(names);
  ASSERT_EQ(german.size(), 1);
  EXPECT_EQ(german.begin()->second, "rotes Herz");
}

TEST(CldrNamesTest, LeavesInheritedNamesOut) {
  EXPECT_TRUE(Read("<localeDisplayNames><languages><language type='de'>"
                   "↑↑↑</language></languages></localeDisplayNames>")
                  .empty());
}

TEST(CldrNamesTest, NamesAFileThatIsNoXml) {
  CldrNames names;
  EXPECT_THAT(
      [&] { ReadCldrNames("<ldml><a></ldml>", "de.xml", names); },
      testing::Throws<Error>(testing::Property(
          &Error::what, testing::StartsWith("de.xml: not an LDML file: "))));
}

}  // namespace
}  // namespace keylens::german_english
