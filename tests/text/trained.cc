#include "tests/text/trained.h"

#include <map>
#include <utility>

namespace keylens {

std::vector<std::string> Sentences() {
  const std::vector<std::string> things = {
      "heart", "face", "clock", "star", "car", "Mädchen", "Straße", "Äpfel"};
  const std::vector<std::string> colours = {"red",   "blue", "yellow",
                                            "green", "grün", "weiß"};
  std::vector<std::string> sentences;
  for (const auto& thing : things) {
    for (const auto& colour : colours) {
      sentences.push_back("a " + colour + " " + thing);
      sentences.push_back("the " + thing + " is " + colour + ", isn't it?");
      sentences.push_back("Das Mädchen mag " + colour +
                          " und läuft über die Straße zum " + thing);
    }
  }
  return sentences;
}

const SentencePieceTokenizer& Trained(bool lowercase, bool byte_fallback) {
  static std::map<std::pair<bool, bool>, SentencePieceTokenizer> trained;
  const auto key = std::pair(lowercase, byte_fallback);
  auto found = trained.find(key);
  if (found == trained.end()) {
    const auto path = TemporaryPath("model");
    TrainTokenizer(Sentences(),
                   {.vocab_size = 400,
                    .lowercase = lowercase,
                    .byte_fallback = byte_fallback},
                   path);
    found = trained.emplace(key, SentencePieceTokenizer::Load(path)).first;
    std::filesystem::remove(path);
  }
  return found->second;
}

}  // namespace keylens
