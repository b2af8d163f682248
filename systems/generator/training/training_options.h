#ifndef KEYLENS_SYSTEMS_GENERATOR_TRAINING_TRAINING_OPTIONS_H_
#define KEYLENS_SYSTEMS_GENERATOR_TRAINING_TRAINING_OPTIONS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "src/models/keylens_unet/config.h"

namespace keylens::generator {

struct GeneratorTraining {
  GeneratorConfig config;
  uint64_t seed =
      0;  // the run's: of the starting weights and the order of the pictures
  double prompt_dropout = 0.1;
  // The time of an example is sigmoid(time_shift + time_spread * logit(u)), u
  // uniform: spread 1 and shift 0 is uniform, a positive shift looks more often
  // at noise, where the prompt decides what the picture will be, and a larger
  // spread at both ends. Flat shapes are seen through a lot of noise (one part
  // in ten of picture shows them), so that what only the words can tell is in
  // the last twentieth of the time; here it is a third of the examples.
  double time_shift = 2.0;
  double time_spread = 1.5;
  // Feature maps in bfloat16; see UNetImpl::set_map_type.
  bool bfloat16 = false;
  std::vector<std::string> sample_prompts;
};

}  // namespace keylens::generator

#endif  // KEYLENS_SYSTEMS_GENERATOR_TRAINING_TRAINING_OPTIONS_H_
