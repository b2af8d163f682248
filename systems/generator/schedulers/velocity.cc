// The quarter circle from picture to noise, as networks trained here with
// v_prediction are taught it.

#include "src/base/error.h"
#include "systems/generator/schedulers/process_scheduler.h"
#include "systems/generator/schedulers/scheduler_kinds.h"

namespace keylens::generator {

std::unique_ptr<Scheduler> MakeVelocityScheduler(
    const SchedulerOptions& options, int64_t steps) {
  if (!options.unit_time() || options.prediction != PredictionType::kVelocity)
    throw UsageError(
        "the scheduler velocity draws with models that keylens trained with "
        "v_prediction, and with no others");
  return std::make_unique<ProcessScheduler>(Prediction::kVelocity, options,
                                            steps);
}

}  // namespace keylens::generator
