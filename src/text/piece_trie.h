#ifndef KEYLENS_SRC_TEXT_PIECE_TRIE_H_
#define KEYLENS_SRC_TEXT_PIECE_TRIE_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace keylens {

// Strings by their bytes, with an id for each: a step takes one byte further
// into all strings that begin so.
class PieceTrie {
 public:
  using Node = uint32_t;
  static constexpr Node kRoot = 0;
  static constexpr Node kNowhere = 0;  // the root follows no byte

  PieceTrie() : PieceTrie(std::vector<std::pair<std::string, int32_t>>{}) {}
  // The strings are distinct and not empty; ids are 0 or more.
  explicit PieceTrie(std::vector<std::pair<std::string, int32_t>> strings);

  // The node that `byte` leads to; kNowhere where no string goes on so.
  Node Step(Node node, char byte) const;

  // The id of the string that ends at the node; -1 where none does.
  int32_t IdAt(Node node) const { return nodes_[node].id; }

  // Bytes of the longest string that `text` begins with; 0 where it begins with
  // none.
  std::size_t LongestMatch(std::string_view text) const;

 private:
  struct Entry {
    uint32_t first_child = 0;  // children lie side by side, by their bytes
    uint16_t children = 0;
    uint8_t byte = 0;
    int32_t id = -1;
  };

  std::vector<Entry> nodes_;
};

}  // namespace keylens

#endif  // KEYLENS_SRC_TEXT_PIECE_TRIE_H_
