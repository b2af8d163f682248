#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>

#include "src/base/file.h"
#include "src/render/attention_report_outputs.h"
#include "tests/render/attention_report_sample.h"
#include "tests/temporary_path.h"

namespace keylens::render {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

// What stands in the page's element of JSON with the id.
nlohmann::json DataOf(const std::string& page, const std::string& id) {
  const std::string open = "id=\"" + id + "\">";
  const std::size_t begin = page.find(open) + open.size();
  return nlohmann::json::parse(
      page.substr(begin, page.find("</script>", begin) - begin));
}

TEST(AttentionReportHtmlTest, HasTheReportInIt) {
  const std::string page = AttentionReportHtml(SampleReport());
  EXPECT_EQ(DataOf(page, "report"),
            nlohmann::json::parse(AttentionReportJson(SampleReport())));
  const nlohmann::json colours = DataOf(page, "colours");
  EXPECT_EQ(colours["light"].size(), 256);
  EXPECT_EQ(colours["dark"].size(), 256);
  EXPECT_THAT(page, HasSubstr("<title>red heart &lt;1> &amp; more</title>"));
  EXPECT_THAT(page, Not(HasSubstr("{{")));
}

TEST(AttentionReportHtmlTest, LoadsNothing) {
  const std::string page = AttentionReportHtml(SampleReport());
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
  EXPECT_FALSE(std::regex_search(
      page, std::regex("https?://|src=|url\\(|@import|fetch\\(")));
}

// The driver and what it sees: a script at the end of the page that acts as a
// reader does and leaves its observations in an element.
constexpr char kDriver[] = R"(<script>
addEventListener('load', () => {
  const seen = {};
  const one = selector => document.querySelector(selector);
  const press = key => document.activeElement.dispatchEvent(
      new KeyboardEvent('keydown', {key, bubbles: true}));
  seen.tiles = document.querySelectorAll('.tile').length;
  seen.first = one('h3').textContent;
  document.querySelectorAll('.tile')[8].click();
  seen.chosen = one('h3').textContent;
  seen.pressed = document.querySelectorAll('.tile[aria-pressed=true]').length;
  const canvas = one('.map > canvas');
  seen.cells = [canvas.width, canvas.height];
  const word = (list, at) => document.querySelectorAll('.sentence')[list].children[at];
  word(0, 1).dispatchEvent(new MouseEvent('mouseenter'));
  seen.query = one('.status').textContent;
  seen.tinted = [...document.querySelectorAll('.sentence')[1].children].map(item => item.style.background !== '');
  word(0, 1).dispatchEvent(new MouseEvent('mouseleave'));
  seen.released = one('.status').textContent;
  word(1, 2).dispatchEvent(new MouseEvent('mouseenter'));
  seen.key = one('.status').textContent;
  word(1, 2).dispatchEvent(new MouseEvent('mouseleave'));
  canvas.focus();
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowRight']) press(key);
  seen.cell = one('.status').textContent;
  document.querySelectorAll('.tile')[8].focus();
  press('ArrowLeft');
  document.activeElement.click();
  seen.left = one('h3').textContent;
  one('input[value=map]').click();
  seen.scale = one('.legend span').textContent;
  const width = one('.map > canvas').offsetWidth;
  one('.tools button:last-of-type').click();
  seen.larger = one('.map > canvas').offsetWidth > width;
  const result = document.createElement('script');
  result.type = 'application/json';
  result.id = 'seen';
  result.textContent = JSON.stringify(seen).replaceAll('<', '\\u003c');
  document.body.append(result);
});
</script></body>)";

// The output of a command, standard error with it.
std::string OutputOf(const std::string& command) {
  std::string output;
  std::FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  std::array<char, 4096> part;
  while (const std::size_t read = std::fread(part.data(), 1, part.size(), pipe))
    output.append(part.data(), read);
  pclose(pipe);
  return output;
}

std::string Browser() {
  for (const char* path : {"/usr/bin/chromium", "/usr/bin/google-chrome"}) {
    if (fs::exists(path)) return path;
  }
  return "";
}

// The page after the driver ran in it, and the browser's log before it.
std::string Browse(const std::string& browser, const AttentionReport& report) {
  const fs::path folder = TemporaryPath("browser");
  MakeFolder(folder);
  std::string page = AttentionReportHtml(report);
  page.replace(page.rfind("</body>"), 7, kDriver);
  WriteFileAtomically(folder / "page.html", page);
  const std::string output =
      OutputOf("timeout 120 " + browser +
               " --headless --no-sandbox --disable-gpu --disable-dev-shm-usage "
               "--no-first-run --enable-logging=stderr --user-data-dir=" +
               (folder / "profile").string() +
               " --virtual-time-budget=5000 --dump-dom " +
               (folder / "page.html").string());
  fs::remove_all(folder);
  return output;
}

TEST(AttentionReportHtmlTest, WorksInABrowser) {
  const std::string browser = Browser();
  if (browser.empty())
    GTEST_SKIP() << "no browser: apt-get install chromium to run this test";
  const std::string output = Browse(browser, SampleReport());
  EXPECT_THAT(output, Not(HasSubstr("CONSOLE")));
  ASSERT_THAT(output, HasSubstr("id=\"seen\"")) << output.substr(0, 2000);
  const nlohmann::json seen = DataOf(output, "seen");
  EXPECT_EQ(seen["tiles"], 1 + 2 * 4);
  EXPECT_EQ(seen["first"], "mean of 2 layers of 3 heads");
  EXPECT_EQ(seen["chosen"], "layer 2, head 3 (mean entropy 3.00 nats)");
  EXPECT_EQ(seen["pressed"], 1);
  EXPECT_EQ(seen["cells"], nlohmann::json({4, 2}));
  EXPECT_EQ(seen["query"],
            "“<heart> & \"more\"” looks at: “漢字” 90\u00A0%, “</script>” "
            "48\u00A0%, “Größe” 46\u00A0%, “rotes” 45\u00A0%");
  EXPECT_EQ(seen["tinted"], nlohmann::json({true, true, true, true}));
  EXPECT_EQ(seen["released"], "");
  EXPECT_EQ(seen["key"],
            "“漢字” is looked at by: “<heart> & \"more\"” 90\u00A0%, “red” "
            "43\u00A0%");
  EXPECT_EQ(seen["cell"], "“<heart> & \"more\"” gives “漢字” 90\u00A0%");
  EXPECT_EQ(seen["left"], "layer 2, head 2 (mean entropy 2.00 nats)");
  EXPECT_EQ(seen["scale"], "0.400");
  EXPECT_EQ(seen["larger"], true);
}

}  // namespace
}  // namespace keylens::render
