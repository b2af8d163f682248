#ifndef KEYLENS_SYSTEMS_GENERATOR_LOOKING_MAP_FILES_H_
#define KEYLENS_SYSTEMS_GENERATOR_LOOKING_MAP_FILES_H_

#include <cstdint>
#include <filesystem>
#include <string>

#include "src/render/report/attention_report.h"
#include "systems/generator/pipeline.h"

namespace keylens::generator {

// What of a drawing's maps a report holds.
enum class MapDetail {
  kWords,  // for each word its mean over layers, heads and steps
  kAll     // that in every step; and for each layer every head in every step
};

// The report of a drawing that has maps: which word each place of the picture
// looked at. Queries are places, keys the words with start and end; the tokens
// of a word are added up. `note` is a line for the reader: seed, steps,
// guidance, model. Of more numbers than `most_numbers` (0: no limit), steps are
// left out at even distances, and a note says so. The scale ends at the largest
// weight of a word: start and end, which often take most of the attention, do
// not stretch it.
render::AttentionReport MapReport(const Drawing& drawing,
                                  const std::string& note, MapDetail detail,
                                  int64_t most_numbers = 0);

// Writes the maps as render::WriteAttentionReport does: the words' as .png and
// .svg, everything as .html (steps left out where the page would get larger
// than 8 MB), .json and .npy. Throws Error.
void WriteMaps(const Drawing& drawing, const std::string& note,
               const std::filesystem::path& path);

}  // namespace keylens::generator

#endif  // KEYLENS_SYSTEMS_GENERATOR_LOOKING_MAP_FILES_H_
