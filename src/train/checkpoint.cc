#include "src/train/checkpoint.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "src/base/error.h"
#include "src/checkpoint/json_mistake.h"
#include "src/checkpoint/safetensors.h"

namespace keylens::train {
namespace {

using Json = nlohmann::json;

struct NamedBuffer {
  const char* prefix;
  torch::Tensor buffer;
};

std::array<NamedBuffer, 4> BuffersOf(const TrainingState& state) {
  return {{{"weights.", state.values},
           {"average.", state.average},
           {"first_moment.", state.first_moment},
           {"second_moment.", state.second_moment}}};
}

std::string ProgressJson(const Progress& progress) {
  Json json = {{"seed", progress.seed},
               {"batch", progress.batch},
               {"step", progress.step},
               {"examples", progress.examples},
               {"optimizer_step", progress.optimizer_step},
               {"seconds", progress.seconds}};
  if (progress.first_loss) json["first_loss"] = *progress.first_loss;
  return json.dump();
}

Progress ParseProgress(const Safetensors& file) {
  const auto found = file.metadata().find("progress");
  if (found == file.metadata().end()) {
    throw Error(file.name() + ": no checkpoint of a training run");
  }
  try {
    const Json json = Json::parse(found->second);
    Progress progress = {
        json.at("seed"),     json.at("batch"),          json.at("step"),
        json.at("examples"), json.at("optimizer_step"), json.at("seconds"),
        std::nullopt};
    if (json.contains("first_loss")) progress.first_loss = json["first_loss"];
    return progress;
  } catch (const Json::exception& error) {
    throw Error(fmt::format("{}: progress of the run: {}", file.name(),
                            JsonMistake(error)));
  }
}

// Copies one named tensor of the file into a parameter-shaped view.
void Fill(const Safetensors& file, const std::string& name,
          torch::Tensor view) {
  const NamedTensor* stored = file.Find(name);
  if (stored == nullptr) {
    throw Error(fmt::format("{}: tensor {} is missing", file.name(), name));
  }
  if (torch::IntArrayRef(stored->shape) != view.sizes() ||
      stored->type != ElementType::kFloat32) {
    throw Error(fmt::format("{}: tensor {} is {} [{}], the model's is F32 [{}]",
                            file.name(), name, NameOf(stored->type),
                            fmt::join(stored->shape, ", "),
                            fmt::join(view.sizes(), ", ")));
  }
  const std::vector<float> values = ToFloat32(*stored);
  view.copy_(torch::from_blob(const_cast<float*>(values.data()), view.sizes(),
                              torch::kFloat));
}

}  // namespace

void WriteCheckpoint(const std::filesystem::path& path,
                     const FlatParameters& parameters,
                     const TrainingState& state) {
  std::vector<torch::Tensor> dense;  // keeps the bytes of `tensors` alive
  std::vector<NamedTensor> tensors;
  for (const NamedBuffer& named : BuffersOf(state)) {
    for (const auto& [name, view] : parameters.Views(named.buffer)) {
      dense.push_back(view.detach().contiguous());
      tensors.push_back(
          {named.prefix + name,
           ElementType::kFloat32,
           view.sizes().vec(),
           {static_cast<const std::byte*>(dense.back().data_ptr()),
            static_cast<std::size_t>(view.nbytes())}});
    }
  }
  WriteSafetensors(path, tensors, {{"progress", ProgressJson(state.progress)}});
}

void ReadCheckpoint(const std::filesystem::path& path,
                    const FlatParameters& parameters, TrainingState& state) {
  const Safetensors file = Safetensors::Read(path);
  const Progress progress = ParseProgress(file);
  torch::NoGradGuard no_grad;
  for (const NamedBuffer& named : BuffersOf(state)) {
    for (const auto& [name, view] : parameters.Views(named.buffer)) {
      Fill(file, named.prefix + name, view);
    }
  }
  state.progress = progress;
}

std::optional<Progress> ReadProgress(const std::filesystem::path& path) {
  if (!std::filesystem::exists(path)) return {};
  return ParseProgress(Safetensors::Read(path));
}

}  // namespace keylens::train
