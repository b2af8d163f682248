#include "systems/classifier/evaluation.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace keylens::classifier {
namespace {

double Share(int64_t part, int64_t whole) {
  if (whole == 0) return 0;
  return static_cast<double>(part) / static_cast<double>(whole);
}

double HarmonicMean(double a, double b) {
  return a + b > 0 ? 2 * a * b / (a + b) : 0;
}

std::vector<int64_t> CountPairs(std::span<const int32_t> truth,
                                std::span<const int32_t> predicted,
                                std::size_t classes) {
  std::vector<int64_t> counts(classes * classes);
  const auto known = [&](int32_t label) {
    return label >= 0 && static_cast<std::size_t>(label) < classes;
  };
  for (std::size_t i = 0; i < truth.size(); ++i) {
    if (!known(truth[i]) || !known(predicted[i]))
      throw std::invalid_argument("EvaluatePredictions: a class without name");
    ++counts[static_cast<std::size_t>(truth[i]) * classes +
             static_cast<std::size_t>(predicted[i])];
  }
  return counts;
}

ClassFigures FiguresOf(const std::vector<int64_t>& confusion,
                       std::size_t classes, std::size_t index) {
  ClassFigures figures;
  int64_t taken = 0;
  for (std::size_t other = 0; other < classes; ++other) {
    figures.pictures += confusion[index * classes + other];
    taken += confusion[other * classes + index];
  }
  const int64_t right = confusion[index * classes + index];
  figures.precision = Share(right, taken);
  figures.recall = Share(right, figures.pictures);
  figures.f1 = HarmonicMean(figures.precision, figures.recall);
  return figures;
}

// A class without pictures has no recall: counting it as 0 would say that
// something went wrong. What was taken for it falsely lowers the others' f1.
double MeanF1(const std::vector<ClassFigures>& classes) {
  double sum = 0;
  int64_t present = 0;
  for (const ClassFigures& one : classes) {
    if (one.pictures == 0) continue;
    sum += one.f1;
    ++present;
  }
  return present > 0 ? sum / static_cast<double>(present) : 0;
}

// Characters of UTF-8.
std::size_t Width(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](unsigned char byte) { return (byte & 0xC0) != 0x80; }));
}

std::size_t LongestLabel(const Evaluation& evaluation) {
  std::size_t longest = 5;
  for (const ClassFigures& one : evaluation.classes)
    longest = std::max(longest, Width(one.label));
  return longest;
}

// `text` and as many spaces as make it `width` characters.
std::string Padded(const std::string& text, std::size_t width) {
  const std::size_t length = Width(text);
  return text + std::string(width > length ? width - length : 0, ' ');
}

std::string FiguresTable(const Evaluation& evaluation, std::size_t width) {
  std::string text = fmt::format("{}  pictures  precision  recall     f1\n",
                                 Padded("class", width));
  for (const ClassFigures& one : evaluation.classes) {
    if (one.pictures == 0) {
      text += fmt::format("{}  {:8}  {:>9}  {:>6}  {:>5}\n",
                          Padded(one.label, width), 0, "-", "-", "-");
      continue;
    }
    text += fmt::format("{}  {:8}  {:9.3f}  {:6.3f}  {:5.3f}\n",
                        Padded(one.label, width), one.pictures, one.precision,
                        one.recall, one.f1);
  }
  return text;
}

// Columns are numbered: names would make lines too long.
std::string ConfusionTable(const Evaluation& evaluation, std::size_t width) {
  const std::size_t classes = evaluation.classes.size();
  const int64_t most = *std::ranges::max_element(evaluation.confusion);
  const std::size_t cell =
      2 + std::max(std::to_string(most).size(), std::to_string(classes).size());
  std::string text = Padded("is (down), taken for (across)", width + 4);
  text += '\n' + std::string(width + 4, ' ');
  for (std::size_t column = 1; column <= classes; ++column)
    text += fmt::format("{:>{}}", column, cell);
  text += '\n';
  for (std::size_t row = 0; row < classes; ++row) {
    text += fmt::format("{:3} {}", row + 1,
                        Padded(evaluation.classes[row].label, width));
    for (std::size_t column = 0; column < classes; ++column) {
      text += fmt::format("{:>{}}",
                          evaluation.confusion[row * classes + column], cell);
    }
    text += '\n';
  }
  return text;
}

}  // namespace

Evaluation EvaluatePredictions(std::span<const int32_t> truth,
                               std::span<const int32_t> predicted,
                               const std::vector<std::string>& labels) {
  if (truth.size() != predicted.size() || labels.empty())
    throw std::invalid_argument(
        "EvaluatePredictions: not as many, or no class");
  Evaluation evaluation;
  evaluation.pictures = static_cast<int64_t>(truth.size());
  evaluation.confusion = CountPairs(truth, predicted, labels.size());
  int64_t right = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    ClassFigures figures = FiguresOf(evaluation.confusion, labels.size(), i);
    figures.label = labels[i];
    right += evaluation.confusion[i * labels.size() + i];
    evaluation.classes.push_back(figures);
  }
  evaluation.mean_f1 = MeanF1(evaluation.classes);
  evaluation.accuracy = Share(right, evaluation.pictures);
  return evaluation;
}

std::string EvaluationText(const Evaluation& evaluation) {
  const std::size_t width = LongestLabel(evaluation);
  return fmt::format("{:.2f} % of {} pictures right, mean f1 {:.3f}\n\n{}\n{}",
                     100 * evaluation.accuracy, evaluation.pictures,
                     evaluation.mean_f1, FiguresTable(evaluation, width),
                     ConfusionTable(evaluation, width));
}

std::string EvaluationJson(const Evaluation& evaluation) {
  nlohmann::ordered_json json = {{"pictures", evaluation.pictures},
                                 {"accuracy", evaluation.accuracy},
                                 {"mean_f1", evaluation.mean_f1},
                                 {"classes", nlohmann::ordered_json::array()}};
  const std::size_t classes = evaluation.classes.size();
  for (std::size_t i = 0; i < classes; ++i) {
    const ClassFigures& one = evaluation.classes[i];
    json["classes"].push_back({{"label", one.label},
                               {"pictures", one.pictures},
                               {"precision", one.precision},
                               {"recall", one.recall},
                               {"f1", one.f1}});
    const auto row =
        evaluation.confusion.begin() + static_cast<int64_t>(i * classes);
    json["confusion"].push_back(
        std::vector<int64_t>(row, row + static_cast<int64_t>(classes)));
  }
  return json.dump();
}

render::AttentionReport ConfusionReport(const Evaluation& evaluation,
                                        const std::string& title) {
  const std::size_t classes = evaluation.classes.size();
  render::AttentionPanel panel;
  panel.name = "share of each class's pictures";
  panel.query_axis = "is";
  panel.key_axis = "taken for";
  for (const ClassFigures& one : evaluation.classes)
    panel.queries.push_back(one.label);
  panel.keys = panel.queries;
  for (std::size_t i = 0; i < classes * classes; ++i) {
    panel.weights.push_back(static_cast<float>(Share(
        evaluation.confusion[i], evaluation.classes[i / classes].pictures)));
  }
  render::AttentionReport report;
  report.title = title;
  report.notes = {fmt::format("{:.2f} % of {} pictures right",
                              100 * evaluation.accuracy, evaluation.pictures)};
  report.quantity = "share of the row";
  report.scale_top = 1;
  report.panels.push_back(std::move(panel));
  return report;
}

}  // namespace keylens::classifier
