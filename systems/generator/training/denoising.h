#ifndef KEYLENS_SYSTEMS_GENERATOR_TRAINING_DENOISING_H_
#define KEYLENS_SYSTEMS_GENERATOR_TRAINING_DENOISING_H_

#include <cstdint>
#include <vector>

#include "systems/generator/data/picture_set.h"
#include "systems/generator/model/model_folder.h"

namespace keylens::generator {

// How well a model knows what is behind noise.
struct DenoisingError {
  // Of the picture to the noise: alpha / sigma (process.h). 0: nothing to see
  // but noise, the words alone tell what the picture is.
  double signal_to_noise = 0;
  // Mean squared errors of the picture that the model makes of it, with its
  // caption, in the network's colours (pixels.h).
  double train = 0;
  double held_out = 0;
};

// At signal-to-noise ratios from 0 to 3, over every `stride`th picture that was
// trained on and all that were held out; NaN where there is none. The noise of
// a picture is the same for any model.
std::vector<DenoisingError> DenoisingErrors(
    ModelFolder& model, const std::vector<CaptionedPicture>& pictures,
    int64_t stride);

}  // namespace keylens::generator

#endif  // KEYLENS_SYSTEMS_GENERATOR_TRAINING_DENOISING_H_
