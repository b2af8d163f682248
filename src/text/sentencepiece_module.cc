// The module that holds libsentencepiece; see subword_library.h.
#include <sentencepiece_processor.h>
#include <sentencepiece_trainer.h>

#include <utility>

#include "src/base/error.h"
#include "src/base/utf8.h"
#include "src/text/subword_library.h"

namespace keylens {
namespace {

class SentencePieceModel : public SubwordModel {
 public:
  SentencePieceModel(std::string_view bytes, const std::string& name)
      : name_(name) {
    if (!processor_.LoadFromSerializedProto(bytes).ok()) {
      throw Error(name + ": not a SentencePiece model that can be used");
    }
  }

  std::vector<TextPiece> Encode(std::string_view text) const override;
  std::string Decode(std::span<const int32_t> ids) const override;
  int32_t vocab_size() const override { return processor_.GetPieceSize(); }
  int32_t start_id() const override { return processor_.bos_id(); }
  int32_t end_id() const override { return processor_.eos_id(); }
  int32_t pad_id() const override { return processor_.pad_id(); }
  int32_t unknown_id() const override { return processor_.unk_id(); }

 private:
  void Check(const sentencepiece::util::Status& status) const {
    if (!status.ok()) throw Error(name_ + ": " + status.error_message());
  }

  std::string name_;  // of the file, for errors
  sentencepiece::SentencePieceProcessor processor_;
};

std::vector<TextPiece> SentencePieceModel::Encode(std::string_view text) const {
  sentencepiece::ImmutableSentencePieceText encoded;
  Check(processor_.Encode(text, encoded.mutable_proto()));
  std::vector<TextPiece> pieces;
  pieces.reserve(encoded.pieces_size());
  for (const auto& piece : encoded.pieces()) {
    pieces.push_back({static_cast<int32_t>(piece.id()), piece.piece(),
                      piece.begin(), piece.end()});
  }
  return pieces;
}

std::string SentencePieceModel::Decode(std::span<const int32_t> ids) const {
  const int32_t count = vocab_size();
  for (const int32_t id : ids) {
    if (id >= 0 && id < count) continue;
    throw Error(name_ + ": no piece has the id " + std::to_string(id) +
                "; there are " + std::to_string(count));
  }
  std::string text;
  Check(processor_.Decode(std::vector<int>(ids.begin(), ids.end()), &text));
  return text;
}

class Sentences : public sentencepiece::SentenceIterator {
 public:
  explicit Sentences(std::span<const std::string> sentences)
      : sentences_(sentences) {
    Prepare();
  }
  bool done() const override { return at_ >= sentences_.size(); }
  void Next() override {
    ++at_;
    Prepare();
  }
  const std::string& value() const override { return current_; }
  sentencepiece::util::Status status() const override { return {}; }

 private:
  void Prepare() {
    if (!done()) current_ = ToValidUtf8(sentences_[at_]);
  }

  std::span<const std::string> sentences_;
  std::size_t at_ = 0;
  std::string current_;
};

// The library's messages begin with a place in its source: "Internal:
// ./src/x.cc(580) [condition] What it means."
std::string WhatItMeans(std::string_view message) {
  const std::size_t condition = message.rfind("] ");
  if (condition != std::string_view::npos) message.remove_prefix(condition + 2);
  return std::string(message);
}

class SentencePieceLibrary : public SubwordLibrary {
 public:
  std::unique_ptr<SubwordModel> Parse(std::string_view bytes,
                                      const std::string& name) const override {
    return std::make_unique<SentencePieceModel>(bytes, name);
  }

  std::string Train(std::span<const std::string> sentences,
                    const std::unordered_map<std::string, std::string>& flags,
                    const std::string& name) const override {
    Sentences iterator(sentences);
    std::string model;
    const auto status =
        sentencepiece::SentencePieceTrainer::Train(flags, &iterator, &model);
    if (!status.ok()) {
      throw Error(name + ": the tokenizer cannot be trained: " +
                  WhatItMeans(status.error_message()));
    }
    return model;
  }
};

}  // namespace
}  // namespace keylens

extern "C" __attribute__((visibility("default"))) const void*
KeylensSubwordLibrary() {
  static const keylens::SentencePieceLibrary library;
  return static_cast<const keylens::SubwordLibrary*>(&library);
}
