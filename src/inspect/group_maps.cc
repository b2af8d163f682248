#include <algorithm>
#include <utility>

#include "src/base/error.h"
#include "src/inspect/maps.h"

namespace keylens::inspect {
namespace {

constexpr int32_t kMostGroups = 1024;

class OfGroups final : public Maps {
 public:
  OfGroups(std::vector<int32_t> queries, std::vector<int32_t> keys,
           const Labels& labels)
      : query_group_(std::move(queries)),
        key_group_(std::move(keys)),
        query_groups_(CountGroups(query_group_)),
        key_groups_(CountGroups(key_group_)),
        queries_(LabelsOrNumbers(labels.queries, query_groups_)),
        keys_(LabelsOrNumbers(labels.keys, key_groups_)) {}

  void AddTo(InspectionRequest& request) const override {
    request.query_group = query_group_;
    request.key_group = key_group_;
    request.query_groups = query_groups_;
    request.key_groups = key_groups_;
  }

  void Fill(const EntryStatistics& statistics,
            render::AttentionPanel& panel) const override {
    panel.query_axis = "groups of queries";
    panel.key_axis = "groups of keys";
    panel.queries = queries_;
    panel.keys = keys_;
    panel.weights = MeansOfGroups(statistics.pooled, statistics.live_keys,
                                  query_group_, query_groups_);
  }

 private:
  std::vector<int32_t> query_group_, key_group_;
  int64_t query_groups_, key_groups_;
  std::vector<std::string> queries_, keys_;
};

}  // namespace

int64_t CountGroups(const std::vector<int32_t>& groups) {
  return int64_t{*std::ranges::max_element(groups)} + 1;
}

std::vector<int32_t> ReadGroups(const Array& array, int64_t count,
                                const std::string& places) {
  std::vector<int32_t> groups = IntegersOf(array);
  if (static_cast<int64_t>(groups.size()) != count) {
    throw Error(Describe(array) + ", where the " + std::to_string(count) + " " +
                places + " need a group each");
  }
  for (const int32_t group : groups) {
    if (group < -1 || group >= kMostGroups) {
      throw Error(array.place + ": the group " + std::to_string(group) +
                  "; they count from 0 to " + std::to_string(kMostGroups - 1) +
                  ", and -1 leaves out");
    }
  }
  if (CountGroups(groups) == 0)
    throw Error(array.place + ": no group has a member");
  return groups;
}

std::unique_ptr<Maps> GroupMaps(std::vector<int32_t> queries,
                                std::vector<int32_t> keys,
                                const Labels& labels) {
  return std::make_unique<OfGroups>(std::move(queries), std::move(keys),
                                    labels);
}

}  // namespace keylens::inspect
