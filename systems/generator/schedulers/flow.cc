// The straight line from picture to noise, as networks trained here with flow
// are taught it.

#include "src/base/error.h"
#include "systems/generator/schedulers/process_scheduler.h"
#include "systems/generator/schedulers/scheduler_kinds.h"

namespace keylens::generator {

std::unique_ptr<Scheduler> MakeFlowScheduler(const SchedulerOptions& options,
                                             int64_t steps) {
  if (options.prediction != PredictionType::kFlow)
    throw UsageError(
        "the scheduler flow draws with models that keylens trained with flow, "
        "and with no others");
  return std::make_unique<ProcessScheduler>(Prediction::kFlow, options, steps);
}

}  // namespace keylens::generator
