#ifndef KEYLENS_SRC_INSPECT_HEAD_SURVEY_H_
#define KEYLENS_SRC_INSPECT_HEAD_SURVEY_H_

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "src/render/report/attention_report.h"
#include "src/render/report/head_statistics.h"

namespace keylens::inspect {

// The heads of the layers at one place in a model ("encoder"), in the mean over
// the queries of everything that was run through it.
struct SurveyedPlace {
  std::string name;
  bool self_attention = false;
  int64_t queries = 0;
  int layers = 0;
  int heads = 0;
  std::vector<render::HeadStatistics> statistics;  // [layers, heads]
  // [layers, heads]: how often a head's alignments are those of another
  // aligner; empty where there is nothing to align.
  std::vector<double> agreement;

  render::HeadKind Kind(std::size_t head) const {
    return render::KindOf(statistics[head], self_attention);
  }
};

// Which head does what, over a data set: adds up what single examples say.
class HeadSurvey {
 public:
  // The heads of the place that the panel is named after. Every query counts as
  // much as any other. Throws std::invalid_argument for a panel that CheckPanel
  // refuses, and where layers or heads differ from those of before.
  void Add(const render::AttentionPanel& panel);

  // In the order in which they came first.
  std::vector<SurveyedPlace> Places() const;

 private:
  static constexpr int kFields = 8;  // of HeadStatistics

  struct Sums {
    SurveyedPlace place;
    std::vector<std::array<double, kFields>> heads;  // of queries
  };

  Sums& PlaceOf(const render::AttentionPanel& panel);

  std::vector<Sums> places_;
};

}  // namespace keylens::inspect

#endif  // KEYLENS_SRC_INSPECT_HEAD_SURVEY_H_
