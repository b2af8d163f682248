#include <keylens/nn/attention_recorder.h>

namespace keylens::nn {

bool AttentionRecorder::Wants(const std::string&) const { return true; }

void AttentionRecorder::RecordCall(const std::string&, const RecordedCall&) {}

void AttentionMaps::Record(const std::string& layer,
                           const torch::Tensor& weights) {
  entries_.push_back({layer, step_, weights});
}

AttentionRecorder* RecordedLayer::Wanting(AttentionRecorder* recorder) const {
  return recorder != nullptr && recorder->Wants(record_name) ? recorder
                                                             : nullptr;
}

void NameAttentionLayers(torch::nn::Module& root) {
  for (const auto& child :
       root.named_modules(/*name_prefix=*/{}, /*include_self=*/false)) {
    if (auto* layer = dynamic_cast<RecordedLayer*>(child.value().get()))
      layer->record_name = child.key();
  }
}

}  // namespace keylens::nn
