#include "benchmarks/peers/peer.h"

#include <chrono>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace keylens::peers {
namespace {

std::vector<float> ReadFloats(const std::string& path, int64_t count) {
  std::vector<float> values(static_cast<std::size_t>(count));
  const auto bytes =
      static_cast<std::streamsize>(values.size() * sizeof(float));
  std::ifstream file(path, std::ios::binary);
  file.read(reinterpret_cast<char*>(values.data()), bytes);
  if (!file || file.peek() != EOF)
    throw std::runtime_error(path + " does not hold " + std::to_string(count) +
                             " floats");
  return values;
}

void WriteFloats(const std::string& path, const std::vector<float>& values) {
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(values.data()),
             static_cast<std::streamsize>(values.size() * sizeof(float)));
  file.close();
  if (!file) throw std::runtime_error(path + " cannot be written");
}

std::string Load(Peer& peer, std::istream& arguments) {
  std::string directory, out;
  Problem problem;
  arguments >> directory >> problem.heads >> problem.len >> problem.dim >> out;
  if (!arguments) throw std::invalid_argument("load lacks an argument");
  const int64_t count = problem.heads * problem.len * problem.dim;
  problem.query = ReadFloats(directory + "/query.f32", count);
  problem.key = ReadFloats(directory + "/key.f32", count);
  problem.value = ReadFloats(directory + "/value.f32", count);
  peer.Load(std::move(problem));
  peer.Run();
  WriteFloats(out, peer.Output());
  return "loaded";
}

std::string Time(Peer& peer, std::istream& arguments) {
  using Clock = std::chrono::steady_clock;
  double seconds = 0;
  if (!(arguments >> seconds))
    throw std::invalid_argument("time lacks an argument");
  const Clock::time_point begin = Clock::now();
  std::ostringstream milliseconds;
  const auto since = [](Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
  };
  // The first wakes threads and caches that other peers had.
  for (int run = 0; run < 2 || since(begin) < seconds; ++run) {
    const Clock::time_point start = Clock::now();
    peer.Run();
    if (run > 0) milliseconds << 1e3 * since(start) << ' ';
  }
  return milliseconds.str();
}

std::string Do(Peer& peer, const std::string& line) {
  std::istringstream words(line);
  std::string request;
  words >> request;
  if (request == "load") return Load(peer, words);
  if (request == "time") return Time(peer, words);
  return peer.Answer(line);
}

}  // namespace

std::string Peer::Answer(const std::string& request) {
  throw std::invalid_argument("no answer to: " + request);
}

int Serve(Peer& peer) {
  for (std::string line; std::getline(std::cin, line);) {
    try {
      const std::string answer = Do(peer, line);
      std::cout << "ok " << answer << std::endl;
    } catch (const std::exception& error) {
      const std::string text = error.what();
      std::cout << "error " << text.substr(0, text.find('\n')) << std::endl;
    }
  }
  return 0;
}

int ThreadsOf(int argc, char** argv) {
  const int threads = argc > 1 ? std::atoi(argv[1]) : 0;
  if (threads < 1)
    throw std::invalid_argument("the first argument is a number of threads");
  return threads;
}

}  // namespace keylens::peers
