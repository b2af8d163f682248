#ifndef KEYLENS_SYSTEMS_CLASSIFIER_PIPELINE_H_
#define KEYLENS_SYSTEMS_CLASSIFIER_PIPELINE_H_

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "src/image/image.h"
#include "systems/classifier/data/dataset.h"
#include "systems/classifier/evaluation.h"

namespace keylens::classifier {

class InferenceModel;

// A class of the model and how probable it is.
struct Guess {
  std::string label;
  int32_t index = 0;  // among labels()
  float probability = 0;
};

// From pictures to classes; what every front end calls. Const calls may go on
// in several threads at once.
class Pipeline {
 public:
  // Throws Error, with the name of the file that cannot be used.
  static Pipeline Load(const std::filesystem::path& model_folder);

  Pipeline(Pipeline&&) noexcept;
  Pipeline& operator=(Pipeline&&) noexcept;
  ~Pipeline();

  const std::vector<std::string>& labels() const;

  // Every class of each picture, the most probable first. Pictures are of any
  // size; framing.h says how they are brought before the model.
  std::vector<std::vector<Guess>> Classify(std::span<const Image> images) const;

  // How the model does on the test split of a data set, whose classes must be
  // its own. Throws Error.
  Evaluation Evaluate(const Dataset& dataset, const NoteSink& note) const;

  // For what looks into the network (looking/survey_heads.h).
  const InferenceModel& model() const;

 private:
  struct Parts;
  explicit Pipeline(std::unique_ptr<Parts> parts);

  std::unique_ptr<Parts> parts_;
};

}  // namespace keylens::classifier

#endif  // KEYLENS_SYSTEMS_CLASSIFIER_PIPELINE_H_
