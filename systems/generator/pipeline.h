#ifndef KEYLENS_SYSTEMS_GENERATOR_PIPELINE_H_
#define KEYLENS_SYSTEMS_GENERATOR_PIPELINE_H_

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "src/image/image.h"
#include "src/parallel/stop_token.h"
#include "systems/generator/denoiser.h"
#include "systems/generator/looking/prompt_maps.h"
#include "systems/generator/schedulers/scheduler_kinds.h"
#include "systems/generator/schedulers/scheduler_options.h"
#include "systems/generator/stages.h"

namespace keylens::generator {

// One picture to draw.
struct DrawRequest {
  std::string prompt = {};
  std::string negative = {};  // what to lead away from
  uint64_t seed = 0;
  bool maps = false;  // report which word each place looked at
};

// What all pictures of a call share.
struct DrawSettings {
  int64_t steps = 30;
  double guidance = 3;  // see guidance.h
  // A row of SchedulerKinds(), or one of the caller's; null: what the model's
  // folder asks for.
  const SchedulerKind* scheduler = nullptr;
  int width = 0;  // pixels; 0: what the model was trained on
  int height = 0;
  int threads = 0;  // 0: one for each core
};

struct Drawing {
  Image picture;  // RGBA
  TokenizedPrompt prompt;
  TokenizedPrompt negative;
  std::optional<PromptMaps> maps;
};

// Takes each drawing as soon as it is done, in the order of the requests, with
// the place of its own; it may be moved from. Called in the thread that called
// Draw.
using DrawingSink = std::function<void(std::size_t index, Drawing&& drawing)>;

// Called, in the thread that called Draw, with the steps done and the number of
// all, when some more are done; false stops the drawing.
using DrawObserver = std::function<bool(int64_t done, int64_t total)>;

// How a call can be watched and ended early.
struct DrawControl {
  DrawObserver observer = {};
  StopToken stop = {};
};

struct DrawingInProgress;  // draw_loop.h

// From prompts to pictures; what every front end calls. Any number of threads
// may draw with one pipeline.
class Pipeline {
 public:
  // Throws Error, with the name of the file that cannot be used.
  static Pipeline Load(const std::filesystem::path& model_folder);

  // `name` is what errors of the network begin with.
  Pipeline(std::unique_ptr<PromptReader> reader,
           std::unique_ptr<Denoiser> denoiser,
           std::unique_ptr<PictureDecoder> decoder, SchedulerOptions options,
           std::string name);

  // Draws, a few pictures side by side and the others after them, and hands
  // each to the sink. A request gives the same bytes whatever the number of
  // threads and whatever else is drawn. Stopped, it drops what it is at within
  // one forward pass. Returns how many were drawn: fewer than there are
  // requests only where it was stopped. Of drawings with maps no more are held
  // than the threads need to be busy: one, for up to two threads.
  //
  // Throws UsageError for settings that no picture can have, and Error where
  // the network gives no numbers; an empty prompt is legal. What the sink
  // throws ends the drawing and is thrown on.
  std::size_t Draw(std::span<const DrawRequest> requests,
                   const DrawSettings& settings, const DrawingSink& sink,
                   const DrawControl& control = {}) const;

  const PictureDecoder& decoder() const { return *decoder_; }

 private:
  DrawingInProgress Begin(const DrawRequest& request,
                          const DrawSettings& settings) const;
  Drawing Finish(DrawingInProgress progress,
                 const DrawSettings& settings) const;
  DrawSettings Checked(const DrawSettings& settings) const;
  void CheckMemory(const DrawSettings& settings,
                   std::size_t side_by_side) const;

  std::unique_ptr<PromptReader> reader_;
  std::unique_ptr<Denoiser> denoiser_;
  std::unique_ptr<PictureDecoder> decoder_;
  SchedulerOptions scheduler_options_;
  std::string name_;
};

// All drawings at once, in the order of the requests: for few of them.
std::vector<Drawing> DrawAll(const Pipeline& pipeline,
                             std::span<const DrawRequest> requests,
                             const DrawSettings& settings);

}  // namespace keylens::generator

#endif  // KEYLENS_SYSTEMS_GENERATOR_PIPELINE_H_
