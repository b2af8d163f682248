#include "src/models/keylens_unet/kind.h"

#include "src/models/keylens_unet/config.h"
#include "src/models/keylens_unet/tensors.h"

namespace keylens::generator {
namespace {

namespace fs = std::filesystem;

bool Recognises(const fs::path& folder) {
  return ClassNameIn(folder / "model_index.json") == "KeylensGenerator";
}

ModelDescription Describe(const fs::path& folder) {
  ModelDescriber describer(kModelKind, folder);
  describer.AddPart("text_encoder", "text_encoder/model.safetensors", [&] {
    return TensorsOf(
        ReadTextEncoderConfig(folder / "text_encoder/config.json"));
  });
  describer.AddPart("unet", "unet/diffusion_pytorch_model.safetensors", [&] {
    return TensorsOf(ReadUNetConfig(folder / "unet/config.json"));
  });
  describer.AddFile("tokenizer/spiece.model");
  describer.AddFile("scheduler/scheduler_config.json", [&] {
    ReadSchedulerConfig(folder / "scheduler/scheduler_config.json");
  });
  return describer.Take();
}

}  // namespace

const ModelKind kModelKind = {
    "keylens_unet",
    "a generator of pictures: a text encoder and a denoising U-Net of "
    "Keylens's own",
    "model_index.json", Recognises, Describe};

}  // namespace keylens::generator
