#ifndef KEYLENS_SRC_INSPECT_HEAD_TABLE_H_
#define KEYLENS_SRC_INSPECT_HEAD_TABLE_H_

#include <string>
#include <vector>

#include "src/inspect/head_summary.h"
#include "src/render/report/head_statistics.h"

namespace keylens::inspect {

// A line of a table of heads.
struct HeadLine {
  std::vector<std::string> names;  // "2", "3" for layer 2, head 3
  render::HeadStatistics statistics;
  render::HeadKind kind = render::HeadKind::kMixed;
  std::string remark;  // the last column
};

// What the first columns and the last one are called; columns that count places
// are there for self-attention alone.
struct HeadTableTitles {
  std::vector<std::string> names = {"head"};
  std::string remark;  // empty: no such column
  bool self_attention = false;
};

// Lines of aligned columns, for a terminal.
std::string HeadTable(const HeadTableTitles& titles,
                      const std::vector<HeadLine>& lines);

// "61.2 %"
std::string Percent(double share);

// "'was' 12.0 %, 7 3.1 %": keys by label, where there are labels, or number.
std::string KeysText(const std::vector<KeyShare>& keys,
                     const std::vector<std::string>& labels);

}  // namespace keylens::inspect

#endif  // KEYLENS_SRC_INSPECT_HEAD_TABLE_H_
