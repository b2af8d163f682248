#ifndef KEYLENS_SRC_WEIGHTS_WEIGHT_REPORT_H_
#define KEYLENS_SRC_WEIGHTS_WEIGHT_REPORT_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "src/weights/weight_source.h"

namespace keylens {

// A weight that a model is made of.
struct TensorSpec {
  std::string name;
  std::vector<int64_t> shape;
  bool optional = false;
};

// What a source has of what a model needs, by name and in the order of the
// specs and of the source.
struct WeightReport {
  struct WrongShape {
    std::string name;
    std::vector<int64_t> wanted, there;
  };
  struct WrongType {
    std::string name;
    ElementType type = ElementType::kFloat32;
  };

  std::string where;  // the file, or the index of the files
  std::vector<std::string> used, missing, unknown;
  std::vector<WrongShape> wrong;
  std::vector<WrongType> not_float;
  std::vector<std::string> not_finite;  // filled by CheckValues alone

  bool complete() const;
  // Every problem by name, in one line without the file: "tensor 'a' is
  // missing; tensor 'b' has shape [2], the model's is [3]". Empty where
  // complete.
  std::string Problems() const;
};

// Names, shapes and types alone: no weight is read. Each spec's name is there
// once.
WeightReport Compare(const WeightSource& source,
                     std::span<const TensorSpec> specs);

// Reads the weights that are used, and notes those with an element that is NaN
// or infinite.
void CheckValues(const WeightSource& source, WeightReport& report);

// Throws one Error that names the file and every problem, unless `source` holds
// the weights of `specs` and no others. To be called before anything of the
// model is made, whose size is then bounded by the file's.
void RequireWeights(const WeightSource& source,
                    std::span<const TensorSpec> specs);

}  // namespace keylens

#endif  // KEYLENS_SRC_WEIGHTS_WEIGHT_REPORT_H_
