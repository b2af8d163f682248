#ifndef KEYLENS_SYSTEMS_GENERATOR_SCHEDULERS_NOISE_TABLE_H_
#define KEYLENS_SYSTEMS_GENERATOR_SCHEDULERS_NOISE_TABLE_H_

#include <torch/torch.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "systems/generator/schedulers/scheduler_options.h"

// What schedulers over a table of training steps share.

namespace keylens::generator {

// The cumulative product of 1 - beta, one entry for each training step:
// x = sqrt(a) * picture + sqrt(1 - a) * noise. The last is 0 where the network
// was taught pure noise.
std::vector<double> CumulativeAlphas(const SchedulerOptions& options);

// `steps` of the training steps, from the noisiest, as diffusers spaces them;
// `usual` is the spacing where the options name none. Whole numbers but for
// kLinspace. Throws UsageError for more steps than the network was taught.
std::vector<double> SpacedTimesteps(const SchedulerOptions& options,
                                    int64_t steps, TimestepSpacing usual);

// What the network is told at a training step.
double NetworkTime(const SchedulerOptions& options, double timestep);

// A picture and the noise in it, by what the network said of
// x = sqrt(alpha) * picture + sqrt(1 - alpha) * noise.
struct PictureAndNoise {
  torch::Tensor picture, noise;
};
PictureAndNoise Separate(PredictionType prediction, const torch::Tensor& x,
                         const torch::Tensor& output, double alpha);

// The picture within the range of the options; `usual` is whether it is clipped
// where they do not say.
torch::Tensor Clipped(const torch::Tensor& picture,
                      const SchedulerOptions& options, bool usual);

}  // namespace keylens::generator

#endif  // KEYLENS_SYSTEMS_GENERATOR_SCHEDULERS_NOISE_TABLE_H_
