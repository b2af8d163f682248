#ifndef KEYLENS_SYSTEMS_GENERATOR_MAP_FILES_H_
#define KEYLENS_SYSTEMS_GENERATOR_MAP_FILES_H_

#include <filesystem>
#include <string>
#include <vector>

#include "systems/generator/pipeline.h"

namespace keylens::generator {

// What is written beside heart.png:
//   heart.maps.png           the picture, and each word's map over it
//   heart.maps.npy           [words, rows, cols]; sums to 1 over the words
//   heart.maps.LAYER.npy     [steps, heads, rows, cols, tokens], each layer
//   heart.maps.json          words, tokens, layers, and which array is where
struct MapFiles {
  std::filesystem::path sheet;
  std::filesystem::path json;
  std::vector<std::filesystem::path> arrays;  // the words' first
};

// Writes the maps of `drawing`, which must have some, each file atomically.
// `note` is a line for the sheet: seed, steps, guidance, model. Throws Error.
MapFiles WriteMapFiles(const Drawing& drawing,
                       const std::filesystem::path& picture_path,
                       const std::string& note);

}  // namespace keylens::generator

#endif  // KEYLENS_SYSTEMS_GENERATOR_MAP_FILES_H_
