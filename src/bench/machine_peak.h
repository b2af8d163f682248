#ifndef KEYLENS_SRC_BENCH_MACHINE_PEAK_H_
#define KEYLENS_SRC_BENCH_MACHINE_PEAK_H_

#include <memory>
#include <string>

namespace keylens {

// What the machine can do at best, to hold a kernel's speed against.

// Billions of floating-point operations per second, two for each multiply-add
// of a float: a loop that stays in registers, on `num_threads` threads (0:
// all). Takes about `seconds`; the best of several rounds.
double MeasureFmaPeakGflops(int num_threads = 0, double seconds = 0.2);

// Reads an array of 256 MiB, too large for a cache, once at each Run: to be run
// in turns with what is held against the machine's bandwidth.
class ReadPass {
 public:
  explicit ReadPass(int num_threads = 0);
  ~ReadPass();
  ReadPass(const ReadPass&) = delete;
  ReadPass& operator=(const ReadPass&) = delete;

  void Run();
  double Bytes() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Billions of bytes per second of a ReadPass: the best of several.
double MeasureReadBandwidthGbs(int num_threads = 0);

// The instruction set that the kernels use here: "AVX3", "AVX2", "NEON", ...
std::string InstructionSetName();

// Makes every kernel use the instruction set of that name ("AVX2"; capitals or
// not), to compare it with the best. Throws std::invalid_argument, naming those
// there are, where the machine or the build lacks it.
void UseInstructionSet(const std::string& name);

}  // namespace keylens

#endif  // KEYLENS_SRC_BENCH_MACHINE_PEAK_H_
