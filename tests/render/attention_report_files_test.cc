#include "src/render/sheets/attention_report_files.h"

#include <glib.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <variant>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/checkpoint/npy.h"
#include "src/render/report/attention_report_outputs.h"
#include "src/render/sheets/attention_report_layout.h"
#include "tests/render/attention_report_sample.h"
#include "tests/render/pixels.h"
#include "tests/temporary_path.h"

namespace keylens::render {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

TEST(AttentionReportJsonTest, ComesBackAsItWas) {
  const AttentionReport report = SampleReport();
  const AttentionPanel& panel = report.panels[0];
  const json read = json::parse(AttentionReportJson(report));
  EXPECT_EQ(read["format"], "keylens attention report");
  EXPECT_EQ(read["version"], 2);
  EXPECT_EQ(read["title"], report.title);
  EXPECT_EQ(read["notes"], report.notes);
  EXPECT_EQ(read["quantity"], "attention weight");
  EXPECT_NEAR(read["scale_top"].get<double>(), 0.9, 1e-6);
  const json& back = read["panels"][0];
  EXPECT_EQ(back["name"], panel.name);
  EXPECT_EQ(back["query_axis"], "English");
  EXPECT_EQ(back["key_axis"], "German");
  EXPECT_EQ(back["queries"], panel.queries);
  EXPECT_EQ(back["keys"], panel.keys);
  EXPECT_EQ(back["layers"], 2);
  EXPECT_EQ(back["heads"], 3);
  EXPECT_EQ(back["steps"], 1);
  EXPECT_EQ(back["statistics"][0][1]["entropy"], 1.25);
  EXPECT_EQ(back["statistics"][1][2]["entropy"], 3.0);
  EXPECT_EQ(back["statistics"][0][1]["kind"], "focused");
  std::size_t at = 0;
  for (const json& layer : back["weights"][0]) {
    for (const json& head : layer) {
      for (const json& row : head) {
        for (const json& weight : row)
          EXPECT_NEAR(weight.get<float>(), panel.weights.at(at++), 1e-6);
      }
    }
  }
  EXPECT_EQ(at, panel.weights.size());
  const std::vector<float> mean = MapOf(panel, {}),
                           of_layer = MapOf(panel, {1, {}});
  EXPECT_NEAR(back["mean"][1][2].get<float>(), mean[6], 1e-5);
  EXPECT_NEAR(back["mean_over_heads"][1][1][2].get<float>(), of_layer[6], 1e-5);
}

TEST(AttentionReportJsonTest, KeepsSmallWeightsAndAnyBytes) {
  AttentionReport report;
  report.panels = {EvenPanel({"q"}, {"a", "\xff"})};
  report.panels[0].weights = {1.23456789e-9f, 1.0f};
  const json panel = json::parse(AttentionReportJson(report))["panels"][0];
  EXPECT_EQ(panel["weights"][0][0][0][0][0], 1.2346e-9);
  EXPECT_EQ(panel["keys"][1], "\uFFFD");
  EXPECT_FALSE(panel.contains("statistics"));
}

TEST(AttentionReportJsonTest, HoldsPicturesStepsAndNamedMaps) {
  AttentionReport report;
  report.panels = {PicturePanel(), EvenPanel({"q"}, {"a", "b"})};
  AttentionPanel& steps = report.panels[1];
  steps.steps = 2;
  steps.step_names = {"early", "late"};
  steps.weights = {0.5f, 0.25f, 0.125f, 0.75f};
  const json panels = json::parse(AttentionReportJson(report))["panels"];
  const json& picture = panels[0]["key_picture"];
  EXPECT_EQ(picture["rows"], 2);
  EXPECT_EQ(picture["cols"], 3);
  EXPECT_EQ(picture["first"], 1);
  EXPECT_EQ(picture["width"], 12);
  EXPECT_THAT(picture["png"], testing::StartsWith("iVBORw0KGgo"));
  EXPECT_EQ(panels[0]["named_maps"][0]["name"], "rollout");
  EXPECT_EQ(panels[0]["named_maps"][0]["weights"][0][2], 0.75);
  EXPECT_EQ(panels[0]["named_maps"][0]["scale_top"], 0.75);
  EXPECT_EQ(panels[1]["step_names"], json({"early", "late"}));
  EXPECT_EQ(panels[1]["weights"][1][0][0][0], json({0.125, 0.75}));
  EXPECT_FALSE(panels[1].contains("key_picture"));
}

TEST(AttentionReportJsonTest, HoldsTheLevelsOfLongSequences) {
  AttentionReport report;
  report.panels = {LongPanel()};
  const json panel = json::parse(AttentionReportJson(report))["panels"][0];
  const json& sequences = panel["long_sequences"];
  EXPECT_EQ(sequences["query_count"], 250);
  EXPECT_EQ(sequences["levels"][0]["keys_per_cell"], 4);
  const json& cells = sequences["levels"][1]["weights"];
  EXPECT_EQ(cells[0][1].size(), 250);
  EXPECT_EQ(cells[0][1][249].size(), 300);
  EXPECT_EQ(cells[0][1][249][249], 0.75);
  EXPECT_EQ(sequences["top_keys"][0][1][249], json({249, 0, -1}));
  EXPECT_EQ(sequences["top_weights"][0][1][249], json({0.75, 0.25, 0.0}));
}

// What GLib's parser found in an SVG document.
struct Parsed {
  std::map<std::string, int> elements;
  std::vector<std::string> texts;  // the content of text elements
  std::string error;
};

Parsed ParseXml(const std::string& document) {
  Parsed parsed;
  GMarkupParser parser = {};
  parser.start_element = [](GMarkupParseContext*, const char* name,
                            const char**, const char**, void* data, GError**) {
    ++static_cast<Parsed*>(data)->elements[name];
  };
  parser.text = [](GMarkupParseContext* context, const char* text,
                   std::size_t length, void* data, GError**) {
    if (std::string(g_markup_parse_context_get_element(context)) == "text")
      static_cast<Parsed*>(data)->texts.emplace_back(text, length);
  };
  GMarkupParseContext* context =
      g_markup_parse_context_new(&parser, {}, &parsed, nullptr);
  GError* error = nullptr;
  if (!g_markup_parse_context_parse(context, document.data(),
                                    static_cast<gssize>(document.size()),
                                    &error) ||
      !g_markup_parse_context_end_parse(context, &error)) {
    parsed.error = error->message;
    g_error_free(error);
  }
  g_markup_parse_context_free(context);
  return parsed;
}

TEST(AttentionReportSvgTest, SaysWhatTheScaleCounts) {
  AttentionReport report = SampleReport();
  report.quantity = "share";
  const std::string svg = AttentionReportSvg(report);
  EXPECT_THAT(svg, HasSubstr(">share<"));
  EXPECT_THAT(svg, Not(HasSubstr("attention weight")));
}

TEST(AttentionReportSvgTest, IsXmlWithEveryLabelAsText) {
  const Parsed parsed = ParseXml(AttentionReportSvg(SampleReport()));
  EXPECT_EQ(parsed.error, "");
  for (const char* text :
       {"red heart <1> & more", "model <emoji>", "cross-attention", "red",
        "<heart> & \"more\"", "rotes", "Größe", "漢字", "</script>", "head 3",
        "mixed · 3.00 nats", "layer 2", "mean of 3 heads"}) {
    EXPECT_THAT(parsed.texts, testing::Contains(text));
  }
  // The scale, the mean of all, and for both layers a mean and three heads.
  EXPECT_EQ(parsed.elements.at("g"), 10);
  EXPECT_FALSE(parsed.elements.contains("image"));
}

TEST(AttentionReportSvgTest, BytesThatXmlForbidsAreReplaced) {
  AttentionReport report;
  report.title = std::string("a\0b\x1b[31m\xff\xEF\xBF\xBF", 12);
  report.panels = {EvenPanel({"\x01"}, {"\xC2\x85"})};
  EXPECT_EQ(ParseXml(AttentionReportSvg(report)).error, "");
}

TEST(AttentionReportSvgTest, SmallCellsAreAPictureAndLabelsThinned) {
  AttentionReport report;
  report.panels = {EvenPanel(Words(200), Words(200))};
  const Parsed parsed = ParseXml(AttentionReportSvg(report));
  EXPECT_EQ(parsed.error, "");
  EXPECT_EQ(parsed.elements.at("image"), 1);
  EXPECT_THAT(parsed.texts, testing::Contains("word0"));
  EXPECT_THAT(parsed.texts, Not(testing::Contains("word1")));
  // Lines of 10.5 pixels in cells of 2: every sixth word, on both sides.
  EXPECT_EQ(std::ranges::count(parsed.texts, "word6"), 2);
  EXPECT_EQ(std::ranges::count(parsed.texts, "word198"), 2);
}

// The map of the given name in the layout.
Drawing::Cells CellsNamed(const Drawing& drawing, const std::string& name) {
  for (const auto& element : drawing.elements) {
    const auto* cells = std::get_if<Drawing::Cells>(&element);
    if (cells != nullptr && cells->name == name) return *cells;
  }
  ADD_FAILURE() << "no map " << name;
  return {};
}

TEST(AttentionReportPngTest, TheDarkestCellIsTheLargestWeight) {
  const fs::path path = TemporaryPath("report.PNG");
  const AttentionReport report = SampleReport();
  WriteAttentionReport(report, path);
  const Image image = ReadImage(path);
  EXPECT_EQ(ReadPngText(path)[0].second, report.title);
  fs::remove(path);
  const Drawing layout = LayOutReport(report);
  EXPECT_EQ(image.width, layout.width);
  EXPECT_EQ(image.height, layout.height);
  const Drawing::Cells map =
      CellsNamed(layout, "cross-attention: layer 2, head 3");
  for (int row = 0; row < map.rows; ++row) {
    for (int col = 0; col < map.cols; ++col) {
      const Colour colour =
          ColourOf(image, map.x + col * map.cell_width + map.cell_width / 2,
                   map.y + row * map.cell_height + map.cell_height / 2);
      EXPECT_EQ(colour == HeatColour(1), row == 1 && col == 2);
    }
  }
}

TEST(AttentionReportPngTest, NamesTheOtherFormatsWhenThePictureIsTooLarge) {
  AttentionReport report;
  AttentionPanel panel = EvenPanel(Words(400), Words(400));
  panel.layers = 12;
  panel.heads = 12;
  panel.weights.assign(400 * 400 * 144, 0.0f);
  report.panels = {std::move(panel)};
  try {
    WriteAttentionReport(report, "report.png");
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("report.png: a picture of "));
    EXPECT_THAT(error.what(), HasSubstr("write .html, .json or .svg"));
  }
  EXPECT_FALSE(fs::exists("report.png"));
}

bool Within(const Box& box, const Drawing& drawing) {
  return box.x >= 0 && box.y >= 0 && box.x + box.width <= drawing.width &&
         box.y + box.height <= drawing.height;
}

Box BoxOf(const Drawing::Cells& cells) {
  return {double(cells.x), double(cells.y),
          double(cells.cols) * cells.cell_width,
          double(cells.rows) * cells.cell_height};
}

bool Overlap(const Box& a, const Box& b) {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height &&
         b.y < a.y + a.height;
}

TEST(AttentionReportLayoutTest, MapsNeitherOverlapNorLeaveTheSheet) {
  for (const auto& [queries, keys] :
       {std::pair{1, 1}, {1, 60}, {60, 1}, {9, 12}, {200, 150}}) {
    AttentionReport report;
    AttentionPanel panel = EvenPanel(Words(queries), Words(keys));
    panel.layers = 2;
    panel.heads = 4;
    panel.weights.assign(panel.weights.size() * 8, 0.1f);
    report.panels = {panel, panel};
    const Drawing drawing = LayOutReport(report);
    std::vector<Box> maps;
    for (const auto& element : drawing.elements) {
      if (const auto* cells = std::get_if<Drawing::Cells>(&element)) {
        EXPECT_TRUE(Within(BoxOf(*cells), drawing));
        EXPECT_GE(cells->cell_width, 2);
        for (const Box& other : maps)
          EXPECT_FALSE(Overlap(BoxOf(*cells), other)) << cells->name;
        maps.push_back(BoxOf(*cells));
      }
    }
    EXPECT_EQ(maps.size(), 1 + 2 * (1 + 2 * 5));
  }
}

TEST(AttentionReportWriteTest, NamesTheFormatsForAnotherExtension) {
  for (const char* name : {"maps.pdf", "maps", "svg", "maps.svg.gz"}) {
    try {
      WriteAttentionReport(SampleReport(), name);
      FAIL() << name;
    } catch (const Error& error) {
      EXPECT_EQ(error.what(),
                std::string(name) +
                    ": maps are written as .png, .svg, .html, .json or .npy");
    }
    EXPECT_THROW(CheckReportPath(name), Error);
    EXPECT_FALSE(fs::exists(name));
  }
  CheckReportPath("a.b.HTML");
}

TEST(AttentionReportPictureTest, MapsAreDrawnOverThePicture) {
  AttentionReport report;
  report.panels = {PicturePanel()};
  const Drawing drawing = LayOutReport(report);
  std::vector<std::string> names;
  std::vector<Box> boxes;
  for (const auto& element : drawing.elements) {
    const auto* picture = std::get_if<Drawing::Picture>(&element);
    if (picture == nullptr) continue;
    const Box box = {double(picture->x), double(picture->y),
                     double(picture->image.width),
                     double(picture->image.height)};
    EXPECT_TRUE(Within(box, drawing));
    for (const Box& other : boxes) EXPECT_FALSE(Overlap(box, other));
    boxes.push_back(box);
    names.push_back(picture->name);
  }
  EXPECT_THAT(
      names,
      testing::ElementsAre(
          "class token: picture", "class token: mean of 2 layers of 2 heads",
          "class token: rollout", "class token: layer 1, mean of 2 heads",
          "class token: layer 1, head 1", "class token: layer 1, head 2",
          "class token: layer 2, mean of 2 heads",
          "class token: layer 2, head 1", "class token: layer 2, head 2"));
  const Parsed parsed = ParseXml(AttentionReportSvg(report));
  EXPECT_EQ(parsed.error, "");
  EXPECT_EQ(parsed.elements.at("image"), 9);
  EXPECT_THAT(parsed.texts, testing::Contains("0 to 0.75"));
}

TEST(AttentionReportPictureTest, TheHottestPlaceIsTheHeaviestKey) {
  AttentionPanel panel = PicturePanel();
  panel.key_picture->picture.pixels.assign(12 * 8 * 3, 255);
  panel.layers = panel.heads = 1;
  panel.statistics.clear();
  panel.named_maps.clear();
  panel.weights.assign(7, 0.0f);
  panel.weights[1 + 1 * 3 + 2] = 0.5f;  // the last place of the second row
  AttentionReport report;
  report.panels = {panel};
  for (const auto& element : LayOutReport(report).elements) {
    const auto* picture = std::get_if<Drawing::Picture>(&element);
    if (picture == nullptr || picture->name.ends_with("picture")) continue;
    const int width = picture->image.width, height = picture->image.height;
    EXPECT_EQ(ColourOf(picture->image, width * 5 / 6, height * 3 / 4),
              HeatColour(1));
    EXPECT_EQ(ColourOf(picture->image, width / 6, height / 4), HeatColour(0));
  }
}

TEST(AttentionReportPictureTest, EachWordHasItsMapOfPlacesThatLookAtIt) {
  AttentionPanel panel = PicturePanel();
  std::swap(panel.queries, panel.keys);
  panel.keys = {"red", "heart"};
  panel.query_picture = std::exchange(panel.key_picture, std::nullopt);
  panel.layers = 1;
  panel.statistics.clear();
  panel.named_maps.clear();
  panel.weights.assign(2 * 7 * 2, 0.25f);
  AttentionReport report;
  report.panels = {panel};
  const Parsed parsed = ParseXml(AttentionReportSvg(report));
  EXPECT_EQ(parsed.elements.at("image"), 1 + 2 + 2 * 2);
  EXPECT_THAT(parsed.texts, testing::Contains("25 %"));
}

std::vector<float> ValuesOf(const NpyArray& array) {
  std::vector<float> values(array.bytes().size() / sizeof(float));
  std::memcpy(values.data(), array.bytes().data(), array.bytes().size());
  return values;
}

TEST(AttentionReportNpyTest, HoldsTheWeightsOfEachPanelAndNamedMap) {
  const fs::path folder = TemporaryPath("npy");
  MakeFolder(folder);
  AttentionReport report = SampleReport();
  WriteAttentionReport(report, folder / "one.npy");
  const NpyArray one = NpyArray::Read(folder / "one.npy");
  EXPECT_EQ(one.shape(), std::vector<int64_t>({1, 2, 3, 2, 4}));
  EXPECT_EQ(ValuesOf(one), report.panels[0].weights);
  report.panels = {PicturePanel(), SamplePanel(), SamplePanel()};
  report.panels[1].name = "x/y: z";
  report.panels[2].name = "x/y z";
  WriteAttentionReport(report, folder / "many.npy");
  EXPECT_EQ(ValuesOf(NpyArray::Read(folder / "many.class-token.rollout.npy")),
            report.panels[0].named_maps[0].weights);
  EXPECT_EQ(ValuesOf(NpyArray::Read(folder / "many.class-token.npy")),
            report.panels[0].weights);
  EXPECT_TRUE(fs::exists(folder / "many.x-y-z.npy"));
  EXPECT_TRUE(fs::exists(folder / "many.x-y-z-2.npy"));
  EXPECT_FALSE(fs::exists(folder / "many.npy"));
  fs::remove_all(folder);
}

TEST(AttentionReportWriteTest, WritesWhatTheOutputsSay) {
  const fs::path path = TemporaryPath("report.json");
  WriteAttentionReport(SampleReport(), path);
  EXPECT_EQ(ReadFile(path), AttentionReportJson(SampleReport()) + "\n");
  fs::remove(path);
  EXPECT_THROW(WriteAttentionReport(SampleReport(), "/no/such/folder/a.svg"),
               Error);
}

}  // namespace
}  // namespace keylens::render
