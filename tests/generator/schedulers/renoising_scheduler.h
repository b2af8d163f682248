#ifndef KEYLENS_TESTS_GENERATOR_SCHEDULERS_RENOISING_SCHEDULER_H_
#define KEYLENS_TESTS_GENERATOR_SCHEDULERS_RENOISING_SCHEDULER_H_

#include "systems/generator/schedulers/scheduler_kinds.h"

namespace keylens::generator {

// The row of the scheduler that docs/adding_a_scheduler.md builds.
extern const SchedulerKind kRenoising;

}  // namespace keylens::generator

#endif  // KEYLENS_TESTS_GENERATOR_SCHEDULERS_RENOISING_SCHEDULER_H_
