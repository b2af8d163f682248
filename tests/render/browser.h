#ifndef KEYLENS_TESTS_RENDER_BROWSER_H_
#define KEYLENS_TESTS_RENDER_BROWSER_H_

#include <nlohmann/json.hpp>
#include <string>

#include "src/render/report/attention_report.h"

namespace keylens::render {

// What stands in the page's element of JSON with the id.
nlohmann::json DataOf(const std::string& page, const std::string& id);

// Chromium's path; empty, with a failure of the test that says what to install,
// where there is none, and with the test skipped where the environment says
// KEYLENS_WITHOUT_BROWSER=1.
std::string Browser();

// Opens the report's page in the browser, runs `driver` when it is there, and
// returns the object `seen` into which the driver put what it saw. The driver
// has one(selector), all(selector), press(key), mouse(element, type, x, y) with
// shares of the element, hottest(canvas), the share of the darkest pixel, and
// wait(). Anything in the browser's console is a failure.
nlohmann::json SeenIn(const AttentionReport& report, const std::string& driver);

}  // namespace keylens::render

#endif  // KEYLENS_TESTS_RENDER_BROWSER_H_
