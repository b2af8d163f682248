#include "systems/generator/schedulers/scheduler_kinds.h"

#include <fmt/format.h>

#include <array>
#include <string>

#include "src/base/error.h"

namespace keylens::generator {

// Each in a file of its own.
MakeScheduler MakeVelocityScheduler, MakeFlowScheduler, MakeDdimScheduler,
    MakeEulerScheduler;

namespace {

constexpr std::array kKinds = {
    SchedulerKind{"velocity", "KeylensScheduler", PredictionType::kVelocity,
                  MakeVelocityScheduler},
    SchedulerKind{"flow", "KeylensScheduler", PredictionType::kFlow,
                  MakeFlowScheduler},
    SchedulerKind{"ddim", "DDIMScheduler", std::nullopt, MakeDdimScheduler},
    SchedulerKind{"euler", "EulerDiscreteScheduler", std::nullopt,
                  MakeEulerScheduler},
};

std::string AllNames() {
  std::string names;
  for (const SchedulerKind& kind : kKinds)
    names += fmt::format("{}{}", names.empty() ? "" : ", ", kind.name);
  return names;
}

}  // namespace

std::span<const SchedulerKind> SchedulerKinds() { return kKinds; }

const SchedulerKind& SchedulerNamed(std::string_view name) {
  for (const SchedulerKind& kind : kKinds)
    if (kind.name == name) return kind;
  throw UsageError(
      fmt::format("there is no scheduler {}; there are {}", name, AllNames()));
}

const SchedulerKind& SchedulerOf(const SchedulerOptions& options) {
  for (const SchedulerKind& kind : kKinds) {
    if (kind.class_name == options.class_name &&
        kind.prediction.value_or(options.prediction) == options.prediction)
      return kind;
  }
  throw Error(fmt::format(
      "the model asks for the scheduler \"{}\", which is not known; choose one "
      "of {}",
      options.class_name, AllNames()));
}

}  // namespace keylens::generator
