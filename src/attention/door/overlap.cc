#include "src/attention/door/overlap.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace keylens::internal {
namespace {

// A term x * step of a sum, with x free in [0, most].
struct Term {
  int64_t step;
  int64_t most;
};

// Steps of the search, after which views count as overlapping.
constexpr int kMaxSearchSteps = 20000;

// Whether some choice of the x gives sum(x * step) = target. Terms have step >
// 0 and descend.
class BoundedSum {
 public:
  explicit BoundedSum(std::vector<Term> terms)
      : terms_(std::move(terms)), rest_(terms_.size() + 1) {
    for (std::size_t i = terms_.size(); i-- > 0;) {
      rest_[i].reach = rest_[i + 1].reach + terms_[i].step * terms_[i].most;
      rest_[i].divisor = std::gcd(rest_[i + 1].divisor, terms_[i].step);
    }
  }

  bool Reaches(int64_t target) { return Reaches(target, 0); }

 private:
  // What the terms from one on can sum up to.
  struct Rest {
    int64_t reach = 0;
    int64_t divisor = 0;
  };

  bool Reaches(int64_t target, std::size_t first) {
    if (target == 0 || ++search_steps_ > kMaxSearchSteps) return true;
    const Rest& rest = rest_[first];
    if (target < 0 || target > rest.reach || target % rest.divisor != 0)
      return false;
    const Term& term = terms_[first];
    const int64_t most = std::min(term.most, target / term.step);
    const int64_t missing = target - rest_[first + 1].reach;
    const int64_t least =
        missing <= 0 ? 0 : (missing + term.step - 1) / term.step;
    for (int64_t x = most; x >= least; --x) {
      if (Reaches(target - x * term.step, first + 1)) return true;
    }
    return false;
  }

  std::vector<Term> terms_;
  std::vector<Rest> rest_;
  int search_steps_ = 0;
};

// Adds the axes of `footprint` to `terms` as offsets from its lowest address,
// which is returned.
std::intptr_t AddTerms(const Footprint& footprint, std::vector<Term>& terms) {
  std::intptr_t lowest = footprint.address;
  for (const Footprint::Axis& axis : footprint.axes) {
    if (axis.length > 1 && axis.stride != 0)
      terms.push_back({std::abs(axis.stride), axis.length - 1});
    if (axis.stride < 0) lowest += axis.stride * (axis.length - 1);
  }
  return lowest;
}

int64_t Extent(const std::vector<Term>& terms) {
  return std::accumulate(terms.begin(), terms.end(), int64_t{0},
                         [](int64_t sum, const Term& term) {
                           return sum + term.step * term.most;
                         });
}

void Add(std::vector<Term>& terms, Term term) {
  const auto same = [&](const Term& other) { return other.step == term.step; };
  const auto place = std::find_if(terms.begin(), terms.end(), same);
  if (place != terms.end()) {
    place->most += term.most;
  } else if (term.most > 0) {
    terms.push_back(term);
  }
}

}  // namespace

// The views share a byte where lowest_a + sum(x step) + byte_a = lowest_b +
// sum(y step) + byte_b. With x' = most - x for one side, every term has the
// same sign.
bool Overlap(const Footprint& a, const Footprint& b) {
  if (a.empty || b.empty) return false;
  std::vector<Term> terms_a;
  std::vector<Term> terms_b;
  const int64_t apart = AddTerms(b, terms_b) - AddTerms(a, terms_a);
  const int64_t extent_a = Extent(terms_a) + a.element_bytes - 1;
  const int64_t extent_b = Extent(terms_b) + b.element_bytes - 1;
  if (apart > extent_a || -apart > extent_b) return false;
  std::vector<Term> terms;
  for (const Term& term : terms_a) Add(terms, term);
  for (const Term& term : terms_b) Add(terms, term);
  Add(terms, {1, a.element_bytes - 1 + b.element_bytes - 1});
  std::sort(terms.begin(), terms.end(),
            [](const Term& s, const Term& t) { return s.step > t.step; });
  return BoundedSum(std::move(terms)).Reaches(apart + extent_b);
}

bool RepeatsElements(const Footprint& footprint) {
  return !footprint.empty &&
         std::any_of(footprint.axes.begin(), footprint.axes.end(),
                     [](const Footprint::Axis& axis) {
                       return axis.length > 1 && axis.stride == 0;
                     });
}

}  // namespace keylens::internal
