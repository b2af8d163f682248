#ifndef KEYLENS_SRC_TRAIN_FLAT_PARAMETERS_H_
#define KEYLENS_SRC_TRAIN_FLAT_PARAMETERS_H_

#include <torch/torch.h>

#include <string>
#include <utility>
#include <vector>

namespace keylens::train {

// The parameters of a module, laid end to end in one buffer, so that the
// optimizer, the average and the clipping are each one pass over one tensor.
// Replicas of the module, one for each worker, share that buffer and have a
// gradient buffer of their own.
class FlatParameters {
 public:
  using NamedViews = std::vector<std::pair<std::string, torch::Tensor>>;

  // Moves the parameters of `module` into the buffer. Throws
  // std::invalid_argument unless all are dense float32 on the CPU.
  explicit FlatParameters(torch::nn::Module& module);

  // Makes the parameters of `replica`, which has the names and shapes of the
  // first module, views of the buffer, and their gradients views of the
  // returned one ([size()], zeros).
  torch::Tensor Attach(torch::nn::Module& replica) const;

  // [size()], without a gradient.
  const torch::Tensor& values() const { return values_; }
  int64_t size() const { return values_.numel(); }

  // A buffer of size() elements seen as the named parameters; nothing is
  // copied.
  NamedViews Views(const torch::Tensor& buffer) const;

 private:
  struct Entry {
    std::string name;
    std::vector<int64_t> shape;
    std::vector<int64_t> strides;
    int64_t offset;
  };

  torch::Tensor View(const torch::Tensor& buffer, const Entry& entry) const;

  std::vector<Entry> entries_;
  torch::Tensor values_;
};

}  // namespace keylens::train

#endif  // KEYLENS_SRC_TRAIN_FLAT_PARAMETERS_H_
