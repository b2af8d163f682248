#ifndef KEYLENS_SRC_TRAIN_TASK_H_
#define KEYLENS_SRC_TRAIN_TASK_H_

#include <torch/torch.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

namespace keylens::train {

// The part of one optimizer step's batch that one worker computes: the examples
// [first, first + count) of the `batch` examples of step `step` (from 0).
//
// Whatever is drawn for example i must be a function of (seed, step, i) alone:
// then neither the number of workers nor a restart changes what is learnt.
struct Share {
  uint64_t seed = 0;
  int64_t step = 0;
  int64_t batch = 0;
  int64_t first = 0;
  int64_t count = 0;
};

// What is trained: a model, its data, its loss, and what to show of it. The
// trainer knows nothing else about a system.
class Task {
 public:
  virtual ~Task() = default;

  // A model with its starting parameters, in float32; the same on every call.
  // Called once for each worker. It has no buffers that training changes.
  virtual std::shared_ptr<torch::nn::Module> MakeModel() = 0;

  // The mean loss over the examples of `share`, a scalar to differentiate.
  // Called by several threads at once, each with its own model.
  virtual torch::Tensor Loss(torch::nn::Module& model, const Share& share) = 0;

  // Called once, before the first loss of a sitting: `step` steps are done, and
  // what the task wrote of later ones belongs to a lost sitting.
  virtual void GoOnFrom(int64_t /*step*/) {}

  // Writes what the model makes of a few fixed inputs into `folder`, under
  // names that contain `step`, and returns a line that says how good it is, or
  // nothing. Called on the averaged weights, with all threads idle.
  virtual std::string WriteSamples(torch::nn::Module& model,
                                   const std::filesystem::path& folder,
                                   int64_t step) = 0;

  // Writes the model to `folder` so that the system's pipeline can read it.
  // Called on the averaged weights at every checkpoint.
  virtual void Export(torch::nn::Module& model,
                      const std::filesystem::path& folder) = 0;

  // Whether the samples so far say that training gains nothing any more. Asked
  // after each WriteSamples.
  virtual bool ShouldStop() { return false; }

  // What a batch counts, in the plural: "pictures", "tokens".
  virtual std::string examples_name() const = 0;
};

}  // namespace keylens::train

#endif  // KEYLENS_SRC_TRAIN_TASK_H_
