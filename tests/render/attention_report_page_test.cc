#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>

#include "src/render/report/attention_report_outputs.h"
#include "tests/render/attention_report_sample.h"
#include "tests/render/browser.h"

namespace keylens::render {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(AttentionReportHtmlTest, HasTheReportInIt) {
  const std::string page = AttentionReportHtml(SampleReport());
  const nlohmann::json report = DataOf(page, "report");
  const nlohmann::json whole =
      nlohmann::json::parse(AttentionReportJson(SampleReport()));
  EXPECT_EQ(report["title"], whole["title"]);
  EXPECT_EQ(report["scale_top"], whole["scale_top"]);
  const nlohmann::json &panel = report["panels"][0],
                       &whole_panel = whole["panels"][0];
  for (const char* part : {"name", "queries", "keys", "statistics", "heads"})
    EXPECT_EQ(panel[part], whole_panel[part]);
  nlohmann::json flat = nlohmann::json::array();
  const nlohmann::json by_place = whole_panel["weights"].flatten();
  for (const nlohmann::json& weight : by_place) flat.push_back(weight);
  EXPECT_EQ(panel["weights"]["numbers"], flat);
  const nlohmann::json colours = DataOf(page, "colours");
  EXPECT_EQ(colours["light"].size(), 256);
  EXPECT_EQ(colours["dark"].size(), 256);
  EXPECT_THAT(page, HasSubstr("<title>red heart &lt;1> &amp; more</title>"));
  EXPECT_THAT(page, Not(HasSubstr("{{")));
}

TEST(AttentionReportHtmlTest, PacksLargeArrays) {
  AttentionReport report;
  report.panels = {EvenPanel(Words(400), Words(300))};
  report.panels[0].weights.back() = 0.5f;
  const nlohmann::json panel =
      DataOf(AttentionReportHtml(report), "report")["panels"][0];
  const std::string packed = panel["weights"]["float16"];
  EXPECT_EQ(packed.size(), 400 * 300 * 2 * 4 / 3);
  // The last bytes: the upper one of 1/300 (0x1AD4), and 1/2 (0x3800).
  EXPECT_THAT(packed, testing::EndsWith("GgA4"));
}

TEST(AttentionReportHtmlTest, LeavesTilesWithoutWeightOut) {
  AttentionReport report;
  report.panels = {LongPanel()};
  const nlohmann::json level =
      DataOf(AttentionReportHtml(report),
             "report")["panels"][0]["long_sequences"]["levels"][1];
  EXPECT_EQ(level["rows"], 250);
  EXPECT_EQ(level["cols"], 300);
  EXPECT_EQ(level["top"], 1.0);
  // Of 2 x 4 x 5 tiles those on the diagonal and at the first key.
  std::vector<std::string> names;
  for (const auto& [name, cells] : level["tiles"].items())
    names.push_back(name);
  EXPECT_THAT(names, testing::UnorderedElementsAre(
                         "0,0,0", "0,1,0", "0,1,1", "0,2,0", "0,2,2", "0,3,0",
                         "0,3,3", "1,0,0", "1,1,0", "1,1,1", "1,2,0", "1,2,2",
                         "1,3,0", "1,3,3"));
}

TEST(AttentionReportHtmlTest, LoadsNothing) {
  const std::string page = AttentionReportHtml(SampleReport());
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
  EXPECT_FALSE(std::regex_search(
      page, std::regex("https?://|src=|url\\(|@import|fetch\\(")));
}

}  // namespace
}  // namespace keylens::render
