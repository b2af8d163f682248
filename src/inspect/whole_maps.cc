#include "src/inspect/maps.h"

namespace keylens::inspect {
namespace {

class Whole final : public Maps {
 public:
  Whole(const SequenceShape& shape, const Labels& labels)
      : queries_(LabelsOrNumbers(labels.queries, shape.query_len)),
        keys_(LabelsOrNumbers(labels.keys, shape.kv_len)) {}

  void AddTo(InspectionRequest& request) const override {
    request.weights = true;
  }

  void Fill(const EntryStatistics& statistics,
            render::AttentionPanel& panel) const override {
    panel.queries = queries_;
    panel.keys = keys_;
    panel.weights = statistics.weights;
  }

 private:
  std::vector<std::string> queries_, keys_;
};

}  // namespace

std::unique_ptr<Maps> WholeMaps(const SequenceShape& shape,
                                const Labels& labels) {
  return std::make_unique<Whole>(shape, labels);
}

}  // namespace keylens::inspect
