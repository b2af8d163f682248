#include "src/text/piece_trie.h"

#include <algorithm>
#include <queue>

namespace keylens {
namespace {

// Sorted strings [begin, end) that agree in their first `depth` bytes, and the
// node that they meet at.
struct Group {
  std::size_t begin;
  std::size_t end;
  std::size_t depth;
  PieceTrie::Node node;
};

}  // namespace

PieceTrie::PieceTrie(std::vector<std::pair<std::string, int32_t>> strings)
    : nodes_(1) {
  std::sort(strings.begin(), strings.end());
  std::queue<Group> groups;
  groups.push({0, strings.size(), 0, kRoot});
  while (!groups.empty()) {
    auto [begin, end, depth, node] = groups.front();
    groups.pop();
    // The string that ends here, where there is one, sorts first.
    if (begin < end && depth > 0 && strings[begin].first.size() == depth)
      nodes_[node].id = strings[begin++].second;
    nodes_[node].first_child = static_cast<uint32_t>(nodes_.size());
    while (begin < end) {
      const char byte = strings[begin].first[depth];
      std::size_t next = begin;
      while (next < end && strings[next].first[depth] == byte) ++next;
      groups.push({begin, next, depth + 1, static_cast<Node>(nodes_.size())});
      nodes_.push_back({0, 0, static_cast<uint8_t>(byte), -1});
      ++nodes_[node].children;
      begin = next;
    }
  }
}

PieceTrie::Node PieceTrie::Step(Node node, char byte) const {
  const auto begin = nodes_.begin() + nodes_[node].first_child;
  const auto end = begin + nodes_[node].children;
  const auto wanted = static_cast<uint8_t>(byte);
  const auto found = std::lower_bound(
      begin, end, wanted, [](const Entry& e, uint8_t b) { return e.byte < b; });
  return found != end && found->byte == wanted
             ? static_cast<Node>(found - nodes_.begin())
             : kNowhere;
}

std::size_t PieceTrie::LongestMatch(std::string_view text) const {
  std::size_t longest = 0;
  Node node = kRoot;
  for (std::size_t i = 0; i < text.size(); ++i) {
    node = Step(node, text[i]);
    if (node == kNowhere) break;
    if (IdAt(node) >= 0) longest = i + 1;
  }
  return longest;
}

}  // namespace keylens
