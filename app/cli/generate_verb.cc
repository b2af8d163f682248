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

#include "app/cli/drawing_files.h"
#include "app/cli/output_guard.h"
#include "app/cli/prompt_notes.h"
#include "app/cli/translation_options.h"
#include "app/cli/verb.h"
#include "src/base/error.h"
#include "src/base/program.h"
#include "src/base/shipped_model.h"
#include "src/parallel/stop_on_signals.h"
#include "src/render/sheets/attention_report_files.h"
#include "systems/generator/pipeline.h"
#include "systems/translator/pipeline.h"

namespace keylens::cli {
namespace {

namespace fs = std::filesystem;
using generator::Drawing;

struct Options {
  std::string prompt;
  bool prompt_given = false;  // the empty prompt is one
  std::string negative;
  std::string output = "picture.png";
  std::string model;
  std::string size;
  std::string scheduler;
  std::string from;        // the language of the prompts; empty: English
  std::string translator;  // model folder; empty: the one that ships
  uint64_t seed = 0;
  std::size_t count = 1;
  std::string maps;  // a file; DrawingFiles::kBesidePicture; empty: none
  bool json = false;
  generator::DrawSettings settings;
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

// --maps takes a file or stands alone, and what stands alone may be followed
// by the prompt: `--maps "red heart"`.
void TellMapsFromPrompt(Options& options) {
  if (options.prompt_given) return;
  const bool is_prompt = !options.maps.empty() &&
                         options.maps != DrawingFiles::kBesidePicture &&
                         !fs::path(options.maps).has_extension();
  if (!is_prompt) return;
  options.prompt = options.maps;
  options.prompt_given = true;
  options.maps = DrawingFiles::kBesidePicture;
}

void Note(const std::string& note) {
  if (!note.empty()) std::cerr << "keylens generate: " << note << '\n';
}

bool ShowProgress(int64_t done, int64_t total) {
  static const bool on_terminal = isatty(STDERR_FILENO) == 1;
  if (on_terminal) {
    std::cerr << fmt::format("\rdrawing: step {} of {}", done, total)
              << (done == total ? "\r\x1b[K" : "") << std::flush;
  }
  return true;
}

DrawingOrder OrderOf(const Options& options, const fs::path& model) {
  return {.prompt = options.prompt,
          .negative = options.negative,
          .model = model,
          .seed = options.seed,
          .steps = options.settings.steps,
          .guidance = options.settings.guidance,
          .scheduler = options.scheduler};
}

std::vector<generator::DrawRequest> RequestsOf(const Options& options) {
  std::vector<generator::DrawRequest> requests;
  for (std::size_t i = 0; i < options.count; ++i)
    requests.push_back({options.prompt, options.negative, options.seed + i,
                        !options.maps.empty()});
  return requests;
}

void PrintPaths(const WrittenDrawing& written) {
  std::cout << written.picture.string() << '\n';
  if (written.maps) std::cout << written.maps->string() << '\n';
  std::cout.flush();
}

void PrintJson(const DrawingOrder& order,
               const std::vector<WrittenDrawing>& drawings) {
  std::cout << ToJson(order, drawings)
                   .dump(2, ' ', false,
                         nlohmann::json::error_handler_t::replace)
            << '\n';
}

// Draws and writes each picture when it is done. What is finished stays when
// it is stopped.
void DrawFiles(const Options& options, const DrawingFiles& files,
               const fs::path& model) {
  const auto pipeline = generator::Pipeline::Load(model);
  const DrawingOrder order = OrderOf(options, model);
  const StopOnSignals stop;
  std::vector<WrittenDrawing> written;
  const auto write = [&](std::size_t index, const Drawing& drawing) {
    if (written.empty()) {
      Note(CutNote(drawing.prompt));
      Note(UnknownNote(drawing.prompt, drawing.negative));
    }
    written.push_back(files.Write(drawing, order, index));
    if (!options.json) PrintPaths(written.back());
  };
  const std::size_t drawn =
      pipeline.Draw(RequestsOf(options), options.settings, write,
                    {.observer = ShowProgress, .stop = stop.token()});
  if (options.json) PrintJson(order, written);
  if (drawn < options.count) {
    throw Interrupted(fmt::format("stopped; {} of {} pictures are written",
                                  drawn, options.count),
                      stop.signal());
  }
}

void Generate(Options options) {
  nn::KeepFreedMemory();
  TellMapsFromPrompt(options);
  if (!options.prompt_given)
    throw UsageError("a prompt is required (see --help)");
  if (!options.size.empty()) ParseSize(options.size, options.settings);
  if (!options.scheduler.empty())
    options.settings.scheduler = &generator::SchedulerNamed(options.scheduler);
  const DrawingFiles files(options.output, options.maps, options.count);
  const fs::path model =
      options.model.empty()
          ? ShippedModelFolder(ShippedModel::kGenerator, ProgramFolder())
          : fs::path(options.model);
  OutputGuard guard;
  guard.ReadsModel(model);
  if (!options.from.empty())
    guard.ReadsModel(TranslatorFolder(options.translator));
  files.Check(guard);
  if (options.from == "german") TranslatePrompts(options);
  DrawFiles(options, files, model);
}

std::string SchedulerNames() {
  std::string names;
  for (const generator::SchedulerKind& kind : generator::SchedulerKinds())
    names += fmt::format("{}{}", names.empty() ? "" : ", ", kind.name);
  return names;
}

void AddDrawingOptions(CLI::App& verb, Options& options) {
  verb.add_option("--seed", options.seed,
                  "the same seed draws the same picture; further pictures take "
                  "the seeds that follow")
      ->check(CheckSeed)
      ->capture_default_str();
  verb.add_option("--steps", options.settings.steps,
                  "steps from noise to picture")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  verb.add_option("--guidance", options.settings.guidance,
                  "how strongly to follow the prompt; 1: as it was learnt")
      ->check(CLI::Range(-100.0, 100.0))
      ->capture_default_str();
  verb.add_option("--count", options.count, "how many pictures")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  verb.add_option("--size", options.size,
                  "N or WxH, in pixels (default: what the model learnt)");
  verb.add_option("--scheduler", options.scheduler,
                  fmt::format("how the noise is walked back, one of {} "
                              "(default: what the model was made for)",
                              SchedulerNames()))
      ->type_name("NAME");
  verb.add_option("--negative", options.negative, "what to lead away from");
}

}  // namespace

void AddGenerateVerb(CLI::App& app) {
  CLI::App* verb = app.add_subcommand("generate", "draw a picture from text");
  auto options = std::make_shared<Options>();
  const CLI::Option* prompt =
      verb->add_option("prompt", options->prompt, "what to draw");
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
  verb->add_option("--maps", options->maps,
                   fmt::format("also write which word each part of the picture "
                               "looked at: NAME.maps.png, or a file that ends "
                               "in {} (.html: every step, layer and head)",
                               render::kFormatsText))
      ->expected(0, 1)
      ->default_str(DrawingFiles::kBesidePicture)
      ->type_name("[FILE]");
  verb->add_option("--threads", options->settings.threads,
                   "0: one for each core; the picture does not depend on it")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str();
  verb->add_flag("--json", options->json, "print JSON");
  verb->callback([options, prompt] {
    options->prompt_given = prompt->count() > 0;
    Generate(*options);
  });
}

}  // namespace keylens::cli
