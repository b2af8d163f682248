#include "src/render/sheets/picture_sheet.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

#include "src/render/draw/grid.h"
#include "src/render/draw/heat_map.h"
#include "src/render/draw/text_fit.h"
#include "src/render/sheets/report_style.h"

namespace keylens::render {
namespace {

constexpr std::size_t kMostWords = 40;
constexpr int kLargeSide = 192;
constexpr int kSmallSide = 96;
constexpr int kNarrowestTile = 118;  // the width of a head's caption
constexpr int kRowNameWidth = 150;
constexpr double kNarrowestLabel = 40;  // with less beside it, no percent

constexpr TextStyle kWordStyle = {.size = 13, .bold = true, .colour = kInk};
constexpr TextStyle kPercentStyle = {
    .size = 11.5, .colour = kQuiet, .align = Align::kRight};

// The picture's axis and the words on the other one.
struct View {
  const PictureAxis* picture = nullptr;
  bool of_keys = false;  // the words look at places; else places at words
  std::span<const std::string> words;
};

View ViewOf(const AttentionPanel& panel) {
  if (panel.key_picture) return {&*panel.key_picture, true, panel.queries};
  return {&*panel.query_picture, false, panel.keys};
}

// The weights of one word over the places, from a map [queries, keys].
std::vector<float> OnPlaces(const AttentionPanel& panel, const View& view,
                            std::span<const float> map, std::size_t word) {
  const std::size_t keys = panel.keys.size();
  std::vector<float> places;
  for (int i = 0; i < view.picture->places(); ++i) {
    const auto place = static_cast<std::size_t>(view.picture->first) + i;
    places.push_back(view.of_keys ? map[word * keys + place]
                                  : map[place * keys + word]);
  }
  return places;
}

Image Tile(const Image& picture, int longer_side) {
  const double scale = static_cast<double>(longer_side) /
                       std::max(picture.width, picture.height);
  const auto side = [&](int length) {
    return std::max(1, static_cast<int>(std::lround(length * scale)));
  };
  return OverWhite(Resize(picture, side(picture.width), side(picture.height)));
}

// A tile's map and what stands above it.
struct TileMap {
  std::optional<MapChoice> map;  // none: the picture itself
  std::size_t word = 0;
  Caption caption;
};

class PictureSheet {
 public:
  PictureSheet(const AttentionPanel& panel, float top)
      : panel_(panel),
        view_(ViewOf(panel)),
        large_(Tile(view_.picture->picture, kLargeSide)),
        small_(Tile(view_.picture->picture, kSmallSide)),
        scale_{top} {}

  Drawing Draw() && {
    DrawHeading();
    DrawLarge();
    if (panel_.layers * panel_.heads > 1) {
      for (int layer = 0; layer < panel_.layers; ++layer) DrawLayer(layer);
    }
    drawing_.height = y_;
    return std::move(drawing_);
  }

 private:
  void DrawHeading();
  void DrawLarge();
  void DrawGrid(const std::vector<TileMap>& tiles);
  void DrawLayer(int layer);
  void DrawHeadsOfOneWord(int layer);
  void DrawHeadsOfWords(int layer);
  void DrawTile(const TileMap& tile, const Image& picture, int x, int y);
  std::string PercentOf(const MapChoice& choice,
                        std::span<const float> places) const;
  HeatScale ScaleOf(const MapChoice& choice) const;
  std::string NameOf(const TileMap& tile) const;
  bool OneWord() const { return view_.words.size() == 1; }

  void Cover(int right) { drawing_.width = std::max(drawing_.width, right); }

  const AttentionPanel& panel_;
  View view_;
  Image large_, small_;
  HeatScale scale_;
  Drawing drawing_;
  int y_ = 0;  // where the next piece goes
};

void PictureSheet::DrawHeading() {
  const std::string grid =
      fmt::format("{} x {}", view_.picture->rows, view_.picture->cols);
  const std::string axes =
      view_.of_keys ? fmt::format("{} over {} ({})", panel_.query_axis,
                                  panel_.key_axis, grid)
                    : fmt::format("{} ({}) over {}", panel_.query_axis, grid,
                                  panel_.key_axis);
  y_ =
      DrawPanelHeading(panel_, axes,
                       DescribeMean(panel_) +
                           (view_.of_keys ? "; percent: share on the picture"
                                          : "; percent: mean over the picture"),
                       drawing_);
}

// The picture, then its means and named maps: all in one grid for one word,
// one grid each for several.
void PictureSheet::DrawLarge() {
  std::vector<TileMap> tiles = {{{}, 0, {"picture", ""}}};
  for (std::size_t word = 0; word < view_.words.size(); ++word)
    tiles.push_back({MapChoice{}, word, {view_.words[word], ""}});
  if (OneWord()) tiles.back().caption.name = "mean";
  for (std::size_t i = 0; i < panel_.named_maps.size(); ++i) {
    const NamedMap& map = panel_.named_maps[i];
    const MapChoice choice = {.named = static_cast<int>(i)};
    if (OneWord()) {
      tiles.push_back({choice, 0, {map.name, ""}});
      continue;
    }
    DrawGrid(std::exchange(tiles, {}));
    AddText(DescribeNamedMap(panel_, map), kMargin, y_ + kLine / 2.0,
            kNoteStyle, drawing_);
    y_ += kLine;
    for (std::size_t word = 0; word < view_.words.size(); ++word)
      tiles.push_back({choice, word, {view_.words[word], ""}});
  }
  DrawGrid(tiles);
}

void PictureSheet::DrawGrid(const std::vector<TileMap>& tiles) {
  const int pitch_x = large_.width + kGap;
  const int pitch_y = kLine + large_.height + kGap;
  const auto count = static_cast<int>(tiles.size());
  const Grid grid = ChooseGrid(count, pitch_x, pitch_y);
  for (int i = 0; i < count; ++i) {
    DrawTile(tiles[static_cast<std::size_t>(i)], large_,
             kMargin + i % grid.cols * pitch_x,
             y_ + i / grid.cols * pitch_y + kLine);
  }
  Cover(kMargin + grid.cols * pitch_x - kGap);
  y_ += grid.rows * pitch_y;
}

void PictureSheet::DrawLayer(int layer) {
  y_ += kGap / 2;
  AddText(NameOfLayer(panel_, layer), kMargin, y_ + kLine / 2.0, kLayerStyle,
          drawing_);
  y_ += kLine;
  OneWord() ? DrawHeadsOfOneWord(layer) : DrawHeadsOfWords(layer);
}

void PictureSheet::DrawHeadsOfOneWord(int layer) {
  const int lines = panel_.statistics.empty() ? 1 : 2;
  const int pitch = std::max(kNarrowestTile, small_.width) + kGap;
  y_ += lines * kLine;
  int x = kMargin;
  for (const MapChoice& choice : MapsOfLayer(panel_, layer)) {
    const Caption caption = CaptionOf(panel_, choice);
    AddText(caption.name, x, y_ - lines * kLine + kLine / 2.0, kCaptionStyle,
            drawing_);
    if (!caption.detail.empty())
      AddText(caption.detail, x, y_ - kLine / 2.0, kCaptionStyle, drawing_);
    DrawTile({choice, 0, {}}, small_, x, y_);
    x += pitch;
  }
  Cover(x - kGap);
  y_ += small_.height + kGap;
}

// A row for each map of the layer, its name to the left; the words above.
void PictureSheet::DrawHeadsOfWords(int layer) {
  const int left = kMargin + kRowNameWidth;
  const int pitch = small_.width + kGap / 2;
  y_ += kLine;
  for (std::size_t word = 0; word < view_.words.size(); ++word) {
    AddText(ShortenText(view_.words[word], small_.width, kCaptionStyle),
            left + static_cast<int>(word) * pitch, y_ - kLine / 2.0,
            kCaptionStyle, drawing_);
  }
  for (const MapChoice& choice : MapsOfLayer(panel_, layer)) {
    const Caption caption = CaptionOf(panel_, choice);
    AddText(caption.name, kMargin, y_ + kLine / 2.0, kCaptionStyle, drawing_);
    if (!caption.detail.empty())
      AddText(caption.detail, kMargin, y_ + 1.5 * kLine, kCaptionStyle,
              drawing_);
    for (std::size_t word = 0; word < view_.words.size(); ++word)
      DrawTile({choice, word, {}}, small_,
               left + static_cast<int>(word) * pitch, y_);
    y_ += small_.height + kGap / 2;
  }
  Cover(left + static_cast<int>(view_.words.size()) * pitch);
}

void PictureSheet::DrawTile(const TileMap& tile, const Image& picture, int x,
                            int y) {
  Image image = picture;
  std::string percent;
  if (tile.map) {
    const std::vector<float> map = MapOf(panel_, *tile.map);
    const std::vector<float> places = OnPlaces(panel_, view_, map, tile.word);
    const HeatMap heat = {places, view_.picture->rows, view_.picture->cols};
    image = OverlayHeat(picture, heat, ScaleOf(*tile.map));
    percent = PercentOf(*tile.map, places);
  }
  if (!tile.caption.name.empty()) {
    double room = picture.width;
    const double taken = MeasureText(percent, kPercentStyle) + 6;
    if (room - taken >= kNarrowestLabel) {
      AddText(percent, x + room, y - kLine / 2.0, kPercentStyle, drawing_);
      room -= taken;
    }
    AddText(ShortenText(tile.caption.name, room, kWordStyle), x,
            y - kLine / 2.0, kWordStyle, drawing_);
  }
  AddFrame({double(x), double(y), double(image.width), double(image.height)},
           drawing_);
  drawing_.elements.emplace_back(
      Drawing::Picture{x, y, std::move(image), NameOf(tile)});
}

std::string PictureSheet::PercentOf(const MapChoice& choice,
                                    std::span<const float> places) const {
  if (choice.named) return fmt::format("0 to {:.2g}", ScaleOf(choice).top);
  const double sum = std::accumulate(places.begin(), places.end(), 0.0);
  const double share =
      view_.of_keys ? sum : sum / static_cast<double>(places.size());
  return fmt::format("{:.{}f} %", 100 * share, share < 0.0995 ? 1 : 0);
}

HeatScale PictureSheet::ScaleOf(const MapChoice& choice) const {
  if (!choice.named) return scale_;
  return {ScaleTop(panel_,
                   panel_.named_maps[static_cast<std::size_t>(*choice.named)])};
}

std::string PictureSheet::NameOf(const TileMap& tile) const {
  if (!tile.map) return panel_.name + ": picture";
  const std::string name = panel_.name + ": " + DescribeMap(panel_, *tile.map);
  return OneWord() ? name : name + ", " + view_.words[tile.word];
}

}  // namespace

bool ShowsAsPictures(const AttentionPanel& panel) {
  if (panel.key_picture.has_value() == panel.query_picture.has_value())
    return false;
  return ViewOf(panel).words.size() <= kMostWords;
}

Drawing DrawPicturePanel(const AttentionPanel& panel, float top) {
  return PictureSheet(panel, top).Draw();
}

}  // namespace keylens::render
