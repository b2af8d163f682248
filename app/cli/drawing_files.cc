#include "app/cli/drawing_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/cli/report_option.h"
#include "src/base/error.h"
#include "systems/generator/looking/map_files.h"

namespace keylens::cli {
namespace {

namespace fs = std::filesystem;

void CheckPictureName(const fs::path& path) {
  const fs::path name = path.filename();
  if (name == ".png") {
    throw UsageError(path.string() +
                     ": give the picture a name before the .png");
  }
  std::string extension = name.extension();
  std::ranges::transform(extension, extension.begin(),
                         [](unsigned char c) { return std::tolower(c); });
  if (extension != ".png") {
    throw UsageError(path.string() + ": the picture's name must end in .png");
  }
}

// What the sheet says below its title.
std::string NoteOf(const DrawingOrder& order, uint64_t seed) {
  return fmt::format(
      "seed {}, {} steps, guidance {}, model {}{}{}", seed, order.steps,
      order.guidance, order.model.filename().string(),
      order.scheduler.empty() ? "" : ", scheduler ", order.scheduler);
}

// The layout of this text is the one that picture browsers know.
std::string ParametersText(const DrawingOrder& order, const Image& picture,
                           uint64_t seed) {
  std::string text = order.prompt + "\n";
  if (!order.negative.empty())
    text += "Negative prompt: " + order.negative + "\n";
  text += fmt::format("Steps: {}, ", order.steps);
  if (!order.scheduler.empty())
    text += fmt::format("Sampler: {}, ", order.scheduler);
  return text + fmt::format("CFG scale: {}, Seed: {}, Size: {}x{}, Model: {}",
                            order.guidance, seed, picture.width, picture.height,
                            order.model.filename().string());
}

nlohmann::ordered_json JsonOf(const WrittenDrawing& written) {
  nlohmann::ordered_json json = {{"picture", written.picture.string()},
                                 {"seed", written.seed}};
  if (written.maps) json["maps"] = written.maps->string();
  return json;
}

}  // namespace

DrawingFiles::DrawingFiles(fs::path picture, std::string maps,
                           std::size_t count)
    : picture_(std::move(picture)), maps_(std::move(maps)), count_(count) {
  CheckPictureName(picture_);
  if (!maps_.empty()) CheckReportOption("--maps", MapsOf(0));
}

void DrawingFiles::Check(OutputGuard& guard) const {
  for (std::size_t i = 0; i < count_; ++i) {
    guard.Writes("--output", PictureOf(i));
    if (!maps_.empty()) guard.Writes("--maps", MapsOf(i));
  }
}

WrittenDrawing DrawingFiles::Write(const generator::Drawing& drawing,
                                   const DrawingOrder& order,
                                   std::size_t index) const {
  WrittenDrawing written;
  written.seed = order.seed + index;
  written.picture = PictureOf(index);
  WritePng(
      written.picture, drawing.picture,
      {{"parameters", ParametersText(order, drawing.picture, written.seed)}});
  if (drawing.maps) {
    written.maps = MapsOf(index);
    generator::WriteMaps(drawing, NoteOf(order, written.seed), *written.maps);
  }
  return written;
}

fs::path DrawingFiles::PictureOf(std::size_t index) const {
  return NumberedPath(picture_, index, count_);
}

fs::path DrawingFiles::MapsOf(std::size_t index) const {
  if (maps_ != kBesidePicture) return NumberedPath(maps_, index, count_);
  return PictureOf(index).replace_extension("maps.png");
}

nlohmann::ordered_json ToJson(const DrawingOrder& order,
                              const std::vector<WrittenDrawing>& drawings) {
  nlohmann::ordered_json pictures = nlohmann::ordered_json::array();
  for (const WrittenDrawing& written : drawings)
    pictures.push_back(JsonOf(written));
  nlohmann::ordered_json json = {{"prompt", order.prompt},
                                 {"negative", order.negative},
                                 {"steps", order.steps},
                                 {"guidance", order.guidance}};
  if (!order.scheduler.empty()) json["scheduler"] = order.scheduler;
  json["pictures"] = std::move(pictures);
  return json;
}

}  // namespace keylens::cli
