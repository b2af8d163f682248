#include <keylens/mask.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace keylens {
namespace {

// The smallest and the largest of some document numbers; at first of none.
struct NumberRange {
  int32_t lowest = std::numeric_limits<int32_t>::max();
  int32_t highest = std::numeric_limits<int32_t>::min();

  void Include(const NumberRange& other) {
    lowest = std::min(lowest, other.lowest);
    highest = std::max(highest, other.highest);
  }
};

// The document of each place in a sequence, and the range of any stretch of
// them, whose blocks are looked up rather than read.
class Documents {
 public:
  explicit Documents(std::vector<int32_t> numbers)
      : numbers_(std::move(numbers)) {
    for (int64_t begin = 0; begin < size(); begin += kBlock) {
      blocks_.push_back(Read(begin, std::min(begin + kBlock, size())));
    }
  }

  int64_t size() const { return static_cast<int64_t>(numbers_.size()); }
  const int32_t* From(int64_t place) const { return numbers_.data() + place; }

  NumberRange RangeOf(int64_t begin, int64_t end) const {
    const int64_t first_block = (begin + kBlock - 1) / kBlock;
    const int64_t end_block = end / kBlock;
    if (first_block >= end_block) return Read(begin, end);
    NumberRange range = Read(begin, first_block * kBlock);
    for (int64_t block = first_block; block < end_block; ++block) {
      range.Include(blocks_[static_cast<std::size_t>(block)]);
    }
    range.Include(Read(end_block * kBlock, end));
    return range;
  }

 private:
  // Long enough that a sequence has few blocks, short enough that the pieces of
  // a stretch outside whole blocks are quickly read.
  static constexpr int64_t kBlock = 64;

  NumberRange Read(int64_t begin, int64_t end) const {
    NumberRange range;
    for (const int32_t* number = From(begin); number != From(end); ++number) {
      range.Include({*number, *number});
    }
    return range;
  }

  std::vector<int32_t> numbers_;
  std::vector<NumberRange> blocks_;
};

class OwnDocument final : public Mask {
 public:
  OwnDocument(std::vector<int32_t> query_document,
              std::vector<int32_t> key_document)
      : queries_(std::move(query_document)), keys_(std::move(key_document)) {}

  TileClass Classify(const TileCoord& coord) const override {
    const NumberRange queries = queries_.RangeOf(
        coord.first_query, coord.first_query + coord.num_queries);
    const NumberRange keys =
        keys_.RangeOf(coord.first_key, coord.first_key + coord.num_keys);
    if (queries.lowest > keys.highest || keys.lowest > queries.highest) {
      return TileClass::kEmpty;
    }
    NumberRange both = queries;
    both.Include(keys);
    return both.lowest == both.highest ? TileClass::kFull : TileClass::kPartial;
  }

  void Apply(ScoreTile scores) const override {
    const TileCoord& coord = scores.coord;
    for (int64_t i = 0; i < coord.num_queries; ++i) {
      ApplyToRow(*queries_.From(coord.first_query + i),
                 keys_.From(coord.first_key), coord.num_keys, scores.Row(i));
    }
  }

  std::string Misfit(const ScoreShape& shape) const override {
    const std::string why =
        SizeMisfit("query_document", queries_, "query_len", shape.query_len);
    return why.empty()
               ? SizeMisfit("key_document", keys_, "kv_len", shape.kv_len)
               : why;
  }

 private:
  static void ApplyToRow(int32_t own, const int32_t* documents,
                         int64_t num_keys, float* scores) {
    constexpr float kMasked = -std::numeric_limits<float>::infinity();
    for (int64_t j = 0; j < num_keys; ++j) {
      scores[j] = documents[j] == own ? scores[j] : kMasked;
    }
  }

  static std::string SizeMisfit(const char* name, const Documents& documents,
                                const char* axis, int64_t length) {
    if (documents.size() == length) return "";
    return std::string(name) + " has " + std::to_string(documents.size()) +
           " ids for a " + axis + " of " + std::to_string(length);
  }

  Documents queries_;
  Documents keys_;
};

using Numbering = std::unordered_map<int32_t, int32_t>;

// Replaces ids by the order in which they are first met.
void Number(Numbering& numbering, std::vector<int32_t>& ids) {
  for (int32_t& id : ids) {
    const auto next = static_cast<int32_t>(numbering.size());
    id = numbering.try_emplace(id, next).first->second;
  }
}

}  // namespace

// Numbered in the order of the keys, documents whose keys lie together have
// ranges that do not overlap, whatever their ids are.
std::unique_ptr<Mask> DocumentMask(std::vector<int32_t> query_document,
                                   std::vector<int32_t> key_document) {
  Numbering numbering;
  Number(numbering, key_document);
  Number(numbering, query_document);
  return std::make_unique<OwnDocument>(std::move(query_document),
                                       std::move(key_document));
}

}  // namespace keylens
