// keylens models: what a checkpoint is, what of it is used, what is missing or
// unknown.

#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/verb.h"
#include "src/base/error.h"
#include "src/models/registry.h"

namespace keylens::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct Options {
  std::vector<std::string> paths;
  bool json = false;
};

struct Described {
  std::string path;
  ModelDescription model;
};

// A file of weights lies in its model's folder, or in a part's folder within.
fs::path FolderOf(const fs::path& path) {
  if (fs::is_directory(path)) return path;
  const fs::path folder = fs::absolute(path).parent_path();
  if (FindModelKind(folder) == nullptr &&
      FindModelKind(folder.parent_path()) != nullptr)
    return folder.parent_path();
  return folder;
}

// Weights without a config: what they are made of, but not whose they are.
ModelDescription DescribeFile(const fs::path& file) {
  static constexpr ModelKind kUnknown = {"", "weights of no model", "", nullptr,
                                         nullptr};
  ModelDescriber describer(kUnknown, file.parent_path());
  describer.AddPart(
      "", file.filename().string(), [&]() -> std::vector<TensorSpec> {
        throw Error(file.string() +
                    ": lies in no model folder that Keylens knows; what its "
                    "weights are for cannot be told");
      });
  return describer.Take();
}

ModelDescription Describe(const fs::path& path) {
  if (!fs::exists(path))
    throw Error(path.string() + ": no such file or folder");
  const fs::path folder = FolderOf(path);
  const ModelKind* kind = FindModelKind(folder);
  if (kind == nullptr && !fs::is_directory(path)) return DescribeFile(path);
  return ModelKindOf(folder).Describe(folder);
}

Described DescribeOrExplain(const std::string& path) {
  try {
    return {path, Describe(path)};
  } catch (const Error& error) {
    Described described{path, {}};
    described.model.problems = {error.what()};
    return described;
  } catch (const fs::filesystem_error& error) {
    Described described{path, {}};
    described.model.problems = {error.what()};
    return described;
  }
}

// "205,066"
std::string Grouped(int64_t number) {
  const std::string digits = std::to_string(number);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

std::string TypesText(const ModelPart& part) {
  std::string text;
  for (const auto& [type, tensors] : part.types) {
    text += (text.empty() ? "" : ", ") + type;
    if (part.types.size() > 1) text += fmt::format(" ({})", tensors);
  }
  return text.empty() ? "none" : text;
}

void PrintPart(const ModelPart& part) {
  std::cout << fmt::format(
      "  {}: {} tensors, {} parameters, {}, {:.1f} MB; {} used", part.file,
      part.tensors, Grouped(part.parameters), TypesText(part),
      static_cast<double>(part.bytes) / 1e6, part.weights.used.size());
  const std::pair<const char*, std::size_t> counts[] = {
      {"missing", part.weights.missing.size()},
      {"unknown", part.weights.unknown.size()},
      {"of another shape", part.weights.wrong.size()},
      {"no floating-point numbers", part.weights.not_float.size()},
      {"with NaN or infinity", part.weights.not_finite.size()}};
  for (const auto& [what, count] : counts) {
    if (count > 0) std::cout << fmt::format(", {} {}", count, what);
  }
  std::cout << '\n';
}

void PrintText(const Described& described) {
  const ModelDescription& model = described.model;
  const std::string what =
      model.description.empty() ? "no model" : model.description;
  std::cout << described.path << ": " << what;
  if (!model.kind.empty()) std::cout << " (" << model.kind << ")";
  std::cout << '\n';
  for (const ModelPart& part : model.parts) PrintPart(part);
  for (const std::string& problem : model.problems)
    std::cout << "  problem: " << problem << '\n';
}

Json ToJson(const WeightReport& report) {
  Json json = {
      {"used", report.used},         {"missing", report.missing},
      {"unknown", report.unknown},   {"wrong_shape", Json::array()},
      {"wrong_type", Json::array()}, {"not_finite", report.not_finite}};
  for (const WeightReport::WrongShape& tensor : report.wrong) {
    json["wrong_shape"].push_back({{"name", tensor.name},
                                   {"shape", tensor.there},
                                   {"wanted", tensor.wanted}});
  }
  for (const WeightReport::WrongType& tensor : report.not_float) {
    json["wrong_type"].push_back(
        {{"name", tensor.name},
         {"type", std::string(LongNameOf(tensor.type))}});
  }
  return json;
}

Json ToJson(const Described& described) {
  const ModelDescription& model = described.model;
  const Json kind = model.kind.empty() ? Json() : Json(model.kind);
  Json json = {
      {"path", described.path},           {"kind", kind},
      {"description", model.description}, {"complete", model.complete()},
      {"problems", model.problems},       {"parts", Json::array()}};
  for (const ModelPart& part : model.parts) {
    json["parts"].push_back({{"name", part.name},
                             {"file", part.file},
                             {"tensors", part.tensors},
                             {"parameters", part.parameters},
                             {"bytes", part.bytes},
                             {"types", part.types},
                             {"weights", ToJson(part.weights)}});
  }
  return json;
}

void Models(const Options& options) {
  Json all = Json::array();
  std::vector<std::string> incomplete;
  for (const std::string& path : options.paths) {
    const Described described = DescribeOrExplain(path);
    if (!described.model.complete()) incomplete.push_back(path);
    options.json ? all.push_back(ToJson(described)) : PrintText(described);
  }
  // Names in files are any bytes.
  if (options.json) {
    std::cout << all.dump(2, ' ', false, Json::error_handler_t::replace)
              << '\n';
  }
  if (incomplete.size() == 1)
    throw Error(incomplete[0] + ": is no complete model");
  if (!incomplete.empty()) {
    throw Error(fmt::format("{} of {} are no complete models",
                            incomplete.size(), options.paths.size()));
  }
}

}  // namespace

void AddModelsVerb(CLI::App& app) {
  CLI::App* verb = app.add_subcommand(
      "models",
      "what a model is, what of it is used, what is missing or unknown");
  auto options = std::make_shared<Options>();
  verb->add_option("paths", options->paths,
                   "model folders, or files of weights within them")
      ->required()
      ->type_name("DIR|FILE");
  verb->add_flag("--json", options->json, "print JSON");
  verb->footer(
      "Exit status 1 where something is missing, unknown, or no model.");
  verb->callback([options] { Models(*options); });
}

}  // namespace keylens::cli
