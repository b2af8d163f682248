#include "systems/generator/map_files.h"

#include <nlohmann/json.hpp>

#include "src/base/file.h"
#include "src/checkpoint/npy.h"
#include "src/render/map_sheet.h"

namespace keylens::generator {
namespace {

namespace fs = std::filesystem;
using OrderedJson = nlohmann::ordered_json;

// heart.png and "npy" -> heart.maps.npy
fs::path Beside(const fs::path& picture, const std::string& ending) {
  fs::path path = picture;
  return path.replace_extension("maps." + ending);
}

std::span<const float> ValuesOf(const torch::Tensor& tensor) {
  return {tensor.data_ptr<float>(), static_cast<std::size_t>(tensor.numel())};
}

void WriteArray(const fs::path& path, const torch::Tensor& tensor) {
  const torch::Tensor dense = tensor.contiguous();
  WriteNpy(path, dense.sizes(), ValuesOf(dense));
}

void WriteSheet(const Drawing& drawing, const fs::path& path,
                const std::string& note) {
  const PromptMaps& maps = *drawing.maps;
  MapSheet sheet;
  sheet.picture = &drawing.picture;
  sheet.title = drawing.prompt.text;
  sheet.note = note;
  const auto rows = static_cast<int>(maps.maps.size(1));
  const auto cols = static_cast<int>(maps.maps.size(2));
  const std::span<const float> values = ValuesOf(maps.maps);
  const auto size = static_cast<std::size_t>(rows) * cols;
  for (std::size_t i = 0; i < maps.words.size(); ++i) {
    sheet.words.push_back({maps.words[i].text,
                           maps.words[i].special,
                           {values.subspan(i * size, size), rows, cols}});
  }
  WritePng(path, DrawMapSheet(sheet));
}

OrderedJson WordsJson(const PromptMaps& maps) {
  OrderedJson words = OrderedJson::array();
  for (const MappedWord& word : maps.words) {
    words.push_back({{"text", word.text},
                     {"special", word.special},
                     {"first_token", word.first_token},
                     {"last_token", word.last_token}});
  }
  return words;
}

OrderedJson LayerJson(const LayerMaps& layer, const fs::path& array) {
  return {{"name", layer.name},
          {"steps", layer.weights.size(0)},
          {"heads", layer.weights.size(1)},
          {"rows", layer.weights.size(2)},
          {"cols", layer.weights.size(3)},
          {"array", array.filename().string()},
          {"axes", {"steps", "heads", "rows", "cols", "tokens"}}};
}

}  // namespace

MapFiles WriteMapFiles(const Drawing& drawing, const fs::path& picture_path,
                       const std::string& note) {
  const PromptMaps& maps = *drawing.maps;
  MapFiles files = {Beside(picture_path, "png"),
                    Beside(picture_path, "json"),
                    {Beside(picture_path, "npy")}};
  WriteSheet(drawing, files.sheet, note);
  WriteArray(files.arrays[0], maps.maps);
  OrderedJson layers = OrderedJson::array();
  for (const LayerMaps& layer : maps.layers) {
    files.arrays.push_back(Beside(picture_path, layer.name + ".npy"));
    WriteArray(files.arrays.back(), layer.weights);
    layers.push_back(LayerJson(layer, files.arrays.back()));
  }
  const OrderedJson json = {{"prompt", drawing.prompt.text},
                            {"note", note},
                            {"tokens", maps.tokens},
                            {"words", WordsJson(maps)},
                            {"maps",
                             {{"array", files.arrays[0].filename().string()},
                              {"axes", {"words", "rows", "cols"}},
                              {"rows", maps.maps.size(1)},
                              {"cols", maps.maps.size(2)}}},
                            {"layers", layers}};
  WriteFileAtomically(
      files.json,
      json.dump(2, ' ', false, OrderedJson::error_handler_t::replace) + "\n");
  return files;
}

}  // namespace keylens::generator
