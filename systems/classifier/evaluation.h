#ifndef KEYLENS_SYSTEMS_CLASSIFIER_EVALUATION_H_
#define KEYLENS_SYSTEMS_CLASSIFIER_EVALUATION_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "src/render/report/attention_report.h"

namespace keylens::classifier {

// How well one class is told. A share that has nothing to be taken of is 0.
struct ClassFigures {
  std::string label;
  int64_t pictures = 0;  // that belong to it
  double precision = 0;  // of what was taken for it, the part that is it
  double recall = 0;     // of what is it, the part that was taken for it
  double f1 = 0;         // their harmonic mean
};

struct Evaluation {
  int64_t pictures = 0;
  double accuracy = 0;
  double mean_f1 = 0;  // over the classes that have pictures, counted alike
  std::vector<ClassFigures> classes;
  // [classes, classes]: pictures of the row's class that were taken for the
  // column's.
  std::vector<int64_t> confusion;
};

// `truth` and `predicted` are as many, and numbers of `labels`. Throws
// std::invalid_argument where they are not.
Evaluation EvaluatePredictions(std::span<const int32_t> truth,
                               std::span<const int32_t> predicted,
                               const std::vector<std::string>& labels);

// The figures and the confusion matrix as tables.
std::string EvaluationText(const Evaluation& evaluation);

// One JSON object: pictures, accuracy, mean_f1, classes (label, pictures,
// precision, recall, f1) and confusion [classes][classes].
std::string EvaluationJson(const Evaluation& evaluation);

// The confusion matrix as a picture: the share of each row's pictures.
render::AttentionReport ConfusionReport(const Evaluation& evaluation,
                                        const std::string& title);

}  // namespace keylens::classifier

#endif  // KEYLENS_SYSTEMS_CLASSIFIER_EVALUATION_H_
