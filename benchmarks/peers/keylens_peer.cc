// Keylens beside its peers: keylens_peer THREADS [INSTRUCTION_SET]

#include <keylens/attention.h>

#include <iostream>
#include <utility>

#include "benchmarks/peers/peer.h"
#include "src/bench/machine_peak.h"

namespace keylens::peers {
namespace {

class KeylensPeer final : public Peer {
 public:
  explicit KeylensPeer(int threads) { options_.num_threads = threads; }

  void Load(Problem problem) override {
    problem_ = std::move(problem);
    out_.assign(problem_.query.size(), 0.0f);
  }

  void Run() override {
    const auto view = [this](auto* data) {
      return Contiguous(data, {1, problem_.heads, problem_.len, problem_.dim});
    };
    AttentionForward<float>({view(std::as_const(problem_.query).data()),
                             view(std::as_const(problem_.key).data()),
                             view(std::as_const(problem_.value).data())},
                            options_, {view(out_.data()), {}});
  }

  std::vector<float> Output() const override { return out_; }

  std::string Answer(const std::string& request) override {
    if (request == "instruction_set") return InstructionSetName();
    if (request == "peak")
      return std::to_string(MeasureFmaPeakGflops(options_.num_threads, 0.05));
    return Peer::Answer(request);
  }

 private:
  AttentionOptions options_;
  Problem problem_;
  std::vector<float> out_;
};

}  // namespace
}  // namespace keylens::peers

int main(int argc, char** argv) {
  try {
    if (argc > 2) keylens::UseInstructionSet(argv[2]);
    keylens::peers::KeylensPeer peer(keylens::peers::ThreadsOf(argc, argv));
    return keylens::peers::Serve(peer);
  } catch (const std::exception& error) {
    std::cerr << "keylens_peer: " << error.what() << '\n';
    return 2;
  }
}
