#include "systems/generator/schedulers/scheduler_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "src/base/error.h"
#include "src/base/file.h"

namespace keylens::generator {
namespace {

using Json = nlohmann::json;

constexpr int64_t kMaxFileBytes = 1 << 20;
constexpr int64_t kMaxTrainTimesteps = 1'000'000;

template <typename T>
using Names = std::initializer_list<std::pair<std::string_view, T>>;

// The entries of the file, each of which may be missing or null.
class Entries {
 public:
  Entries(const std::string& json, std::string name) : name_(std::move(name)) {
    json_ = Json::parse(json, nullptr, /*allow_exceptions=*/false);
    if (!json_.is_object()) throw Error(name_ + ": is no JSON object");
  }

  void Read(const char* key, bool& value) const {
    if (const Json* entry = Find(key)) {
      if (!entry->is_boolean()) Fail(key, "true or false");
      value = entry->get<bool>();
    }
  }

  void Read(const char* key, std::optional<bool>& value) const {
    if (Find(key) == nullptr) return;
    value.emplace();
    Read(key, *value);
  }

  void Read(const char* key, int64_t low, int64_t high, int64_t& value) const {
    if (const Json* entry = Find(key)) {
      if (!entry->is_number_integer() || entry->get<double>() < double(low) ||
          entry->get<double>() > double(high)) {
        Fail(key, fmt::format("a whole number from {} to {}", low, high));
      }
      value = entry->get<int64_t>();
    }
  }

  void Read(const char* key, double low, double high, double& value) const {
    if (const Json* entry = Find(key)) value = Number(key, *entry, low, high);
  }

  void Read(const char* key, double low, double high,
            std::vector<double>& values) const {
    const Json* entry = Find(key);
    if (entry == nullptr) return;
    if (!entry->is_array() || entry->empty()) Fail(key, "a list of numbers");
    values.clear();
    for (const Json& item : *entry)
      values.push_back(Number(key, item, low, high));
  }

  std::string Text(const char* key) const {
    const Json* entry = Find(key);
    if (entry == nullptr) return "";
    if (!entry->is_string()) Fail(key, "a text");
    return entry->get<std::string>();
  }

  template <typename T>
  std::optional<T> Choice(const char* key, Names<T> names) const {
    if (Find(key) == nullptr) return std::nullopt;
    const std::string text = Text(key);
    std::string all;
    for (const auto& [name, value] : names) {
      if (text == name) return value;
      all += fmt::format("{}{}", all.empty() ? "" : ", ", name);
    }
    Fail(key, fmt::format("one of {}", all));
  }

  // Entries that would change the pictures, and that nothing here does.
  void Refuse(const char* key, const Json& usual) const {
    if (const Json* entry = Find(key); entry != nullptr && *entry != usual)
      Fail(key,
           fmt::format("{} (no scheduler here does otherwise)", usual.dump()));
  }

  [[noreturn]] void Fail(const char* key, const std::string& expected) const {
    throw Error(fmt::format("{}: entry {} must be {}", name_, key, expected));
  }

 private:
  const Json* Find(const char* key) const {
    const auto found = json_.find(key);
    return found == json_.end() || found->is_null() ? nullptr : &*found;
  }

  double Number(const char* key, const Json& entry, double low,
                double high) const {
    if (!entry.is_number() || !(entry.get<double>() >= low) ||
        !(entry.get<double>() <= high)) {
      Fail(key, fmt::format("a number from {} to {}", low, high));
    }
    return entry.get<double>();
  }

  std::string name_;
  Json json_;
};

void ReadSteps(const Entries& entries, SchedulerOptions& options) {
  if (const auto spacing = entries.Choice<TimestepSpacing>(
          "timestep_spacing", {{"leading", TimestepSpacing::kLeading},
                               {"trailing", TimestepSpacing::kTrailing},
                               {"linspace", TimestepSpacing::kLinspace}}))
    options.timestep_spacing = *spacing;
  entries.Read("steps_offset", int64_t{0}, int64_t{1000}, options.steps_offset);
  entries.Read("set_alpha_to_one", options.set_alpha_to_one);
  entries.Read("use_karras_sigmas", options.use_karras_sigmas);
}

void ReadNoise(const Entries& entries, SchedulerOptions& options) {
  entries.Read("num_train_timesteps", int64_t{1}, kMaxTrainTimesteps,
               options.num_train_timesteps);
  if (const auto schedule = entries.Choice<BetaSchedule>(
          "beta_schedule",
          {{"linear", BetaSchedule::kLinear},
           {"scaled_linear", BetaSchedule::kScaledLinear},
           {"squaredcos_cap_v2", BetaSchedule::kSquaredCosine}}))
    options.beta_schedule = *schedule;
  entries.Read("beta_start", 0.0, 0.999, options.beta_start);
  entries.Read("beta_end", 0.0, 0.999, options.beta_end);
  entries.Read("trained_betas", 0.0, 0.999, options.trained_betas);
  if (!options.trained_betas.empty() &&
      static_cast<int64_t>(options.trained_betas.size()) !=
          options.num_train_timesteps) {
    entries.Fail("trained_betas", "as long as num_train_timesteps");
  }
  entries.Read("rescale_betas_zero_snr", options.rescale_betas_zero_snr);
  if (options.rescale_betas_zero_snr &&
      options.prediction == PredictionType::kEpsilon) {
    entries.Fail("prediction_type",
                 "v_prediction or sample where rescale_betas_zero_snr is set: "
                 "pure noise says nothing of the picture");
  }
}

void RefuseTheRest(const Entries& entries) {
  entries.Refuse("thresholding", false);
  entries.Refuse("interpolation_type", "linear");
  entries.Refuse("timestep_type", "discrete");
  entries.Refuse("final_sigmas_type", "zero");
  entries.Refuse("use_exponential_sigmas", false);
  entries.Refuse("use_beta_sigmas", false);
  entries.Refuse("sigma_min", nullptr);
  entries.Refuse("sigma_max", nullptr);
}

PredictionType ReadPrediction(const Entries& entries) {
  return entries
      .Choice<PredictionType>("prediction_type",
                              {{"epsilon", PredictionType::kEpsilon},
                               {"v_prediction", PredictionType::kVelocity},
                               {"sample", PredictionType::kSample},
                               {"flow", PredictionType::kFlow}})
      .value_or(PredictionType::kEpsilon);
}

SchedulerOptions ReadKeylens(const Entries& entries) {
  const PredictionType prediction = ReadPrediction(entries);
  if (prediction != PredictionType::kVelocity &&
      prediction != PredictionType::kFlow) {
    entries.Fail("prediction_type", "v_prediction or flow");
  }
  return KeylensSchedulerOptions(prediction == PredictionType::kFlow
                                     ? Prediction::kFlow
                                     : Prediction::kVelocity);
}

// Or empty: a file need not say it where a scheduler is asked for by name.
bool IsName(std::string_view text) {
  return text.size() < 100 && std::ranges::all_of(text, [](unsigned char c) {
           return std::isalnum(c) != 0 || c == '_';
         });
}

constexpr const char* kKeylensClass = "KeylensScheduler";

}  // namespace

SchedulerOptions KeylensSchedulerOptions(Prediction prediction) {
  SchedulerOptions options;
  options.class_name = kKeylensClass;
  options.prediction = prediction == Prediction::kFlow
                           ? PredictionType::kFlow
                           : PredictionType::kVelocity;
  options.beta_schedule = BetaSchedule::kCosine;
  // The walk starts at pure noise and ends at the picture.
  options.timestep_spacing = TimestepSpacing::kTrailing;
  options.clip_sample = true;
  options.use_clipped_model_output = true;
  return options;
}

SchedulerOptions ReadSchedulerOptions(const std::filesystem::path& path) {
  return ParseSchedulerOptions(ReadFile(path, kMaxFileBytes), path.string());
}

SchedulerOptions ParseSchedulerOptions(const std::string& json,
                                       const std::string& name) {
  const Entries entries(json, name);
  const std::string class_name = entries.Text("_class_name");
  if (!IsName(class_name)) entries.Fail("_class_name", "the name of a class");
  SchedulerOptions options;
  if (class_name == kKeylensClass) options = ReadKeylens(entries);
  options.class_name = class_name;
  entries.Read("clip_sample", options.clip_sample);
  entries.Read("clip_sample_range", 1e-6, 1e6, options.clip_sample_range);
  if (class_name == kKeylensClass) return options;
  options.prediction = ReadPrediction(entries);
  ReadNoise(entries, options);
  ReadSteps(entries, options);
  RefuseTheRest(entries);
  return options;
}

}  // namespace keylens::generator
