#include "tests/render/browser.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string_view>

#include "src/base/file.h"
#include "src/render/report/attention_report_outputs.h"
#include "tests/temporary_path.h"

namespace keylens::render {
namespace {

namespace fs = std::filesystem;

// A script at the end of the page that acts as a reader does and leaves what it
// saw in an element.
constexpr std::string_view kBefore = R"(<script>
addEventListener('load', async () => {
  const seen = {};
  const one = selector => document.querySelector(selector);
  const all = selector => [...document.querySelectorAll(selector)];
  const press = key => document.activeElement.dispatchEvent(
      new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true}));
  const mouse = (element, type, x = 0.5, y = 0.5) => {
    const box = element.getBoundingClientRect();
    element.dispatchEvent(new MouseEvent(type, {bubbles: true,
        clientX: box.left + x * box.width, clientY: box.top + y * box.height}));
  };
  const hottest = canvas => {
    const {width, height} = canvas;
    const copy = Object.assign(document.createElement('canvas'), {width, height});
    const context = copy.getContext('2d', {willReadFrequently: true});
    context.drawImage(canvas, 0, 0);
    const {data} = context.getImageData(0, 0, width, height);
    let best = 0;
    const light = at => data[4 * at] + data[4 * at + 1] + data[4 * at + 2];
    for (let at = 0; at < width * height; ++at) if (light(at) < light(best)) best = at;
    return [best % width / width, Math.floor(best / width) / height];
  };
  const wait = () => new Promise(done => setTimeout(done, 200));
  await wait();
)";
constexpr std::string_view kAfter = R"(
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

// What the page said in the browser's console.
std::string ConsoleOf(const std::string& output) {
  std::string console;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    if (line.find(":CONSOLE") != std::string::npos) console += line + "\n";
  }
  return console;
}

}  // namespace

nlohmann::json DataOf(const std::string& page, const std::string& id) {
  const std::string open = "id=\"" + id + "\">";
  const std::size_t begin = page.find(open) + open.size();
  return nlohmann::json::parse(
      page.substr(begin, page.find("</script>", begin) - begin));
}

std::string Browser() {
  for (const char* path : {"/usr/bin/chromium", "/usr/bin/google-chrome"}) {
    if (fs::exists(path)) return path;
  }
  const char* without = std::getenv("KEYLENS_WITHOUT_BROWSER");
  if (without != nullptr && std::string_view(without) == "1") {
    [] { GTEST_SKIP() << "KEYLENS_WITHOUT_BROWSER=1"; }();
  } else {
    ADD_FAILURE() << "no browser to open the page in: run scripts/install-deps "
                     "(Debian's chromium), or set KEYLENS_WITHOUT_BROWSER=1";
  }
  return "";
}

nlohmann::json SeenIn(const AttentionReport& report,
                      const std::string& driver) {
  const std::string browser = Browser();
  if (browser.empty()) return {};
  const fs::path folder = TemporaryPath("browser");
  MakeFolder(folder);
  std::string page = AttentionReportHtml(report);
  page.insert(page.rfind("</body>"),
              std::string(kBefore) + driver + std::string(kAfter));
  WriteFileAtomically(folder / "page.html", page);
  const std::string output =
      OutputOf("timeout 120 " + browser +
               " --headless --no-sandbox --disable-gpu --disable-dev-shm-usage "
               "--no-first-run --enable-logging=stderr --window-size=1300,1000 "
               "--user-data-dir=" +
               (folder / "profile").string() +
               " --virtual-time-budget=5000 --dump-dom " +
               (folder / "page.html").string());
  fs::remove_all(folder);
  EXPECT_EQ(ConsoleOf(output), "");
  if (output.find("id=\"seen\"") == std::string::npos) {
    ADD_FAILURE() << "the driver did not end: " << output.substr(0, 2000);
    return {};
  }
  return DataOf(output, "seen");
}

}  // namespace keylens::render
