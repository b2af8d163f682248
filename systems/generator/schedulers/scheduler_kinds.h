#ifndef KEYLENS_SYSTEMS_GENERATOR_SCHEDULERS_SCHEDULER_KINDS_H_
#define KEYLENS_SYSTEMS_GENERATOR_SCHEDULERS_SCHEDULER_KINDS_H_

#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "systems/generator/schedulers/scheduler.h"
#include "systems/generator/schedulers/scheduler_options.h"

namespace keylens::generator {

// Makes the walk of one picture in `steps` >= 1 steps. Throws UsageError for a
// number of steps, or for options, that it cannot draw with.
using MakeScheduler =
    std::unique_ptr<Scheduler>(const SchedulerOptions& options, int64_t steps);

// A way to draw: a row of the table in scheduler_kinds.cc.
struct SchedulerKind {
  std::string_view name;        // as --scheduler takes it
  std::string_view class_name;  // of the scheduler_config.json that asks for it
  std::optional<PredictionType> prediction;  // and its prediction; none: any
  MakeScheduler* make;
};

std::span<const SchedulerKind> SchedulerKinds();

// Throws UsageError, listing the names that there are.
const SchedulerKind& SchedulerNamed(std::string_view name);

// The one that a model's folder asks for. Throws Error, listing the names,
// where it is one that is not here.
const SchedulerKind& SchedulerOf(const SchedulerOptions& options);

}  // namespace keylens::generator

#endif  // KEYLENS_SYSTEMS_GENERATOR_SCHEDULERS_SCHEDULER_KINDS_H_
