#include "app/cli/resume.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "src/base/error.h"
#include "src/train/run_progress.h"
#include "src/train/trainer_options.h"

namespace keylens::cli {
namespace {

namespace fs = std::filesystem;
using Values = std::vector<std::string>;
using Options = train::RunFile::Options;

// Of the command, not of the run.
bool IsOfTheCommand(const std::string& name) {
  return name == "help" || name == "out" || name == "resume";
}

std::string NameOf(const CLI::Option& option) {
  const std::vector<std::string>& names = option.get_lnames();
  return names.empty() ? "" : names.front();
}

std::optional<double> NumberOf(const std::string& text) {
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0') return {};
  return number;
}

// 0.1 and 1e-1 are the same value.
bool AreSame(const std::string& a, const std::string& b) {
  if (a == b) return true;
  const auto x = NumberOf(a), y = NumberOf(b);
  return x && y && *x == *y;
}

bool AreSame(const Values& a, const Values& b) {
  return std::ranges::equal(
      a, b, [](const auto& x, const auto& y) { return AreSame(x, y); });
}

// As they were given; a folder by a path that holds from anywhere.
Values ValuesOf(const CLI::Option& option, const std::string& name) {
  Values values = option.results();
  if (name == "data" || name == "from") {
    for (std::string& path : values)
      path = fs::absolute(path).lexically_normal();
  }
  return values;
}

// What a run was told, as far as that is known.
struct Known {
  Options options;
  bool all = true;  // false for a run of before run.json
};

// None where `out` holds no run. Runs of before run.json have their seed and
// their batch in the checkpoint, and their sizes in the model.
std::optional<Known> OptionsOf(const fs::path& out, const RunKind& kind) {
  const auto file = train::ReadRunFile(out);
  if (file && file->system != kind.system) {
    throw Error(fmt::format("{}: is a run of `keylens train {}`", out.string(),
                            file->system));
  }
  if (file) return Known{file->options, true};
  const auto progress = train::ReadProgress(train::CheckpointOf(out));
  if (!progress) return {};
  Known known = {kind.of_model(out / "model"), false};
  known.options["seed"] = {std::to_string(progress->seed)};
  known.options["batch"] = {std::to_string(progress->batch)};
  return known;
}

void CheckFixed(const CLI::App& verb, const RunKind& kind, const Known& known,
                const fs::path& out) {
  for (const std::string& name : kind.fixed) {
    const CLI::Option* option = verb.get_option("--" + name);
    if (option->count() == 0) continue;
    const auto has = known.options.find(name);
    if (has == known.options.end() && !known.all) continue;
    const Values given = ValuesOf(*option, name);
    if (has != known.options.end() && AreSame(given, has->second)) continue;
    throw UsageError(fmt::format(
        "--{} {}: the run in {} {}, which cannot change; leave it out, or "
        "begin another run",
        name, fmt::join(given, " "), out.string(),
        has == known.options.end()
            ? "was begun without it"
            : fmt::format("has {}", fmt::join(has->second, " "))));
  }
}

bool GivesWay(const CLI::Option& option,
              const std::set<const CLI::Option*>& given) {
  return std::ranges::any_of(option.get_excludes(), [&](CLI::Option* other) {
    return given.contains(other);
  });
}

// As if the run's values had been given, where others were not.
void Complete(CLI::App& verb, const Options& options) {
  std::set<const CLI::Option*> given;
  for (const CLI::Option* option : verb.get_options())
    if (option->count() > 0) given.insert(option);
  for (const auto& [name, values] : options) {
    CLI::Option* option = verb.get_option_no_throw("--" + name);
    if (option == nullptr || given.contains(option)) continue;
    if (GivesWay(*option, given)) continue;  // --steps for --hours
    option->clear();
    option->add_result(values);
    option->run_callback();
  }
}

}  // namespace

std::string TakeOptionsOfRun(CLI::App& verb, const RunKind& kind,
                             const fs::path& out) {
  const std::optional<Known> known = OptionsOf(out, kind);
  if (!known) return "";
  if (fs::exists(train::CheckpointOf(out))) CheckFixed(verb, kind, *known, out);
  Complete(verb, known->options);
  if (known->all) return "";
  return out.string() +
         ": has no run.json, as runs of earlier versions; --seed, --batch and "
         "the model's sizes are the run's, all else is as it is given now, or "
         "the default";
}

Options OptionsToKeep(const CLI::App& verb) {
  Options kept;
  for (const CLI::Option* option : verb.get_options()) {
    const std::string name = NameOf(*option);
    if (name.empty() || IsOfTheCommand(name)) continue;
    if (option->count() > 0) {
      kept[name] = ValuesOf(*option, name);
    } else if (!option->get_default_str().empty()) {
      kept[name] = {option->get_default_str()};
    }
  }
  return kept;
}

}  // namespace keylens::cli
