#ifndef KEYLENS_SYSTEMS_GENERATOR_EVALUATE_H_
#define KEYLENS_SYSTEMS_GENERATOR_EVALUATE_H_

#include <cstdint>
#include <vector>

#include "systems/generator/data/picture_set.h"
#include "systems/generator/pipeline.h"

namespace keylens::generator {

// How often the picture that a caption belongs to is the one nearest to what
// was drawn for it, and among the five nearest.
struct Recall {
  int64_t captions = 0;
  double at_1 = 0;  // shares, in [0, 1]
  double at_5 = 0;
};

struct EvaluationOptions {
  int64_t train_captions = 200;  // drawn at random; fewer where there are fewer
  uint64_t seed = 0;             // of that choice, and of the pictures
  DrawSettings settings;
};

struct Evaluation {
  Recall train;
  Recall held_out;
  // The same drawings against captions that were not theirs: the floor.
  Recall train_shuffled;
  Recall held_out_shuffled;
};

// Draws a picture for `train_captions` captions that were trained on and for
// all that were held out, and looks for the nearest pictures of the whole set:
// mean squared error of the pixels over white. Throws Error where it is
// stopped.
Evaluation EvaluateGenerator(const Pipeline& pipeline,
                             const std::vector<CaptionedPicture>& pictures,
                             const EvaluationOptions& options,
                             const DrawControl& control = {});

// The recall of drawings, RGBA of the pictures' size: drawing i is of pictures
// [targets[i]].
Recall RecallOf(const std::vector<Image>& drawings,
                const std::vector<std::size_t>& targets,
                const std::vector<CaptionedPicture>& pictures);

}  // namespace keylens::generator

#endif  // KEYLENS_SYSTEMS_GENERATOR_EVALUATE_H_
