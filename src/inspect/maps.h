#ifndef KEYLENS_SRC_INSPECT_MAPS_H_
#define KEYLENS_SRC_INSPECT_MAPS_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "src/inspect/head_summary.h"
#include "src/inspect/inspect.h"
#include "src/inspect/labels.h"
#include "src/render/report/attention_report.h"

namespace keylens::inspect {

// How the weights of all heads become the maps of a panel.
class Maps {
 public:
  virtual ~Maps() = default;

  // Adds what the maps are made from to what is asked of the engine. The
  // request views this object.
  virtual void AddTo(InspectionRequest& request) const = 0;

  // Fills in the labels and weights from what the engine said.
  virtual void Fill(const EntryStatistics& statistics,
                    render::AttentionPanel& panel) const = 0;
};

// Every weight has a cell.
std::unique_ptr<Maps> WholeMaps(const SequenceShape& shape,
                                const Labels& labels);

// The groups of `count` places, which messages call `places` ("keys"), from an
// array of integers. Throws Error, naming the file, where they are not as many,
// below -1 or above 1,023, or where no place is in a group.
std::vector<int32_t> ReadGroups(const Array& array, int64_t count,
                                const std::string& places);

// How many groups there are: the largest number and 1.
int64_t CountGroups(const std::vector<int32_t>& groups);

// Cells are groups: `queries` and `keys` have the group of each place, counted
// from 0, or -1. `labels`: of the groups.
std::unique_ptr<Maps> GroupMaps(std::vector<int32_t> queries,
                                std::vector<int32_t> keys,
                                const Labels& labels);

// Cells are runs of places, 128 on a side at most. With `finer`, the panel also
// has maps of 1,024 on a side at most, and the heaviest keys of every query.
std::unique_ptr<Maps> RunMaps(const SequenceShape& shape, const Labels& labels,
                              bool finer);

// Whether every weight of such sequences can have a cell of its own.
bool CanBeWhole(const SequenceShape& shape);

// The panel of one entry.
render::AttentionPanel PanelOf(const EntryStatistics& statistics,
                               const std::vector<HeadSummary>& heads,
                               const SequenceShape& shape, const Maps& maps);

// For sums over groups [heads, query groups, key groups] the means over the
// queries of a group: those that see a key, of the head.
std::vector<float> MeansOfGroups(const std::vector<float>& sums,
                                 const std::vector<int64_t>& live_keys,
                                 const std::vector<int32_t>& query_group,
                                 int64_t query_groups);

}  // namespace keylens::inspect

#endif  // KEYLENS_SRC_INSPECT_MAPS_H_
