#include "languages/german_english/corpus/german_english_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "languages/german_english/corpus/plain_text.h"
#include "src/base/error.h"
#include "src/base/file.h"
#include "tests/german_english/mo_maker.h"
#include "tests/temporary_path.h"

namespace keylens {
namespace {

namespace fs = std::filesystem;
using german_english::ClusterKey;
using german_english::MakeMo;
using testing::HasSubstr;
using testing::Property;
using testing::Throws;

// A machine with a little of every package, and a TSV file.
class GermanEnglishDataTest : public testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(folder_);
    Write("usr/share/trans/de-en",
          "# Ding\n"
          "Haus {n} | Häuser {pl} | Das Haus brennt. :: "
          "house | houses | The house is on fire.\n"
          "Hund {m} [zool.] :: dog\n");
    Write("usr/share/unicode/cldr/common/main/de.xml",
          "<ldml><localeDisplayNames><territories><territory "
          "type='DE'>Deutschland</territory></territories>"
          "</localeDisplayNames></ldml>");
    Write("usr/share/unicode/cldr/common/main/en.xml",
          "<ldml><localeDisplayNames><territories><territory "
          "type='DE'>Germany</territory></territories>"
          "</localeDisplayNames></ldml>");
    Write("usr/share/unicode/cldr/common/annotations/de.xml", "<ldml/>");
    Write("usr/share/unicode/cldr/common/annotations/en.xml", "<ldml/>");
    const std::string game =
        MakeMo({{"Stop! Who is there?", "Halt! Wer ist da?"},
                {"House", "Haus"},
                {"Sentence 3.", "Der 3. Satz."}});
    for (const char* path :
         {"usr/share/locale/de/LC_MESSAGES/freedroidrpg-dialogs.mo",
          "usr/share/games/dink/dink/l10n/de/LC_MESSAGES/dink.mo",
          "usr/share/games/widelands/data/locale/de/LC_MESSAGES/maps.mo",
          "usr/share/games/wesnoth/1.16/locale/de/LC_MESSAGES/wesnoth.mo"}) {
      Write(path, game);
    }
    std::string tsv = "1\t2\n";
    for (int i = 0; i < 100; ++i) {
      const std::string number = std::to_string(i);
      tsv += "Sentence " + number + ".\tDer " + number + ". Satz.\tCC-BY\n";
      tsv += "Sentence " + number + ".\tSatz " + number + ".\n";
    }
    Write("everyday.tsv", tsv);
    options_.corpus.root = folder_;
    options_.corpus.packages = {"ding",     "cldr",      "freedroidrpg",
                                "freedink", "widelands", "wesnoth"};
    options_.corpus.tsv_files = {folder_ / "everyday.tsv"};
    options_.corpus.split = {.valid_rows = 10, .test_rows = 20};
  }

  void TearDown() override { fs::remove_all(folder_); }

  void Write(const std::string& path, const std::string& text) {
    MakeFolder((folder_ / path).parent_path());
    WriteFileAtomically(folder_ / path, text);
  }

  std::string Read(const std::string& name) { return ReadFile(out_ / name); }

  // The columns of the rows of a part.
  std::vector<std::vector<std::string>> Rows(const std::string& part) {
    std::vector<std::vector<std::string>> rows;
    for (const std::string& line :
         german_english::SplitAndTrim(Read(part + ".tsv"), "\n")) {
      if (line.empty()) continue;
      rows.push_back(german_english::SplitAndTrim(line, "\t"));
      EXPECT_EQ(rows.back().size(), 3) << line;
    }
    return rows;
  }

  const fs::path folder_ = TemporaryPath("machine");
  const fs::path out_ = folder_ / "out";
  GermanEnglishOptions options_;
};

TEST_F(GermanEnglishDataTest, WritesAllParts) {
  const GermanEnglishSummary summary = WriteGermanEnglishData(out_, options_);
  EXPECT_EQ(summary.test, 20);
  EXPECT_EQ(summary.valid, 10);
  EXPECT_EQ(Rows("train").size(), summary.train);
  EXPECT_EQ(Rows("valid").size(), summary.valid);
  EXPECT_EQ(Rows("test").size(), summary.test);
  const std::string train = Read("train.tsv");
  for (const char* row :
       {"Germany\tDeutschland\tcldr\n", "house\tHaus\tding-words\n",
        "The house is on fire.\tDas Haus brennt.\tding-sentences\n",
        "Stop!\tHalt!\tfreedroidrpg\n"}) {
    EXPECT_THAT(train, HasSubstr(row));
  }
  EXPECT_THAT(train, testing::Not(HasSubstr("House\tHaus")))
      << "the dictionary has translated it";
}

TEST_F(GermanEnglishDataTest, NoSideIsInTwoParts) {
  WriteGermanEnglishData(out_, options_);
  std::set<std::string> train, test;
  for (const auto& row : Rows("train")) {
    train.insert({ClusterKey(row[0]), ClusterKey(row[1])});
  }
  for (const char* part : {"valid", "test"}) {
    std::set<std::string> german;
    std::string english_lines, german_lines;
    for (const auto& row : Rows(part)) {
      EXPECT_FALSE(train.contains(ClusterKey(row[0]))) << row[0];
      EXPECT_FALSE(train.contains(ClusterKey(row[1]))) << row[1];
      EXPECT_TRUE(german.insert(ClusterKey(row[1])).second) << row[1];
      EXPECT_EQ(row[2], "everyday");
      english_lines += row[0] + "\n";
      german_lines += row[1] + "\n";
    }
    EXPECT_EQ(Read(std::string(part) + ".en"), english_lines);
    EXPECT_EQ(Read(std::string(part) + ".de"), german_lines);
  }
}

TEST_F(GermanEnglishDataTest, CountsWhatBecameOfEachRow) {
  const GermanEnglishSummary summary = WriteGermanEnglishData(out_, options_);
  const auto counts = nlohmann::json::parse(Read("counts.json"));
  EXPECT_EQ(counts["everyday"]["read"], 201);
  EXPECT_EQ(counts["everyday"]["no letters"], 1);
  EXPECT_EQ(counts["everyday"]["kept as everyday"], 200);
  EXPECT_EQ(counts["wesnoth"]["messages"], 3);
  EXPECT_EQ(counts["wesnoth"]["sentences"], 4);
  EXPECT_EQ(counts["wesnoth"]["seen before"], 4);
  EXPECT_EQ(counts["parts"]["train"], summary.train);
  EXPECT_EQ(counts["parts"]["rows of the largest cluster"], 2);
  EXPECT_THAT(Read("README.md"), HasSubstr("| everyday | 170 | 6 |"));
}

TEST_F(GermanEnglishDataTest, WritesWeights) {
  options_.weights = {{"wesnoth", 0.25}, {"ding-words", 4}};
  WriteGermanEnglishData(out_, options_);
  const auto weights = nlohmann::json::parse(Read("weights.json"));
  EXPECT_EQ(weights["wesnoth"], 0.25);
  EXPECT_EQ(weights["ding-words"], 4);
  EXPECT_EQ(weights["everyday"], 6);
  options_.weights = {{"tatoeba", 1}};
  EXPECT_THAT([&] { WriteGermanEnglishData(out_, options_); },
              Throws<UsageError>(
                  Property(&Error::what, HasSubstr("everyday, ding-sent"))));
}

TEST_F(GermanEnglishDataTest, WritesTheSameBytesAgain) {
  WriteGermanEnglishData(out_, options_);
  const std::string train = Read("train.tsv"), test = Read("test.tsv");
  WriteGermanEnglishData(out_, options_);
  EXPECT_EQ(Read("train.tsv"), train);
  EXPECT_EQ(Read("test.tsv"), test);
}

TEST_F(GermanEnglishDataTest, HoldsOutFromPackagesWithoutATsv) {
  options_.corpus.tsv_files.clear();
  options_.corpus.split.valid_rows = 0;
  const GermanEnglishSummary summary = WriteGermanEnglishData(out_, options_);
  EXPECT_GE(summary.test, 1);
  EXPECT_GT(summary.train, summary.test);
}

TEST_F(GermanEnglishDataTest, NamesTheMissingPackage) {
  fs::remove_all(folder_ / "usr/share/games/wesnoth");
  EXPECT_THAT([&] { WriteGermanEnglishData(out_, options_); },
              Throws<Error>(Property(&Error::what, HasSubstr("wesnoth-1.16"))));
  fs::remove_all(folder_ / "usr/share/trans");
  EXPECT_THAT([&] { WriteGermanEnglishData(out_, options_); },
              Throws<Error>(Property(&Error::what, HasSubstr("trans-de-en"))));
  EXPECT_FALSE(fs::exists(out_));
  options_.corpus.packages = {"cldr"};
  EXPECT_GT(WriteGermanEnglishData(out_, options_).train, 0);
}

TEST_F(GermanEnglishDataTest, RejectsTwoSourcesOfOneName) {
  Write("wesnoth.tsv", "Hi.\tHallo!\n");
  options_.corpus.tsv_files.push_back(folder_ / "wesnoth.tsv");
  EXPECT_THAT(
      [&] { WriteGermanEnglishData(out_, options_); },
      Throws<UsageError>(Property(&Error::what, HasSubstr("named wesnoth"))));
}

TEST_F(GermanEnglishDataTest, AFailedRunLeavesNoTrainingSet) {
  WriteGermanEnglishData(out_, options_);
  fs::remove(out_ / "counts.json");
  MakeFolder(out_ / "counts.json" / "in the way");
  EXPECT_THROW(WriteGermanEnglishData(out_, options_), Error);
  EXPECT_FALSE(fs::exists(out_ / "train.tsv"));
}

}  // namespace
}  // namespace keylens
