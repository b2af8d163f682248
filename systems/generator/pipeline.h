#ifndef KEYLENS_SYSTEMS_GENERATOR_PIPELINE_H_
#define KEYLENS_SYSTEMS_GENERATOR_PIPELINE_H_

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "src/image/image.h"
#include "systems/generator/looking/prompt_maps.h"
#include "systems/generator/process.h"
#include "systems/generator/sampler.h"
#include "systems/generator/stages.h"

namespace keylens::generator {

// One picture to draw.
struct DrawRequest {
  std::string prompt;
  std::string negative;  // what to lead away from
  uint64_t seed = 0;
  bool maps = false;  // report which word each place looked at
};

// What all pictures of a call share.
struct DrawSettings {
  SamplerOptions sampler;
  int width = 0;  // pixels; 0: what the model was trained on
  int height = 0;
  int threads = 0;  // 0: one for each core
};

struct Drawing {
  Image picture;  // RGBA
  TokenizedPrompt prompt;
  std::optional<PromptMaps> maps;
};

// Called after each step with the steps done and the number of all.
using DrawObserver = std::function<void(int64_t done, int64_t total)>;

inline constexpr int kMaxSteps = 1000;
inline constexpr int kMaxSize = 512;  // pixels along a side

// From prompts to pictures; what every front end calls.
class Pipeline {
 public:
  // Throws Error, with the name of the file that cannot be used.
  static Pipeline Load(const std::filesystem::path& model_folder);

  Pipeline(std::unique_ptr<PromptReader> reader,
           std::unique_ptr<Denoiser> denoiser,
           std::unique_ptr<PictureDecoder> decoder, NoiseProcess process);

  // Draws the pictures side by side. A request gives the same bytes whatever
  // the number of threads and whatever else is drawn. Throws UsageError for
  // settings that no picture can have; an empty prompt is legal.
  std::vector<Drawing> Draw(const std::vector<DrawRequest>& requests,
                            const DrawSettings& settings,
                            const DrawObserver& observer = {});

  const PictureDecoder& decoder() const { return *decoder_; }

 private:
  DrawSettings Checked(const DrawSettings& settings) const;
  std::vector<Drawing> DrawChunk(std::span<const DrawRequest> requests,
                                 const DrawSettings& settings,
                                 train::Workers& workers,
                                 const StepObserver& observer);

  std::unique_ptr<PromptReader> reader_;
  std::unique_ptr<Denoiser> denoiser_;
  std::unique_ptr<PictureDecoder> decoder_;
  NoiseProcess process_;
};

}  // namespace keylens::generator

#endif  // KEYLENS_SYSTEMS_GENERATOR_PIPELINE_H_
