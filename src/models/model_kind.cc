#include "src/models/model_kind.h"

#include <system_error>
#include <utility>

#include "src/base/error.h"
#include "src/checkpoint/config_reader.h"
#include "src/weights/model_folder.h"

namespace keylens {

namespace fs = std::filesystem;

ModelDescriber::ModelDescriber(const ModelKind& kind, fs::path folder)
    : folder_(std::move(folder)) {
  description_.kind = kind.name;
  description_.description = kind.description;
}

void ModelDescriber::Try(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    description_.problems.emplace_back(error.what());
  } catch (const fs::filesystem_error& error) {
    description_.problems.emplace_back(error.what());
  }
}

void ModelDescriber::Measure(const WeightSource& weights, ModelPart& part) {
  for (const std::string& name : weights.Names()) {
    const std::optional<WeightView> view = weights.Find(name);
    if (!view) continue;
    ++part.tensors;
    part.parameters += ElementCount(*view);
    part.bytes += static_cast<int64_t>(view->bytes.size());
    ++part.types[std::string(LongNameOf(view->type))];
  }
}

void ModelDescriber::AddPart(
    const std::string& name, const std::string& weights_file,
    const std::function<std::vector<TensorSpec>()>& specs) {
  ModelPart part;
  part.name = name;
  part.file = weights_file;
  std::shared_ptr<const WeightSource> weights;
  Try([&] {
    weights = OpenWeights(folder_ / weights_file);
    Measure(*weights, part);
  });
  Try([&] {
    const std::vector<TensorSpec> wanted = specs();
    if (weights == nullptr) return;
    part.weights = Compare(*weights, wanted);
    CheckValues(*weights, part.weights);
    if (!part.weights.complete())
      throw Error(part.weights.where + ": " + part.weights.Problems());
  });
  description_.parts.push_back(std::move(part));
}

void ModelDescriber::AddFile(const std::string& file,
                             const std::function<void()>& check) {
  Try([&] {
    const fs::path path = folder_ / file;
    if (!fs::exists(path)) throw Error(path.string() + ": is missing");
    if (check) check();
  });
}

std::string ClassNameIn(const fs::path& file) {
  try {
    return ConfigReader(file).Text("_class_name");
  } catch (const Error&) {
    return "";
  }
}

}  // namespace keylens
