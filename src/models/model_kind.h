#ifndef KEYLENS_SRC_MODELS_MODEL_KIND_H_
#define KEYLENS_SRC_MODELS_MODEL_KIND_H_

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "src/weights/weight_report.h"
#include "src/weights/weight_source.h"

namespace keylens {

// One network of a model: a file of weights, or several with an index.
struct ModelPart {
  std::string name;  // "unet"; empty where a model is one network
  std::string file;  // relative to the folder
  int64_t tensors = 0;
  int64_t parameters = 0;
  int64_t bytes = 0;
  std::map<std::string, int64_t> types;  // "float16": how many tensors
  WeightReport weights;
};

// What a model folder holds. Describing one throws nothing: what is wrong with
// it is said here.
struct ModelDescription {
  std::string kind, description;
  std::vector<ModelPart> parts;
  std::vector<std::string> problems;  // lines that name the file

  bool complete() const { return problems.empty(); }
};

// A row of the registry.
struct ModelKind {
  const char* name;         // "keylens_translator", as its folder in src/models
  const char* description;  // for people: "translates, an encoder-decoder ..."
  const char* marker;       // the file by which it is known
  bool (*Recognises)(const std::filesystem::path& folder);
  ModelDescription (*Describe)(const std::filesystem::path& folder);
};

// What Describe is made of: reads a part after the other, and notes what is
// wrong instead of throwing.
class ModelDescriber {
 public:
  ModelDescriber(const ModelKind& kind, std::filesystem::path folder);

  // `specs` reads the part's config and lists its weights.
  void AddPart(const std::string& name, const std::string& weights_file,
               const std::function<std::vector<TensorSpec>()>& specs);
  // Another file that the model needs; `check` reads it where it can be.
  void AddFile(const std::string& file,
               const std::function<void()>& check = nullptr);

  ModelDescription Take() { return std::move(description_); }

 private:
  void Try(const std::function<void()>& action);
  void Measure(const WeightSource& weights, ModelPart& part);

  std::filesystem::path folder_;
  ModelDescription description_;
};

// The entry "_class_name" of a JSON file of a model; empty where there is none,
// or no such file, or it is damaged.
std::string ClassNameIn(const std::filesystem::path& file);

}  // namespace keylens

#endif  // KEYLENS_SRC_MODELS_MODEL_KIND_H_
