#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "tests/render/attention_report_sample.h"
#include "tests/render/browser.h"

// The page as its reader has it, in Chromium.

namespace keylens::render {
namespace {

using nlohmann::json;

AttentionReport ReportOf(AttentionPanel panel) {
  AttentionReport report;
  report.panels.push_back(std::move(panel));
  return report;
}

TEST(AttentionReportBrowserTest, LinksWordsBothWays) {
  const json seen = SeenIn(SampleReport(), R"(
    seen.tiles = all('.tile').length;
    seen.first = one('h3').textContent;
    all('.tile')[8].click();
    seen.chosen = one('h3').textContent;
    seen.facts = one('.facts').textContent;
    seen.kind = all('.tile')[8].querySelector('.kind').textContent;
    seen.pressed = all('.tile[aria-pressed=true]').length;
    const canvas = one('.map > canvas');
    seen.cells = [canvas.width, canvas.height];
    const word = (list, at) => all('.sentence')[list].children[at];
    mouse(word(0, 1), 'mouseenter');
    seen.query = one('.status').textContent;
    seen.tinted = [...all('.sentence')[1].children].map(item => item.style.background !== '');
    mouse(word(0, 1), 'mouseleave');
    seen.released = one('.status').textContent;
    mouse(word(1, 2), 'mouseenter');
    seen.key = one('.status').textContent;
    mouse(word(1, 2), 'mouseleave');
    canvas.focus();
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowRight']) press(key);
    seen.cell = one('.status').textContent;
    mouse(canvas, 'mousemove', 0.9, 0.1);
    seen.hovered = one('.status').textContent;
    all('.tile')[8].focus();
    press('ArrowLeft');
    document.activeElement.click();
    seen.left = one('h3').textContent;
    one('input[value=map]').click();
    seen.scale = one('.legend span:last-child').textContent;
    const width = canvas.offsetWidth;
    one('.tools .larger').click();
    seen.larger = canvas.offsetWidth > width;)");
  if (seen.is_null()) return;
  EXPECT_EQ(seen["tiles"], 1 + 2 * 4);
  EXPECT_EQ(seen["first"], "mean of 2 layers of 3 heads");
  EXPECT_EQ(seen["chosen"], "layer 2, head 3");
  EXPECT_EQ(seen["facts"],
            "mixed: entropy 3.00 of 4.00 nats · first key 0\u00A0% · heaviest "
            "key 0\u00A0%");
  EXPECT_EQ(seen["kind"], "mixed");
  EXPECT_EQ(seen["pressed"], 1);
  EXPECT_EQ(seen["cells"], json({4, 2}));
  EXPECT_EQ(seen["query"],
            "“<heart> & \"more\"” looks at: “漢字” 90\u00A0%, “</script>” "
            "48\u00A0%, “Größe” 46\u00A0%, “rotes” 45\u00A0%");
  EXPECT_EQ(seen["tinted"], json({true, true, true, true}));
  EXPECT_EQ(seen["released"], "");
  EXPECT_EQ(seen["key"],
            "“漢字” is looked at by: “<heart> & \"more\"” 90\u00A0%, “red” "
            "43\u00A0%");
  EXPECT_EQ(seen["cell"], "“<heart> & \"more\"” gives “漢字” 90\u00A0%");
  EXPECT_EQ(seen["hovered"], "“red” gives “</script>” 44\u00A0%");
  EXPECT_EQ(seen["left"], "layer 2, head 2");
  EXPECT_EQ(seen["scale"], "0.400");
  EXPECT_EQ(seen["larger"], true);
}

TEST(AttentionReportBrowserTest, ShowsAClassTokensWeightsOverThePicture) {
  AttentionPanel panel = PicturePanel();
  panel.key_picture->picture.pixels.assign(12 * 8 * 3, 255);
  const json seen = SeenIn(ReportOf(std::move(panel)), R"(
    seen.tiles = all('.tile').length;
    seen.matrices = all('.map').length;
    all('.tile')[2].click();
    seen.chosen = one('h3').textContent;
    const picture = one('.picture canvas');
    seen.hottest = hottest(picture);
    mouse(picture, 'mousemove', 0.1, 0.75);
    seen.place = one('.status').textContent;
    seen.word = all('.sentence')[0].children[0].style.background !== '';
    mouse(picture, 'mouseleave');
    seen.resting = one('.status').textContent;
    picture.focus();
    for (const key of ['ArrowRight', 'ArrowRight', 'ArrowDown']) press(key);
    seen.walked = one('.status').textContent;
    seen.marked = !one('.picture .cross').hidden;
    press('Escape');
    all('.tile')[7].click();
    seen.named = [one('h3').textContent, one('.legend span:last-child').textContent, hottest(picture)];
    const width = picture.width;
    one('.tools .larger').click();
    seen.larger = picture.width > width;)");
  if (seen.is_null()) return;
  EXPECT_EQ(seen["tiles"], 1 + 2 * 3 + 1);
  EXPECT_EQ(seen["matrices"], 0);
  EXPECT_EQ(seen["chosen"], "layer 1, head 1");
  EXPECT_EQ(seen["hottest"], json({0, 0}));
  EXPECT_EQ(seen["place"], "“2,1” is looked at by: “class” 12\u00A0%");
  EXPECT_EQ(seen["word"], true);
  EXPECT_EQ(seen["resting"],
            "“class” looks at: “class” 14\u00A0%, “1,1” 14\u00A0%, “1,2” "
            "13\u00A0%, “1,3” 13\u00A0%");
  EXPECT_EQ(seen["walked"], "“2,2” is looked at by: “class” 12\u00A0%");
  EXPECT_EQ(seen["marked"], true);
  EXPECT_EQ(seen["named"][0], "rollout");
  EXPECT_EQ(seen["named"][1], "0.750");
  // The second place of the first row: the middle of three.
  EXPECT_NEAR(seen["named"][2][0].get<double>(), 0.5, 0.02);
  EXPECT_LT(seen["named"][2][1].get<double>(), 0.26);
  EXPECT_EQ(seen["larger"], true);
}

TEST(AttentionReportBrowserTest, APlaceShowsItsHeatOnThePictureItLooksAt) {
  AttentionPanel panel = PicturePanel();
  panel.key_picture->picture.pixels.assign(12 * 8 * 3, 255);
  panel.query_picture = panel.key_picture;
  panel.queries = Words(48);  // a class token, 6 places, and more
  panel.keys.resize(48, "word");
  panel.layers = panel.heads = 1;
  panel.statistics.clear();
  panel.named_maps.clear();
  panel.weights.assign(48 * 48, 0.01f);
  panel.weights[5 * 48 + 3] = 0.9f;  // the fifth place at the third
  const json seen = SeenIn(ReportOf(std::move(panel)), R"(
    const [queries, keys] = all('.picture canvas');
    seen.maps = all('.map').length;
    mouse(queries, 'mousemove', 0.5, 0.75);
    seen.place = one('.status').textContent;
    seen.looks = hottest(keys);
    mouse(queries, 'mouseleave');
    mouse(keys, 'mousemove', 0.9, 0.2);
    seen.looked = hottest(queries);)");
  if (seen.is_null()) return;
  EXPECT_EQ(seen["maps"], 1);
  EXPECT_THAT(seen["place"].get<std::string>(),
              testing::StartsWith("“word5” looks at: “1,3” 90\u00A0%"));
  EXPECT_GT(seen["looks"][0].get<double>(), 0.7);
  EXPECT_LT(seen["looks"][1].get<double>(), 0.3);
  EXPECT_NEAR(seen["looked"][0].get<double>(), 0.5, 0.1);
  EXPECT_GT(seen["looked"][1].get<double>(), 0.7);
}

// 2 x 2 places that look at two words in three steps: in step n, place n looks
// at the second word and all others at the first.
AttentionPanel StepsPanel() {
  AttentionPanel panel;
  panel.name = "layer up";
  panel.queries = {"1,1", "1,2", "2,1", "2,2"};
  panel.keys = {"red", "heart"};
  panel.steps = 3;
  panel.step_names = {"noise", "shape", "picture"};
  for (int step = 0; step < 3; ++step) {
    for (int place = 0; place < 4; ++place) {
      const float heart = place == step ? 0.875f : 0.125f;
      panel.weights.insert(panel.weights.end(), {1 - heart, heart});
    }
  }
  panel.query_picture = {
      .picture = {.width = 2, .height = 2, .channels = 3, .pixels = {}},
      .rows = 2,
      .cols = 2,
      .first = 0};
  panel.query_picture->picture.pixels.assign(2 * 2 * 3, 255);
  return panel;
}

TEST(AttentionReportBrowserTest, WalksThroughTheStepsOfASampler) {
  AttentionReport report = ReportOf(StepsPanel());
  report.panels.push_back(StepsPanel());
  const json seen = SeenIn(report, R"(
    const picture = one('.picture canvas'), slider = one('.steps input');
    const word = at => one('.sentence').children[at];
    const step = value => {
      slider.value = value;
      slider.dispatchEvent(new Event('input'));
    };
    seen.mean = one('.steps output').textContent;
    word(1).click();
    mouse(word(1), 'mouseleave');
    seen.kept = word(1).classList.contains('resting');
    seen.steps = [0, 1, 2].map(value => {
      step(value);
      return [one('.steps output').textContent, one('h3').textContent, hottest(picture)];
    });
    seen.other = all('.steps output')[1].textContent;
    mouse(picture, 'mousemove', 0.25, 0.75);
    seen.place = one('.status').textContent;
    seen.tinted = [word(0), word(1)].map(item => item.style.background);
    seen.still = hottest(picture);
    mouse(picture, 'mouseleave');
    mouse(word(0), 'mouseenter');
    seen.previewed = hottest(picture);
    slider.focus();
    press('+');
    seen.range = [slider.min, slider.max];)");
  if (seen.is_null()) return;
  EXPECT_EQ(seen["mean"], "mean of 3 steps");
  EXPECT_EQ(seen["kept"], true);
  EXPECT_EQ(seen["steps"],
            json({{"noise", "weights, noise", {0, 0}},
                  {"shape", "weights, shape", seen["steps"][1][2]},
                  {"picture", "weights, picture", seen["steps"][2][2]}}));
  EXPECT_GT(seen["steps"][1][2][0].get<double>(), 0.7);
  EXPECT_LT(seen["steps"][1][2][1].get<double>(), 0.3);
  EXPECT_LT(seen["steps"][2][2][0].get<double>(), 0.3);
  EXPECT_GT(seen["steps"][2][2][1].get<double>(), 0.7);
  EXPECT_EQ(seen["other"], "picture");
  EXPECT_EQ(seen["place"],
            "“2,1” looks at: “heart” 88\u00A0%, “red” 13\u00A0%");
  EXPECT_NE(seen["tinted"][0], seen["tinted"][1]);
  EXPECT_EQ(seen["still"], seen["steps"][2][2]);
  EXPECT_NE(seen["previewed"], seen["steps"][2][2]);
  EXPECT_EQ(seen["range"], json({"-1", "2"}));
}

TEST(AttentionReportBrowserTest, LooksCloserIntoLongSequences) {
  const json seen = SeenIn(ReportOf(LongPanel()), R"(
    const canvas = one('.map > canvas');
    const size = () => [canvas.height, canvas.width];
    seen.whole = size();
    seen.hint = one('.status').textContent;
    seen.none = one('.heaviest ol').textContent;
    all('.tile')[1].click();
    mouse(canvas, 'click', 5.5 / 19, 5.5 / 16);
    seen.closer = size();
    seen.trail = all('.trail button').map(button => button.textContent);
    seen.run = one('.trail').lastChild.textContent;
    canvas.focus();
    mouse(canvas, 'mousemove', 20.5 / 75, 20.5 / 63);
    seen.cell = one('.status').textContent;
    press('Enter');
    seen.closest = size();
    seen.scale = one('.legend span:last-child').textContent;
    mouse(canvas, 'mousemove', 64.5 / 128, 64.5 / 128);
    seen.exact = one('.status').textContent;
    seen.heaviest = one('.heaviest ol').textContent;
    seen.query = one('.heaviest input').value;
    mouse(canvas, 'mousemove', 127.5 / 128, 64.5 / 128);
    press('ArrowRight');
    seen.panned = one('.status').textContent;
    press('Backspace');
    seen.back = size();
    one('.trail button').click();
    seen.all = size();
    const input = one('.heaviest input');
    input.value = '249';
    input.dispatchEvent(new Event('input'));
    seen.asked = one('.heaviest ol').textContent;)");
  if (seen.is_null()) return;
  EXPECT_EQ(seen["whole"], json({16, 19}));
  EXPECT_EQ(seen["hint"],
            "Click a cell, or press Enter on it, for a closer look.");
  EXPECT_EQ(seen["none"], "choose a head in the overview");
  EXPECT_EQ(seen["closer"], json({63, 75}));
  EXPECT_EQ(seen["trail"], json({"whole", "0–249 × 0–299"}));
  EXPECT_EQ(seen["run"], " a cell is 4 queries by 4 keys");
  EXPECT_EQ(seen["cell"], "“80–83” gives “80–83” 75\u00A0%");
  EXPECT_EQ(seen["closest"], json({128, 128}));
  EXPECT_EQ(seen["scale"], "0.750");
  EXPECT_EQ(seen["exact"], "“82” gives “82” 75\u00A0%");
  EXPECT_EQ(seen["query"], "82");
  EXPECT_EQ(seen["heaviest"], "82 75\u00A0%0 25\u00A0%");
  EXPECT_EQ(seen["panned"], "“82” gives “146” 0\u00A0%");
  EXPECT_EQ(seen["back"], json({63, 75}));
  EXPECT_EQ(seen["all"], json({16, 19}));
  EXPECT_EQ(seen["asked"], "249 75\u00A0%0 25\u00A0%");
}

}  // namespace
}  // namespace keylens::render
