#ifndef KEYLENS_BENCHMARKS_PEERS_PEER_H_
#define KEYLENS_BENCHMARKS_PEERS_PEER_H_

#include <cstdint>
#include <string>
#include <vector>

// One implementation of attention, in a process of its own, that does what the
// comparison (compare.mjs) asks of it in turns with the others.

namespace keylens::peers {

// Self-attention of one sequence, [heads, len, dim] each, without a mask;
// scores are scaled by 1 / sqrt(dim).
struct Problem {
  int64_t heads = 0, len = 0, dim = 0;
  std::vector<float> query, key, value;
};

class Peer {
 public:
  virtual ~Peer() = default;

  // Takes the problem into whatever order suits it best. Not timed.
  virtual void Load(Problem problem) = 0;
  // Computes attention. Timed.
  virtual void Run() = 0;
  // What Run computed, [heads, len, dim].
  virtual std::vector<float> Output() const = 0;

  // Answers any other request. Throws std::invalid_argument where there is no
  // answer.
  virtual std::string Answer(const std::string& request);
};

// Serves requests from standard input, a line each, until it ends:
//   load DIRECTORY HEADS LEN DIM OUT   reads query.f32, key.f32 and value.f32,
//                                      runs once, writes the output to OUT
//   time SECONDS                       runs for that long, twice at least, and
//                                      answers with the milliseconds of each
//                                      run but the first
// Answers `ok ...` or `error ...`. Returns the exit status.
int Serve(Peer& peer);

// The number of threads, the first argument of every peer. Throws
// std::invalid_argument.
int ThreadsOf(int argc, char** argv);

}  // namespace keylens::peers

#endif  // KEYLENS_BENCHMARKS_PEERS_PEER_H_
