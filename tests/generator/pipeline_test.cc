// Drawing with a tiny model: what a picture depends on, and what it does not.

#include "systems/generator/pipeline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/checkpoint/npy.h"
#include "systems/generator/looking/map_files.h"
#include "systems/generator/model/model_folder.h"
#include "systems/generator/model/unet_denoiser.h"
#include "tests/generator/tiny_generator.h"

namespace keylens::generator {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

DrawSettings Settings(int threads = 2) {
  DrawSettings settings;
  settings.steps = 3;
  settings.threads = threads;
  return settings;
}

Drawing Draw(const DrawRequest& request, const DrawSettings& settings) {
  return DrawAll(Pipeline::Load(TinyModel()), {&request, 1}, settings).at(0);
}

std::vector<uint8_t> Pixels(const DrawRequest& request,
                            const DrawSettings& settings) {
  return Draw(request, settings).picture.pixels;
}

TEST(PipelineTest, TheSameSeedDrawsTheSameBytes) {
  const DrawRequest request{"red disc", "", 4, false};
  const auto pixels = Pixels(request, Settings(1));
  EXPECT_EQ(pixels.size(), 16u * 16 * 4);
  EXPECT_EQ(pixels, Pixels(request, Settings(2)));
  EXPECT_EQ(pixels, Pixels(request, Settings(3)));
  DrawRequest with_maps = request;
  with_maps.maps = true;
  EXPECT_EQ(pixels, Pixels(with_maps, Settings(2)));
}

TEST(PipelineTest, CompanyChangesNoPicture) {
  const Pipeline pipeline = Pipeline::Load(TinyModel());
  std::vector<DrawRequest> requests;
  for (uint64_t seed = 0; seed < 11; ++seed) {  // more than one chunk
    requests.push_back({"red disc", "", seed, false});
  }
  const std::vector<Drawing> together = DrawAll(pipeline, requests, Settings());
  ASSERT_EQ(together.size(), 11u);
  EXPECT_EQ(together[0].picture.pixels, Pixels(requests[0], Settings()));
  EXPECT_EQ(together[10].picture.pixels, Pixels(requests[10], Settings()));
  EXPECT_NE(together[0].picture.pixels, together[1].picture.pixels);
}

TEST(PipelineTest, EverySettingCounts) {
  const DrawRequest request{"red disc", "", 4, false};
  const auto pixels = Pixels(request, Settings());
  EXPECT_NE(pixels, Pixels({"blue disc", "", 4, false}, Settings()));
  EXPECT_NE(pixels, Pixels({"red disc", "green", 4, false}, Settings()));
  EXPECT_NE(pixels, Pixels({"red disc", "", 5, false}, Settings()));
  DrawSettings more = Settings();
  more.steps = 4;
  EXPECT_NE(pixels, Pixels(request, more));
  DrawSettings stronger = Settings();
  stronger.guidance = 6;
  EXPECT_NE(pixels, Pixels(request, stronger));
}

TEST(PipelineTest, AnyPromptIsLegal) {
  std::string everything;
  for (int byte = 1; byte < 256; ++byte) {
    everything += static_cast<char>(byte);
  }
  for (const std::string& prompt :
       {std::string(), std::string(" \n"), std::string("zyx\xF0\x9F\x98\x80"),
        everything}) {
    EXPECT_EQ(Pixels({prompt, "", 0, true}, Settings()).size(), 1024u);
  }
}

TEST(PipelineTest, ALongPromptIsCutWhereItSays) {
  std::string prompt = "red disc";
  for (int i = 0; i < 40; ++i) prompt += " and blue disc";
  DrawRequest request{prompt, "", 0, true};
  const Drawing drawing = Draw(request, Settings());
  EXPECT_TRUE(drawing.prompt.cut());
  EXPECT_EQ(drawing.prompt.tokens.size(), 16u);  // the model's max_tokens
  EXPECT_EQ(drawing.prompt.read_bytes, drawing.prompt.tokens[14].piece.end);
  // What was read draws the same picture.
  request.prompt = prompt.substr(0, drawing.prompt.read_bytes);
  EXPECT_EQ(drawing.picture.pixels, Pixels(request, Settings()));
}

TEST(PipelineTest, SettingsThatNoPictureHasAreRefused) {
  const Pipeline pipeline = Pipeline::Load(TinyModel());
  const auto draw = [&](auto change) {
    DrawSettings settings = Settings();
    change(settings);
    const DrawRequest request{"red disc", "", 0, false};
    DrawAll(pipeline, {&request, 1}, settings);
  };
  EXPECT_THROW(draw([](auto& s) { s.steps = 0; }), UsageError);
  EXPECT_THROW(draw([](auto& s) { s.steps = -3; }), UsageError);
  EXPECT_THROW(draw([](auto& s) { s.guidance = NAN; }), UsageError);
  EXPECT_THROW(draw([](auto& s) { s.guidance = INFINITY; }), UsageError);
  EXPECT_THROW(draw([](auto& s) { s.width = s.height = 1 << 24; }),
               UsageError);  // no machine has the memory
  EXPECT_THROW(draw([](auto& s) { s.height = 18; }), UsageError);
  EXPECT_THROW(draw([](auto& s) { s.width = -16; }), UsageError);
}

std::vector<DrawRequest> Discs(std::size_t count) {
  std::vector<DrawRequest> requests;
  for (std::size_t seed = 0; seed < count; ++seed)
    requests.push_back({"red disc", "", seed, false});
  return requests;
}

TEST(DrawTest, EveryDrawingGoesToTheSinkInOrderBeforeTheRestIsDrawn) {
  const Pipeline pipeline = Pipeline::Load(TinyModel());
  for (const int threads : {1, 2, 5}) {
    std::vector<std::size_t> order;
    int64_t steps_at_first = 0, steps = 0;
    const std::size_t drawn =
        pipeline.Draw(Discs(20), Settings(threads),
                      [&](std::size_t index, const Drawing&) {
                        if (index == 0) steps_at_first = steps;
                        order.push_back(index);
                      },
                      {.observer = [&](int64_t done, int64_t total) {
                        EXPECT_EQ(total, 20 * 3);
                        EXPECT_GT(done, steps);
                        steps = done;
                        return true;
                      }});
    EXPECT_EQ(drawn, 20u);
    EXPECT_TRUE(std::ranges::is_sorted(order));
    EXPECT_EQ(order.size(), 20u);
    EXPECT_LT(steps_at_first, 30);
    EXPECT_EQ(steps, 60);
  }
}

TEST(DrawTest, TheObserverStopsAndWhatIsDoneStays) {
  const Pipeline pipeline = Pipeline::Load(TinyModel());
  std::size_t kept = 0;
  const std::size_t drawn = pipeline.Draw(
      Discs(50), Settings(), [&](std::size_t, const Drawing&) { ++kept; },
      {.observer = [](int64_t done, int64_t) { return done < 12; }});
  EXPECT_EQ(drawn, kept);
  EXPECT_GE(drawn, 1u);
  EXPECT_LT(drawn, 20u);
}

TEST(DrawTest, TheTokenStops) {
  const Pipeline pipeline = Pipeline::Load(TinyModel());
  StopSource stop;
  const auto draw = [&](std::size_t stop_at) {
    return pipeline.Draw(Discs(50), Settings(),
                         [&](std::size_t index, const Drawing&) {
                           if (index == stop_at) stop.RequestStop();
                         },
                         {.stop = stop.token()});
  };
  const std::size_t drawn = draw(3);
  EXPECT_GE(drawn, 4u);
  EXPECT_LT(drawn, 10u);
  EXPECT_EQ(draw(3), 0u);  // asked before it began
}

TEST(DrawTest, WhatTheSinkThrowsComesOut) {
  const Pipeline pipeline = Pipeline::Load(TinyModel());
  EXPECT_THROW(pipeline.Draw(Discs(9), Settings(),
                             [](std::size_t index, const Drawing&) {
                               if (index == 2) throw Error("the disk is full");
                             }),
               Error);
}

TEST(DrawTest, TheThreadsOfTheCallerStay) {
  const int before = at::get_num_threads();
  at::set_num_threads(3);
  Draw({"red disc", "", 0, false}, Settings());
  EXPECT_EQ(at::get_num_threads(), 3);
  at::set_num_threads(before);
}

TEST(DrawTest, ANetworkThatGivesNoNumbersIsNamed) {
  ModelFolder model = ReadModelFolder(TinyModel());
  {
    const torch::NoGradGuard no_grad;
    model.model->unet->conv_out->bias.fill_(NAN);
  }
  const GeneratorConfig& config = model.model->config();
  const Pipeline pipeline(
      std::make_unique<TextEncoderReader>(
          model.model->text_encoder,
          std::make_shared<SentencePieceTokenizer>(std::move(model.tokenizer)),
          config.text.max_tokens),
      std::make_unique<UNetDenoiser>(model.model->unet, config.unet),
      std::make_unique<PixelDecoder>(config.unet), model.scheduler,
      "the/model");
  try {
    DrawAll(pipeline, Discs(1), Settings());
    FAIL() << "a picture was drawn";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("the/model"));
    EXPECT_THAT(error.what(), HasSubstr("no numbers"));
  }
}

TEST(PromptTest, WordsThatTheVocabularyLacksAreNamed) {
  const auto tokenizer = SentencePieceTokenizer::Load(
      KEYLENS_SOURCE_DIR "/models/emoji/tokenizer/spiece.model");
  const auto unknown = [&](const std::string& prompt) {
    return UnknownWords(TokenizePrompt(tokenizer, prompt, 32));
  };
  using ::testing::ElementsAre;
  using ::testing::IsEmpty;
  EXPECT_THAT(unknown(""), IsEmpty());
  EXPECT_THAT(unknown("Red HEART, dark skin tone!"), IsEmpty());
  EXPECT_THAT(unknown("flag: United Kingdom"), IsEmpty());
  EXPECT_THAT(unknown("red \xE2\x9D\xA4 disc"), ElementsAre("\xE2\x9D\xA4"));
  EXPECT_THAT(unknown("(red:1.3) heart"), ElementsAre("(red:1.3)"));
  EXPECT_THAT(unknown("red vrrtl"), ElementsAre("vrrtl"));
}

// A vocabulary without start and end tokens, of a piece for each byte.
class ByteTokenizer : public Tokenizer {
 public:
  std::vector<TextPiece> Encode(std::string_view text) const override {
    std::vector<TextPiece> pieces;
    for (std::size_t i = 0; i < text.size(); ++i)
      pieces.push_back({text[i], std::string(1, text[i]), i, i + 1, false});
    return pieces;
  }
  std::string Decode(std::span<const int32_t>) const override { return ""; }
  int32_t vocab_size() const override { return 256; }
  int32_t start_id() const override { return -1; }
  int32_t end_id() const override { return -1; }
  int32_t pad_id() const override { return 0; }
  int32_t unknown_id() const override { return -1; }
};

TEST(PromptTest, TokensAreWhatTheTokenizerMakesOfThem) {
  const TokenizedPrompt prompt = TokenizePrompt(ByteTokenizer(), "a bc", 32);
  ASSERT_EQ(prompt.tokens.size(), 4u);  // nothing around them
  const std::vector<MappedWord> words = MapWords(prompt);
  ASSERT_EQ(words.size(), 2u);
  EXPECT_EQ(words[0].text, "a");
  EXPECT_EQ(words[0].first_token, 0u);
  EXPECT_EQ(words[1].text, "bc");
  EXPECT_EQ(words[1].last_token, 4u);
  EXPECT_EQ(TokenizePrompt(ByteTokenizer(), "a bc", 3).read_bytes, 3u);
}

TEST(PromptMapsTest, AtEveryPlaceTheWeightsAddUpToOne) {
  DrawSettings settings = Settings();
  settings.width = 32;
  settings.height = 16;
  const Drawing drawing = Draw({"a red disc, of grass", "", 1, true}, settings);
  ASSERT_TRUE(drawing.maps.has_value());
  const PromptMaps& maps = *drawing.maps;
  EXPECT_EQ(maps.maps.size(0), 3);  // steps
  EXPECT_EQ(maps.maps.size(2), 4);  // a quarter of the picture's rows: the stem
  EXPECT_EQ(maps.maps.size(3), 8);  // and one level down
  EXPECT_LT((maps.maps.sum(1) - 1).abs().max().item<double>(), 1e-5);
  ASSERT_EQ(maps.layers.size(), 3u);  // down, middle, up
  for (const LayerMaps& layer : maps.layers) {
    EXPECT_EQ(layer.weights.size(0), 3);  // steps
    EXPECT_EQ(layer.weights.size(1), 2);  // heads
    EXPECT_EQ(layer.weights.size(4), static_cast<int64_t>(maps.tokens.size()));
    EXPECT_LT((layer.weights.sum(4) - 1).abs().max().item<double>(), 1e-5);
  }
}

TEST(PromptMapsTest, EveryTokenBelongsToOneWord) {
  const Drawing drawing =
      Draw({"a red disc, of\xC2\xA0grass", "", 1, true}, Settings());
  const std::vector<MappedWord> words = MapWords(drawing.prompt);
  std::size_t next = 0;
  for (const MappedWord& word : words) {
    EXPECT_EQ(word.first_token, next);
    next = word.last_token;
  }
  EXPECT_EQ(next, drawing.prompt.tokens.size());
  EXPECT_TRUE(words.front().special);
  EXPECT_TRUE(words.back().special);
  EXPECT_EQ(words[2].text, "red");
}

Drawing RedDisc() { return Draw({"red disc", "", 1, true}, Settings()); }

TEST(MapFilesTest, TheReportHoldsEveryStepLayerAndHead) {
  const Drawing drawing = RedDisc();
  const render::AttentionReport report =
      MapReport(drawing, "seed 1", MapDetail::kAll);
  render::CheckReport(report, "test");
  EXPECT_EQ(report.title, "red disc");
  ASSERT_EQ(report.panels.size(), 1 + 3u);
  const render::AttentionPanel& words = report.panels[0];
  EXPECT_EQ(words.keys,
            std::vector<std::string>({"<start>", "red", "disc", "<end>"}));
  EXPECT_EQ(words.steps, 3);
  const LayerMaps& layer = drawing.maps->layers[2];
  const render::AttentionPanel& panel = report.panels[3];
  EXPECT_EQ(panel.name, layer.name);
  EXPECT_EQ(panel.steps, 3);
  EXPECT_EQ(panel.heads, 2);
  EXPECT_EQ(panel.query_picture->rows, layer.weights.size(2));
  // The weight of a word is that of its tokens: here the last one of all.
  const std::vector<MappedWord>& mapped = drawing.maps->words;
  const torch::Tensor last = layer.weights[2][1][0][1].slice(
      0, static_cast<int64_t>(mapped[2].first_token),
      static_cast<int64_t>(mapped[2].last_token));
  const std::vector<float> map =
      render::MapOf(panel, {.layer = 0, .head = 1, .step = 2});
  EXPECT_NEAR(map[1 * 4 + 2], last.sum().item<float>(), 1e-6);
}

TEST(MapFilesTest, StepsAreLeftOutWhereNumbersAreTooMany) {
  const Drawing drawing = RedDisc();
  const render::AttentionReport all =
      MapReport(drawing, "seed 1", MapDetail::kAll);
  int64_t numbers = 0;
  for (const render::AttentionPanel& panel : all.panels)
    numbers += static_cast<int64_t>(panel.weights.size());
  const render::AttentionReport some =
      MapReport(drawing, "seed 1", MapDetail::kAll, numbers - 1);
  EXPECT_EQ(some.panels[1].steps, 2);
  EXPECT_EQ(some.panels[1].step_names,
            std::vector<std::string>({"step 1 of 3", "step 3 of 3"}));
  EXPECT_EQ(some.notes.back(), "2 of 3 steps, for the file's size");
  EXPECT_EQ(MapReport(drawing, "", MapDetail::kAll, 1).panels[0].steps, 1);
}

TEST(MapFilesTest, WritesWordsAsPictureAndEverythingAsArrays) {
  const TestFolder folder("map_files");
  const Drawing drawing = RedDisc();
  WriteMaps(drawing, "seed 1", folder.path() / "disc.PNG");
  EXPECT_GT(ReadImage(folder.path() / "disc.PNG").width, 600);
  WriteMaps(drawing, "seed 1", folder.path() / "disc.npy");
  EXPECT_TRUE(fs::exists(folder.path() / "disc.all-layers.npy"));
  EXPECT_EQ(NpyArray::Read(folder.path() /
                           ("disc." + drawing.maps->layers[0].name + ".npy"))
                .shape()
                .at(0),
            3);
  WriteMaps(drawing, "seed 1", folder.path() / "disc.json");
  const auto json =
      nlohmann::json::parse(ReadFile(folder.path() / "disc.json"));
  EXPECT_EQ(json.at("panels").size(), 4u);
  EXPECT_EQ(json.at("notes").at(0), "seed 1");
}

class DamagedModelTest : public ::testing::Test {
 protected:
  DamagedModelTest() : folder_("damaged") {
    fs::copy(
        TinyModel(), folder_.path(),
        fs::copy_options::recursive | fs::copy_options::overwrite_existing);
  }

  // The message of the error that loading ends with; it is one line.
  std::string LoadError() const {
    try {
      Pipeline::Load(folder_.path());
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
      return error.what();
    }
    return "no error";
  }

  void Replace(const std::string& file, const std::string& from,
               const std::string& to) const {
    std::string text = ReadFile(folder_.path() / file);
    const std::size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos);
    WriteFileAtomically(folder_.path() / file,
                        text.replace(at, from.size(), to));
  }

  TestFolder folder_;
};

TEST_F(DamagedModelTest, NamesTheFileThatIsMissing) {
  for (const char* file :
       {"unet/diffusion_pytorch_model.safetensors", "unet/config.json",
        "text_encoder/model.safetensors", "text_encoder/config.json",
        "tokenizer/spiece.model", "scheduler/scheduler_config.json",
        "model_index.json"}) {
    const fs::path path = folder_.path() / file;
    const std::string bytes = ReadFile(path);
    fs::remove(path);
    EXPECT_THAT(LoadError(), HasSubstr(file));
    WriteFileAtomically(path, bytes.substr(0, bytes.size() / 2));
    if (path.filename() != "model_index.json") {
      EXPECT_THAT(LoadError(), HasSubstr(file));
    }
    WriteFileAtomically(path, bytes);
  }
  EXPECT_EQ(LoadError(), "no error");
}

TEST_F(DamagedModelTest, NamesTheTensorOfAnotherShape) {
  Replace("unet/config.json", "\"condition_size\": 32",
          "\"condition_size\": 40");
  EXPECT_THAT(LoadError(), HasSubstr("diffusion_pytorch_model.safetensors"));
  EXPECT_THAT(LoadError(), HasSubstr("tensor "));
}

TEST_F(DamagedModelTest, NamesTheEntryThatNoModelHas) {
  Replace("unet/config.json", "\"sample_size\": 16",
          "\"sample_size\": 999999999");
  EXPECT_THAT(LoadError(), HasSubstr("unet/config.json: entry sample_size"));
}

TEST(ModelFolderTest, AFolderThatIsNoModelIsNamed) {
  const TestFolder folder("no_model");
  EXPECT_THROW(Pipeline::Load(folder.path()), Error);
  EXPECT_THROW(Pipeline::Load(folder.path() / "gone"), Error);
}

}  // namespace
}  // namespace keylens::generator
