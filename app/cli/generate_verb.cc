// keylens generate PROMPT: draws a picture from text.

#include <fmt/format.h>
#include <keylens/nn/memory.h>
#include <unistd.h>

#include <charconv>
#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/cli/translation_options.h"
#include "app/cli/verb.h"
#include "src/base/error.h"
#include "src/base/program.h"
#include "src/base/shipped_model.h"
#include "src/render/sheets/attention_report_files.h"
#include "systems/generator/looking/map_files.h"
#include "systems/generator/pipeline.h"
#include "systems/translator/pipeline.h"

namespace keylens::cli {
namespace {

namespace fs = std::filesystem;
using generator::Drawing;

// What a flag without a value stands for.
constexpr const char* kBesidePicture = "true";

struct Options {
  std::string prompt;
  std::string negative;
  std::string output = "picture.png";
  std::string model;
  std::string size;
  std::string from;        // the language of the prompts; empty: English
  std::string translator;  // model folder; empty: the one that ships
  uint64_t seed = 0;
  int64_t count = 1;
  std::string maps;  // a file; kBesidePicture: its name; empty: none
  bool json = false;
  generator::DrawSettings settings;
};

// What was written for one picture.
struct Written {
  fs::path picture;
  uint64_t seed = 0;
  std::optional<fs::path> maps;
};

int ParseSide(std::string_view text, const std::string& size) {
  int side = 0;
  const char* end = text.data() + text.size();
  const auto [last, error] = std::from_chars(text.data(), end, side);
  if (error != std::errc() || last != end || side < 1) {
    throw UsageError(fmt::format("--size {}: give N or WxH, in pixels", size));
  }
  return side;
}

void ParseSize(const std::string& size, generator::DrawSettings& settings) {
  const std::string_view text = size;
  const std::size_t cross = text.find('x');
  settings.width = ParseSide(text.substr(0, cross), size);
  settings.height = cross == std::string_view::npos
                        ? settings.width
                        : ParseSide(text.substr(cross + 1), size);
}

// heart.png for one picture; heart-1.png, heart-2.png, ... for several.
fs::path Numbered(const fs::path& path, const Options& options, int64_t index) {
  if (options.count == 1) return path;
  const std::string name = fmt::format("{}-{}{}", path.stem().string(),
                                       index + 1, path.extension().string());
  return path.parent_path() / name;
}

// heart.maps.png beside heart.png, unless a file was named.
fs::path MapsPath(const Options& options, int64_t index) {
  if (options.maps != kBesidePicture)
    return Numbered(options.maps, options, index);
  return Numbered(options.output, options, index).replace_extension("maps.png");
}

void CheckMaps(const Options& options) {
  if (options.maps.empty()) return;
  try {
    render::CheckReportPath(MapsPath(options, 0));
  } catch (const Error& error) {
    throw UsageError(std::string("--maps: ") + error.what());
  }
}

void CheckOutput(const Options& options) {
  const fs::path path = options.output;
  if (path.extension() != ".png") {
    throw UsageError(options.output + ": the picture's name must end in .png");
  }
  const fs::path folder = path.has_parent_path() ? path.parent_path() : ".";
  if (!fs::is_directory(folder)) {
    throw Error(folder.string() + ": no such folder");
  }
}

// What the sheet says below its title.
std::string NoteOf(const Options& options, const fs::path& model,
                   uint64_t seed) {
  return fmt::format("seed {}, {} steps, guidance {}, model {}", seed,
                     options.settings.sampler.steps,
                     options.settings.sampler.guidance,
                     model.filename().string());
}

// The layout of this text is the one that picture browsers know.
std::string ParametersText(const Options& options, const Drawing& drawing,
                           const fs::path& model, uint64_t seed) {
  std::string text = options.prompt + "\n";
  if (!options.negative.empty()) {
    text += "Negative prompt: " + options.negative + "\n";
  }
  return text + fmt::format(
                    "Steps: {}, CFG scale: {}, Seed: {}, Size: {}x{}, "
                    "Model: {}",
                    options.settings.sampler.steps,
                    options.settings.sampler.guidance, seed,
                    drawing.picture.width, drawing.picture.height,
                    model.filename().string());
}

// Puts the prompts into English and says what was understood.
void TranslatePrompts(Options& options) {
  const auto pipeline = LoadTranslator(options.translator);
  translator::TranslateSettings settings;
  settings.threads = options.settings.threads;
  const std::vector<std::string> german = {options.prompt, options.negative};
  const auto english = pipeline.Translate(german, settings);
  options.prompt = english[0].text;
  options.negative = english[1].text;
  std::cerr << fmt::format(
      "keylens generate: understood \"{}\"{}\n", options.prompt,
      options.negative.empty()
          ? ""
          : fmt::format(" and not \"{}\"", options.negative));
}

void NoteCut(const generator::TokenizedPrompt& prompt) {
  if (!prompt.cut()) return;
  std::cerr << fmt::format(
      "keylens generate: the prompt is longer than the model reads; it is cut "
      "here: \"{} | {}\"\n",
      prompt.text.substr(0, prompt.read_bytes),
      prompt.text.substr(prompt.read_bytes));
}

void ShowProgress(int64_t done, int64_t total) {
  static const bool on_terminal = isatty(STDERR_FILENO) == 1;
  if (!on_terminal) return;
  std::cerr << fmt::format("\rdrawing: step {} of {}", done, total)
            << (done == total ? "\r\x1b[K" : "") << std::flush;
}

Written WriteDrawing(const Options& options, const Drawing& drawing,
                     const fs::path& model, int64_t index) {
  Written written;
  written.seed = options.seed + static_cast<uint64_t>(index);
  written.picture = Numbered(options.output, options, index);
  WritePng(
      written.picture, drawing.picture,
      {{"parameters", ParametersText(options, drawing, model, written.seed)}});
  if (drawing.maps) {
    written.maps = MapsPath(options, index);
    generator::WriteMaps(drawing, NoteOf(options, model, written.seed),
                         *written.maps);
  }
  return written;
}

nlohmann::ordered_json ToJson(const Written& written) {
  nlohmann::ordered_json json = {{"picture", written.picture.string()},
                                 {"seed", written.seed}};
  if (written.maps) json["maps"] = written.maps->string();
  return json;
}

void PrintJson(const Options& options, const std::vector<Written>& files) {
  nlohmann::ordered_json pictures = nlohmann::ordered_json::array();
  for (const Written& written : files) pictures.push_back(ToJson(written));
  const nlohmann::ordered_json json = {
      {"prompt", options.prompt},
      {"negative", options.negative},
      {"steps", options.settings.sampler.steps},
      {"guidance", options.settings.sampler.guidance},
      {"pictures", pictures}};
  std::cout << json.dump(2, ' ', false,
                         nlohmann::json::error_handler_t::replace)
            << '\n';
}

void PrintPaths(const std::vector<Written>& files) {
  for (const Written& written : files) {
    std::cout << written.picture.string() << '\n';
    if (written.maps) std::cout << written.maps->string() << '\n';
  }
}

void Generate(Options options) {
  nn::KeepFreedMemory();
  if (!options.size.empty()) ParseSize(options.size, options.settings);
  CheckOutput(options);
  CheckMaps(options);
  if (options.from == "german") TranslatePrompts(options);
  const fs::path model =
      options.model.empty()
          ? ShippedModelFolder(ShippedModel::kGenerator, ProgramFolder())
          : fs::path(options.model);
  generator::Pipeline pipeline = generator::Pipeline::Load(model);
  std::vector<generator::DrawRequest> requests;
  for (int64_t i = 0; i < options.count; ++i) {
    requests.push_back({options.prompt, options.negative,
                        options.seed + static_cast<uint64_t>(i),
                        !options.maps.empty()});
  }
  const std::vector<Drawing> drawings =
      pipeline.Draw(requests, options.settings, ShowProgress);
  NoteCut(drawings.front().prompt);
  std::vector<Written> files;
  for (std::size_t i = 0; i < drawings.size(); ++i) {
    files.push_back(
        WriteDrawing(options, drawings[i], model, static_cast<int64_t>(i)));
  }
  options.json ? PrintJson(options, files) : PrintPaths(files);
}

void AddDrawingOptions(CLI::App& verb, Options& options) {
  verb.add_option("--seed", options.seed,
                  "the same seed draws the same picture; further pictures take "
                  "the seeds that follow")
      ->check(CheckSeed)
      ->capture_default_str();
  verb.add_option("--steps", options.settings.sampler.steps,
                  "steps from noise to picture")
      ->check(CLI::Range(1, generator::kMaxSteps))
      ->capture_default_str();
  verb.add_option("--guidance", options.settings.sampler.guidance,
                  "how strongly to follow the prompt; 1: as it was learnt")
      ->check(CLI::Range(-100.0, 100.0))
      ->capture_default_str();
  verb.add_option("--count", options.count, "how many pictures")
      ->check(CLI::Range(1, 10000))
      ->capture_default_str();
  verb.add_option("--size", options.size,
                  "N or WxH, in pixels (default: what the model learnt)");
  verb.add_option("--negative", options.negative, "what to lead away from");
}

}  // namespace

void AddGenerateVerb(CLI::App& app) {
  CLI::App* verb = app.add_subcommand("generate", "draw a picture from text");
  auto options = std::make_shared<Options>();
  verb->add_option("prompt", options->prompt, "what to draw")->required();
  verb->add_option("--from", options->from,
                   "the language of the prompt, which is translated first")
      ->check(CLI::IsMember({"german"}));
  verb->add_option("--translator", options->translator,
                   "model folder of --from (default: the one that ships)")
      ->type_name("DIR");
  verb->add_option("-o,--output", options->output, "the PNG file to write")
      ->capture_default_str();
  verb->add_option("--model", options->model,
                   "model folder (default: the one that ships)")
      ->type_name("DIR");
  AddDrawingOptions(*verb, *options);
  verb->add_flag("--maps", options->maps,
                 "also write which word each part of the picture looked at: "
                 "NAME.maps.png, or, with --maps=FILE, a file that ends in "
                 ".png, .svg, .html (every step, layer and head), .json or "
                 ".npy");
  verb->add_option("--threads", options->settings.threads,
                   "0: one for each core; the picture does not depend on it")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str();
  verb->add_flag("--json", options->json, "print JSON");
  verb->callback([options] { Generate(*options); });
}

}  // namespace keylens::cli
