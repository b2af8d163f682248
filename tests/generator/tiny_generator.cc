#include "tests/generator/tiny_generator.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "src/base/file.h"

namespace keylens::generator {

namespace fs = std::filesystem;

TestFolder::TestFolder(const std::string& name)
    : path_(fs::path(::testing::TempDir()) /
            ("keylens_" + name + "_" + std::to_string(getpid()))) {
  fs::remove_all(path_);
  fs::create_directories(path_);
}

TestFolder::~TestFolder() { fs::remove_all(path_); }

Image Disc(int size, uint8_t red, uint8_t green, uint8_t blue) {
  Image image{size, size, 4, {}};
  const double middle = (size - 1) / 2.0, radius = size * 0.4;
  for (int y = 0; y < size; ++y) {
    for (int x = 0; x < size; ++x) {
      const double dx = x - middle, dy = y - middle;
      const bool inside = dx * dx + dy * dy < radius * radius;
      image.pixels.insert(
          image.pixels.end(),
          {red, green, blue, static_cast<uint8_t>(inside * 255)});
    }
  }
  return image;
}

void WriteDiscs(const fs::path& folder) {
  constexpr int kSize = 20;
  WritePng(folder / "red.png", Disc(kSize, 230, 20, 20));
  WritePng(folder / "green.png", Disc(kSize, 20, 200, 20));
  WritePng(folder / "blue.png", Disc(kSize, 20, 20, 230));
  WritePng(folder / "black.png", Disc(kSize, 0, 0, 0));
  WritePng(folder / "white.png", Disc(kSize, 255, 255, 255));
  WritePng(folder / "grey.png", Disc(kSize, 128, 128, 128));
  WriteFileAtomically(
      folder / "metadata.jsonl",
      R"({"file_name":"red.png","text":"red disc","keywords":["ball","ruby"]}
{"file_name":"green.png","text":"green disc, of grass","keywords":["lawn"]}
{"file_name":"blue.png","text":"blue disc"}
{"file_name":"black.png","text":"black disc","split":"train"}
{"file_name":"white.png","text":"white disc"}
{"file_name":"grey.png","text":"grey disc","split":"held_out"}
)");
}

TrainingRun TinyRun(const fs::path& data, const fs::path& out, int64_t steps) {
  TrainingRun run;
  run.data = data;
  GeneratorConfig& config = run.training.config;
  config.text.max_tokens = 16;
  config.text.hidden_size = 16;
  config.text.num_layers = 1;
  config.text.num_heads = 2;
  config.unet.sample_size = 16;
  config.unet.block_channels = {8, 16};
  config.unet.blocks = {1, 1};
  config.unet.attention = {false, true};
  config.unet.num_heads = 2;
  config.unet.head_dim = 8;
  config.unet.condition_size = 32;
  config.unet.norm_groups = 4;
  config.unet.context_size = 16;
  run.trainer.out = out;
  run.trainer.steps = steps;
  run.trainer.batch = 8;
  run.trainer.workers = 2;
  run.trainer.schedule.learning_rate = 5e-3;
  run.trainer.schedule.warmup_steps = 10;
  run.trainer.average_decay = 0.9;
  run.trainer.metrics_steps = 10;
  run.note = [](const std::string&) {};
  return run;
}

const fs::path& TinyModel() {
  static const TestFolder folder("tiny_model");
  static const fs::path model = [] {
    fs::create_directories(folder.path() / "data");
    WriteDiscs(folder.path() / "data");
    TrainGenerator(TinyRun(folder.path() / "data", folder.path() / "run", 20));
    return folder.path() / "run/model";
  }();
  return model;
}

}  // namespace keylens::generator
