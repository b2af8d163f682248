#ifndef KEYLENS_SYSTEMS_GENERATOR_SCHEDULERS_SCHEDULER_OPTIONS_H_
#define KEYLENS_SYSTEMS_GENERATOR_SCHEDULERS_SCHEDULER_OPTIONS_H_

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "src/models/keylens_unet/config.h"

namespace keylens::generator {

// What a network's output means, of x = alpha * picture + sigma * noise.
enum class PredictionType {
  kEpsilon,   // the noise
  kVelocity,  // alpha * noise - sigma * picture
  kSample,    // the picture
  kFlow       // noise - picture, where alpha = 1 - sigma
};

// How noise grows over the steps that a network was taught.
enum class BetaSchedule {
  kLinear,
  kScaledLinear,   // linear in the square root of beta
  kSquaredCosine,  // "squaredcos_cap_v2" (Nichol, Dhariwal)
  // Not a schedule of betas: alpha = cos(pi / 2 * (t + 1) / steps), as the
  // networks trained here are taught, over [0, 1] instead of over steps.
  kCosine
};

enum class TimestepSpacing { kLeading, kTrailing, kLinspace };

// A scheduler_config.json, by the names that diffusers gives its entries, and
// with its defaults. A scheduler reads what it knows of it, so that a model is
// drawn by another scheduler than the one in its folder, as diffusers'
// `from_config` does it.
struct SchedulerOptions {
  std::string class_name;
  PredictionType prediction = PredictionType::kEpsilon;
  int64_t num_train_timesteps = 1000;
  BetaSchedule beta_schedule = BetaSchedule::kLinear;
  double beta_start = 0.0001;
  double beta_end = 0.02;
  std::vector<double> trained_betas;  // empty: those of beta_schedule
  bool rescale_betas_zero_snr = false;
  std::optional<TimestepSpacing> timestep_spacing;  // none: the scheduler's own
  int64_t steps_offset = 0;
  bool set_alpha_to_one = true;
  // Whether the picture that a step believes in is kept within
  // [-clip_sample_range, clip_sample_range]: right for pixels, wrong for
  // latents. None: the scheduler's own.
  std::optional<bool> clip_sample;
  double clip_sample_range = 1;
  bool use_karras_sigmas = false;
  // The share of fresh noise in each of DDIM's steps, from 0 to 1. Not in the
  // file: diffusers has it as an argument of the step.
  double eta = 0;
  // Whether DDIM takes the noise from the clipped picture, not from what the
  // network said: without it, guidance leads pixels far out of their range.
  // Another of diffusers' arguments of the step.
  bool use_clipped_model_output = false;

  bool unit_time() const { return beta_schedule == BetaSchedule::kCosine; }
};

// Of a network that is trained here, which is what "KeylensScheduler" stands
// for in the file.
SchedulerOptions KeylensSchedulerOptions(Prediction prediction);

// Throws Error, naming the file and the entry, for one that is of another type,
// out of range, or asks for what no scheduler here does.
SchedulerOptions ReadSchedulerOptions(const std::filesystem::path& path);
// Takes the bytes of such a file; errors start with `name`.
SchedulerOptions ParseSchedulerOptions(const std::string& json,
                                       const std::string& name);

}  // namespace keylens::generator

#endif  // KEYLENS_SYSTEMS_GENERATOR_SCHEDULERS_SCHEDULER_OPTIONS_H_
