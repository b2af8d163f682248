#ifndef KEYLENS_TESTS_GENERATOR_TINY_GENERATOR_H_
#define KEYLENS_TESTS_GENERATOR_TINY_GENERATOR_H_

#include <filesystem>
#include <string>

#include "src/image/image.h"
#include "systems/generator/training/run_training.h"

namespace keylens::generator {

// A folder of this test program's own, removed at the end of a test.
class TestFolder {
 public:
  explicit TestFolder(const std::string& name);
  ~TestFolder();
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

// A disc of one colour on transparent ground.
Image Disc(int size, uint8_t red, uint8_t green, uint8_t blue);

// Writes six discs of 20 x 20 pixels, one of them held out, with
// metadata.jsonl.
void WriteDiscs(const std::filesystem::path& folder);

// A run over such a folder, of a model of 16 x 16 pixels that takes
// milliseconds a step.
TrainingRun TinyRun(const std::filesystem::path& data,
                    const std::filesystem::path& out, int64_t steps);

// The model folder of a run of a few steps; trained once for the whole program.
const std::filesystem::path& TinyModel();

}  // namespace keylens::generator

#endif  // KEYLENS_TESTS_GENERATOR_TINY_GENERATOR_H_
