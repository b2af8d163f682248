// Any bytes as a model's scheduler_config.json.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "systems/generator/schedulers/scheduler_options.h"
#include "tests/fuzz/read_or_refuse.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  ReadOrRefuse([&] {
    const auto options = keylens::generator::ParseSchedulerOptions(
        std::string(reinterpret_cast<const char*>(data), size), "fuzz");
    // What a walk divides by, and allocates.
    if (options.num_train_timesteps < 1 ||
        options.num_train_timesteps > 1'000'000 ||
        !(options.clip_sample_range > 0))
      std::abort();
  });
  return 0;
}
