#include "systems/generator/training/train.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "src/base/error.h"
#include "src/models/keylens_unet/model.h"
#include "src/random/random.h"
#include "systems/generator/data/captions.h"
#include "systems/generator/model/model_folder.h"
#include "systems/generator/model/unet_denoiser.h"
#include "systems/generator/pixels.h"
#include "systems/generator/training/batch_row.h"
#include "systems/generator/training/sample_grid.h"

namespace keylens::generator {
namespace {

std::vector<std::string> CaptionsOf(
    const std::vector<CaptionedPicture>& pictures) {
  std::vector<std::string> captions;
  for (const CaptionedPicture& picture : pictures) {
    captions.push_back(picture.text);
  }
  return captions;
}

std::vector<CaptionedPicture> WithoutHeldOut(
    std::vector<CaptionedPicture> pictures) {
  std::erase_if(pictures, [](const auto& picture) { return picture.held_out; });
  if (pictures.empty()) throw Error("no picture is left to train on");
  return pictures;
}

GeneratorTraining WithVocabulary(GeneratorTraining training,
                                 const Tokenizer& tokenizer) {
  training.config.text.vocab_size = tokenizer.vocab_size();
  return training;
}

}  // namespace

std::vector<std::string> DefaultSamplePrompts(
    const std::vector<CaptionedPicture>& pictures) {
  constexpr std::size_t kCount = 16;
  const std::size_t stride = std::max<std::size_t>(1, pictures.size() / kCount);
  std::vector<std::string> prompts;
  for (std::size_t i = 0; i < pictures.size() && prompts.size() < kCount;
       i += stride) {
    prompts.push_back(pictures[i].text);
  }
  return prompts;
}

void TrainPromptTokenizer(const std::vector<CaptionedPicture>& pictures,
                          const std::filesystem::path& path) {
  std::vector<std::string> sentences;
  for (const CaptionedPicture& picture : pictures) {
    if (picture.held_out) continue;
    sentences.push_back(picture.text);
    for (const std::string& keyword : picture.keywords) {
      sentences.push_back(keyword);
    }
  }
  TrainTokenizer(sentences,
                 {.vocab_size = 2000, .lowercase = true, .byte_fallback = true},
                 path);
}

GeneratorTask::GeneratorTask(std::vector<CaptionedPicture> pictures,
                             const std::filesystem::path& tokenizer_file,
                             GeneratorTraining training)
    : pictures_(WithoutHeldOut(std::move(pictures))),
      tokenizer_file_(tokenizer_file),
      tokenizer_(SentencePieceTokenizer::Load(tokenizer_file)),
      training_(WithVocabulary(std::move(training), tokenizer_)),
      process_(training_.config.scheduler.prediction),
      order_(CaptionsOf(pictures_), training_.seed) {}

std::shared_ptr<torch::nn::Module> GeneratorTask::MakeModel() {
  torch::manual_seed(training_.seed);
  auto model = std::make_shared<GeneratorModelImpl>(training_.config);
  if (training_.bfloat16) model->unet->set_map_type(torch::kBFloat16);
  return model;
}

// One stratum of u for each example of a batch, assigned anew in every step, so
// that every batch sees all times evenly.
double GeneratorTask::TimeOf(const train::Share& share, int64_t example) const {
  Random step_random({share.seed, static_cast<uint64_t>(share.step), 2});
  const auto turn = static_cast<int64_t>(step_random.Below(share.batch));
  Random random({share.seed, static_cast<uint64_t>(share.step), 3,
                 static_cast<uint64_t>(example)});
  const auto stratum = static_cast<double>((example + turn) % share.batch);
  const double u = std::clamp(
      (stratum + random.Uniform()) / static_cast<double>(share.batch), 1e-4,
      1 - 1e-4);
  const double logit = std::log(u / (1 - u));
  return 1 /
         (1 + std::exp(-training_.time_shift - training_.time_spread * logit));
}

GeneratorTask::Batch GeneratorTask::MakeBatch(const train::Share& share) const {
  const int64_t size = training_.config.unet.sample_size;
  Batch batch;
  batch.pictures =
      torch::empty({share.count, training_.config.unet.channels, size, size});
  batch.noise = torch::empty_like(batch.pictures);
  batch.time = torch::empty({share.count});
  std::vector<TokenizedPrompt> prompts;
  for (int64_t row = 0; row < share.count; ++row) {
    const int64_t example = share.first + row;
    const uint64_t number = share.step * share.batch + example;
    const CaptionedPicture& picture = pictures_[order_.PictureOf(number)];
    Random random({share.seed, static_cast<uint64_t>(share.step), 4,
                   static_cast<uint64_t>(example)});
    prompts.push_back(TokenizePrompt(
        tokenizer_, TrainingCaption(picture, training_.prompt_dropout, random),
        training_.config.text.max_tokens));
    ToNetworkColours(picture.image, RowOf(batch.pictures, row));
    random.FillNormal(RowOf(batch.noise, row));
    batch.time.data_ptr<float>()[row] =
        static_cast<float>(TimeOf(share, example));
  }
  batch.text = MakeTokenBatch(prompts, tokenizer_.pad_id());
  return batch;
}

torch::Tensor GeneratorTask::Loss(torch::nn::Module& model,
                                  const train::Share& share) {
  auto& generator = dynamic_cast<GeneratorModelImpl&>(model);
  const Batch batch = MakeBatch(share);
  const torch::Tensor output = generator.unet->forward(
      process_.Mix(batch.pictures, batch.noise, batch.time), batch.time,
      generator.text_encoder->forward(batch.text));
  return torch::mse_loss(
      output, process_.Target(batch.pictures, batch.noise, batch.time));
}

std::string GeneratorTask::WriteSamples(torch::nn::Module& model,
                                        const std::filesystem::path& folder,
                                        int64_t step) {
  auto& generator = dynamic_cast<GeneratorModelImpl&>(model);
  WriteSampleGrid(generator, tokenizer_, training_.sample_prompts,
                  folder / fmt::format("{:07}.png", step));
  return "";
}

void GeneratorTask::Export(torch::nn::Module& model,
                           const std::filesystem::path& folder) {
  WriteModelFolder(dynamic_cast<GeneratorModelImpl&>(model), tokenizer_file_,
                   folder);
}

}  // namespace keylens::generator
