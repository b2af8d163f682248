// keylens-train-tokenizer: trains a SentencePiece model, as trainer_protocol.h
// says.
//
// It is a program of its own for two reasons. Debian's libsentencepiece brings
// the code of an older protobuf under the names that libtorch's protobuf has,
// so that a program linked with both ends before main. And the library ends the
// process it runs in where it meets sentences that it does not expect.
#include <sentencepiece_trainer.h>

#include <cstdlib>
#include <iostream>
#include <iterator>
#include <string>
#include <string_view>
#include <unordered_map>

#include "src/text/trainer_protocol.h"

namespace {

class Sentences : public sentencepiece::SentenceIterator {
 public:
  explicit Sentences(std::string_view request) : rest_(request) { Next(); }
  bool done() const override { return done_; }
  void Next() override { done_ = !keylens::TakeRequestString(rest_, current_); }
  const std::string& value() const override { return current_; }
  sentencepiece::util::Status status() const override { return {}; }

 private:
  std::string_view rest_;
  std::string current_;
  bool done_ = false;
};

std::unordered_map<std::string, std::string> TakeFlags(
    std::string_view& request) {
  std::unordered_map<std::string, std::string> flags;
  std::string count;
  keylens::TakeRequestString(request, count);
  for (int i = std::atoi(count.c_str()); i > 0; --i) {
    std::string name;
    std::string value;
    keylens::TakeRequestString(request, name);
    keylens::TakeRequestString(request, value);
    flags[name] = value;
  }
  return flags;
}

// The library's messages begin with a place in its source: "Internal:
// ./src/x.cc(580) [condition] What it means."
std::string WhatItMeans(std::string_view message) {
  const std::size_t condition = message.rfind("] ");
  if (condition != std::string_view::npos) message.remove_prefix(condition + 2);
  return std::string(message);
}

}  // namespace

int main() {
  std::ios::sync_with_stdio(false);
  const std::string input(std::istreambuf_iterator<char>(std::cin), {});
  std::string_view request = input;
  const auto flags = TakeFlags(request);
  Sentences sentences(request);
  std::string model;
  const auto status =
      sentencepiece::SentencePieceTrainer::Train(flags, &sentences, &model);
  if (!status.ok()) {
    std::cerr << WhatItMeans(status.error_message()) << "\n";
    return 1;
  }
  std::cout << model << std::flush;
  return std::cout.good() ? 0 : 1;
}
