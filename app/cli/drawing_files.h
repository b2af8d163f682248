#ifndef KEYLENS_APP_CLI_DRAWING_FILES_H_
#define KEYLENS_APP_CLI_DRAWING_FILES_H_

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/output_guard.h"
#include "systems/generator/pipeline.h"

namespace keylens::cli {

// What the user asked to be drawn, as far as the files tell of it.
struct DrawingOrder {
  std::string prompt, negative;
  std::filesystem::path model;
  uint64_t seed = 0;  // of the first picture
  int64_t steps = 0;
  double guidance = 0;
  std::string scheduler;  // as it was asked for; empty: the model's own
};

// What was written for one picture.
struct WrittenDrawing {
  std::filesystem::path picture;
  uint64_t seed = 0;
  std::optional<std::filesystem::path> maps;
};

// The names of the files of a call: heart.png for one picture, heart-1.png,
// heart-2.png, ... for several; maps beside them, NAME.maps.png, or by a name
// of their own.
class DrawingFiles {
 public:
  // `maps` is empty where none are wanted, kBesidePicture for NAME.maps.png.
  // Throws UsageError for names that no picture or report is written by.
  DrawingFiles(std::filesystem::path picture, std::string maps,
               std::size_t count);

  static constexpr const char* kBesidePicture = "beside the picture";

  // That all can be written, and none replaces another, or what is read.
  void Check(OutputGuard& guard) const;

  WrittenDrawing Write(const generator::Drawing& drawing,
                       const DrawingOrder& order, std::size_t index) const;

 private:
  std::filesystem::path PictureOf(std::size_t index) const;
  std::filesystem::path MapsOf(std::size_t index) const;

  std::filesystem::path picture_;
  std::string maps_;
  std::size_t count_;
};

// What --json prints.
nlohmann::ordered_json ToJson(const DrawingOrder& order,
                              const std::vector<WrittenDrawing>& drawings);

}  // namespace keylens::cli

#endif  // KEYLENS_APP_CLI_DRAWING_FILES_H_
