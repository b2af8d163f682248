#include "src/nn/inference/row_kernels.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>

// Vectors are kept in arrays, which scalable vectors do not allow.
#define HWY_DISABLED_TARGETS                                               \
  (HWY_SSE4 | HWY_SSSE3 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | \
   HWY_SVE2_128 | HWY_RVV)

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/nn/inference/row_kernels.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "src/attention/tile/exp-inl.h"

HWY_BEFORE_NAMESPACE();
namespace keylens::nn {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using internal::HWY_NAMESPACE::kHas32Registers;
using internal::HWY_NAMESPACE::kLanes;
using D = internal::HWY_NAMESPACE::FloatTag;
using V = internal::HWY_NAMESPACE::Vec;
static_assert(kPanelColumns % kLanes == 0);

// A register block is kBlockRows x (panels * 16) sums: 24 vectors of 32
// registers, or 12 of 16. Each step of the depth loads a vector of each panel
// and one element of each row.
constexpr int64_t kBlockPanels = kLanes == kPanelColumns ? 2 : 1;
constexpr int64_t kBlockVecs = kBlockPanels * kPanelColumns / kLanes;
constexpr int64_t kBlockRows =
    std::max<int64_t>(1, (kHas32Registers ? 24 : 12) / kBlockVecs);

struct Product {
  const float* x;
  int64_t n, in;
  const float* packed;
  const float* bias;
  int64_t out;
  bool add;
  float* y;
};

// Puts the sums of one row and panel where they belong, or adds them to what is
// there.
HWY_INLINE void StorePanel(const Product& p, const V* sums, int64_t row,
                           int64_t column) {
  const D d;
  float* y = p.y + row * p.out + column;
  if (column + kPanelColumns <= p.out) {
    for (int64_t at = 0; at < kPanelColumns; at += kLanes, ++sums)
      hn::StoreU(p.add ? hn::Add(hn::LoadU(d, y + at), *sums) : *sums, d,
                 y + at);
    return;
  }
  HWY_ALIGN float lanes[kPanelColumns];
  for (int64_t at = 0; at < kPanelColumns; at += kLanes, ++sums)
    hn::Store(*sums, d, lanes + at);
  for (int64_t j = 0; column + j < p.out; ++j)
    y[j] = p.add ? y[j] + lanes[j] : lanes[j];
}

// kRows rows times kPanels panels. Sums start at the bias and take the depth in
// order, one multiply-add each: the same bits in a block of any size.
template <int64_t kRows, int64_t kPanels>
HWY_NOINLINE void Block(const Product& p, int64_t row, int64_t panel) {
  constexpr int64_t kVecs = kPanelColumns / kLanes;
  const D d;
  const float* weights[kPanels];
  V sums[kRows][kPanels][kVecs];
  for (int64_t q = 0; q < kPanels; ++q) {
    weights[q] = p.packed + (panel + q) * p.in * kPanelColumns;
    for (int64_t v = 0; v < kVecs; ++v) {
      const V bias =
          hn::Load(d, p.bias + (panel + q) * kPanelColumns + v * kLanes);
      for (int64_t r = 0; r < kRows; ++r) sums[r][q][v] = bias;
    }
  }
  const float* x = p.x + row * p.in;
  for (int64_t k = 0; k < p.in; ++k) {
    V columns[kPanels][kVecs];
    for (int64_t q = 0; q < kPanels; ++q) {
      for (int64_t v = 0; v < kVecs; ++v)
        columns[q][v] =
            hn::Load(d, weights[q] + k * kPanelColumns + v * kLanes);
    }
    for (int64_t r = 0; r < kRows; ++r) {
      const V element = hn::Set(d, x[r * p.in + k]);
      for (int64_t q = 0; q < kPanels; ++q) {
        for (int64_t v = 0; v < kVecs; ++v)
          sums[r][q][v] = hn::MulAdd(element, columns[q][v], sums[r][q][v]);
      }
    }
  }
  for (int64_t r = 0; r < kRows; ++r) {
    for (int64_t q = 0; q < kPanels; ++q)
      StorePanel(p, sums[r][q], row + r, (panel + q) * kPanelColumns);
  }
}

// All rows, in blocks of kRows and then of half as many.
template <int64_t kRows, int64_t kPanels>
void RowsFrom(const Product& p, int64_t row, int64_t panel) {
  for (; row + kRows <= p.n; row += kRows) Block<kRows, kPanels>(p, row, panel);
  if constexpr (kRows > 1) RowsFrom<kRows / 2, kPanels>(p, row, panel);
}

void Multiply(const float* x, int64_t n, int64_t in, const float* packed,
              const float* bias, int64_t out, bool add, float* y) {
  const Product p{x, n, in, packed, bias, out, add, y};
  const int64_t panels = (p.out + kPanelColumns - 1) / kPanelColumns;
  int64_t panel = 0;
  for (; panel + kBlockPanels <= panels; panel += kBlockPanels)
    RowsFrom<kBlockRows, kBlockPanels>(p, 0, panel);
  for (; panel < panels; ++panel) RowsFrom<kBlockRows, 1>(p, 0, panel);
}

// map(v, count) of whole vectors and then of what is left; lanes past `count`
// are 0 when it is called.
template <typename Map>
HWY_INLINE void ForVectors(const float* x, int64_t size, const Map& map) {
  const D d;
  int64_t i = 0;
  for (; i + kLanes <= size; i += kLanes) map(hn::LoadU(d, x + i), i, kLanes);
  if (i == size) return;
  HWY_ALIGN float rest[kPanelColumns] = {};
  std::memcpy(rest, x + i, static_cast<size_t>(size - i) * sizeof(float));
  map(hn::Load(d, rest), i, size - i);
}

HWY_INLINE void StoreFirst(V v, int64_t count, float* y) {
  const D d;
  if (count == kLanes) return hn::StoreU(v, d, y);
  HWY_ALIGN float lanes[kPanelColumns];
  hn::Store(v, d, lanes);
  std::memcpy(y, lanes, static_cast<size_t>(count) * sizeof(float));
}

HWY_INLINE V LoadFirst(const float* x, int64_t count) {
  const D d;
  if (count == kLanes) return hn::LoadU(d, x);
  HWY_ALIGN float lanes[kPanelColumns] = {};
  std::memcpy(lanes, x, static_cast<size_t>(count) * sizeof(float));
  return hn::Load(d, lanes);
}

HWY_INLINE V ZeroPast(V v, int64_t count) {
  const D d;
  if (count == kLanes) return v;
  return hn::IfThenElseZero(hn::FirstN(d, static_cast<size_t>(count)), v);
}

HWY_INLINE float Sum(V v) { return hn::GetLane(hn::SumOfLanes(D(), v)); }

void Normalize(const float* x, int64_t n, int64_t size, const float* scale,
               const float* shift, float epsilon, float* y) {
  const D d;
  for (int64_t row = 0; row < n; ++row, x += size, y += size) {
    V sum = hn::Zero(d), squares = hn::Zero(d);
    ForVectors(x, size, [&](V v, int64_t, int64_t) { sum = hn::Add(sum, v); });
    const V mean = hn::Set(d, Sum(sum) / static_cast<float>(size));
    ForVectors(x, size, [&](V v, int64_t, int64_t count) {
      const V off = ZeroPast(hn::Sub(v, mean), count);
      squares = hn::MulAdd(off, off, squares);
    });
    const V inverse = hn::Set(
        d, 1 / std::sqrt(Sum(squares) / static_cast<float>(size) + epsilon));
    ForVectors(x, size, [&](V v, int64_t i, int64_t count) {
      const V unit = hn::Mul(hn::Sub(v, mean), inverse);
      StoreFirst(hn::MulAdd(unit, LoadFirst(scale + i, count),
                            LoadFirst(shift + i, count)),
                 count, y + i);
    });
  }
}

using internal::HWY_NAMESPACE::Exp;

// The sum of coefficients[i] x^i.
template <size_t kCount>
HWY_INLINE V Polynomial(const float (&coefficients)[kCount], V x) {
  const D d;
  V sum = hn::Set(d, coefficients[kCount - 1]);
  for (size_t i = kCount - 1; i-- > 0;)
    sum = hn::MulAdd(sum, x, hn::Set(d, coefficients[i]));
  return sum;
}

// 1 / (1 + e^-x), from the power that cannot overflow.
HWY_INLINE V Sigmoid(V x) {
  const D d;
  const V one = hn::Set(d, 1.0f);
  const V power = Exp(hn::Neg(hn::Abs(x)));
  const V numerator = hn::IfThenElse(hn::Lt(x, hn::Zero(d)), power, one);
  return hn::Div(numerator, hn::Add(one, power));
}

// erf(z) / z for |z| <= 1 by z^2. Coefficients of this and of the next are fits
// of the least relative error, 1.2e-9 and 1.2e-8.
HWY_INLINE V ErfOverZ(V square) {
  constexpr float kTerms[] = {1.12837911f,   -0.37612626f,  0.11283585f,
                              -0.026853813f, 0.0051883282f, -0.00080101984f,
                              7.8538768e-05f};
  return Polynomial(kTerms, square);
}

// e^(z^2) erfc(z) for z >= 1, by t = 1 / (1 + z / 2).
HWY_INLINE V ScaledErfc(V t) {
  constexpr float kTerms[] = {0.28209803f,  0.28204703f,  0.24690396f,
                              0.17904067f,  0.060340967f, 0.083449289f,
                              -0.22706559f, 0.093764842f};
  return hn::Mul(Polynomial(kTerms, t), t);
}

// Phi(x), the normal distribution function: erfc(-x / sqrt(2)) / 2. Far out to
// the left it stays as exact as near 0: nothing is subtracted there.
HWY_INLINE V NormalDistribution(V x) {
  const D d;
  const V one = hn::Set(d, 1.0f), half = hn::Set(d, 0.5f);
  const V z = hn::Mul(hn::Abs(x), hn::Set(d, 0.70710678f));
  const V square = hn::Mul(z, z);
  const V lost = hn::MulSub(z, z, square);  // what rounding the square took
  const V near = hn::Mul(hn::Mul(x, hn::Set(d, 0.70710678f)), ErfOverZ(square));
  const V t = hn::Div(one, hn::MulAdd(z, half, one));
  const V power =
      hn::NegMulAdd(Exp(hn::Neg(square)), lost, Exp(hn::Neg(square)));
  const V tail = hn::Mul(hn::Mul(half, ScaledErfc(t)), power);
  const V far =
      hn::IfThenElse(hn::Lt(x, hn::Zero(d)), tail, hn::Sub(one, tail));
  return hn::IfThenElse(hn::Lt(z, one), hn::MulAdd(near, half, half), far);
}

struct ReluOf {
  HWY_INLINE V operator()(V x) const { return hn::Max(x, hn::Zero(D())); }
};
struct GeluOf {
  HWY_INLINE V operator()(V x) const {
    return hn::Mul(x, NormalDistribution(x));
  }
};
// (1 + tanh(u)) / 2 is the sigmoid of 2 u.
struct GeluTanhOf {
  HWY_INLINE V operator()(V x) const {
    const D d;
    const V cubic =
        hn::MulAdd(hn::Mul(hn::Mul(x, x), x), hn::Set(d, 0.044715f), x);
    return hn::Mul(x, Sigmoid(hn::Mul(cubic, hn::Set(d, 1.59576912f))));
  }
};
struct QuickGeluOf {
  HWY_INLINE V operator()(V x) const {
    return hn::Mul(x, Sigmoid(hn::Mul(x, hn::Set(D(), 1.702f))));
  }
};
struct SiluOf {
  HWY_INLINE V operator()(V x) const { return hn::Mul(x, Sigmoid(x)); }
};

template <typename Function>
void MapInPlace(float* x, int64_t count, const Function& function) {
  ForVectors(x, count, [&](V v, int64_t i, int64_t lanes) {
    StoreFirst(function(v), lanes, x + i);
  });
}

// A row is written no further than it was read before: rows of half the width.
template <typename Function>
void GateInPlace(float* x, int64_t n, int64_t size, int64_t gate,
                 const Function& function) {
  for (int64_t row = 0; row < n; ++row) {
    const float* halves = x + 2 * row * size;
    const float* values = halves + (gate == 0 ? size : 0);
    ForVectors(halves + gate * size, size, [&](V v, int64_t i, int64_t lanes) {
      StoreFirst(hn::Mul(function(v), LoadFirst(values + i, lanes)), lanes,
                 x + row * size + i);
    });
  }
}

void Activate(float* x, int64_t n, int64_t size, Activation activation) {
  switch (activation) {
    case Activation::kRelu:
      return MapInPlace(x, n * size, ReluOf());
    case Activation::kGelu:
      return MapInPlace(x, n * size, GeluOf());
    case Activation::kGeluTanh:
      return MapInPlace(x, n * size, GeluTanhOf());
    case Activation::kQuickGelu:
      return MapInPlace(x, n * size, QuickGeluOf());
    case Activation::kSilu:
      return MapInPlace(x, n * size, SiluOf());
    case Activation::kGeglu:
      return GateInPlace(x, n, size, 1, GeluOf());
    case Activation::kSwiglu:
      return GateInPlace(x, n, size, 0, SiluOf());
  }
}

float LogSumExpOf(const float* x, int64_t count) {
  const float largest = *std::max_element(x, x + count);
  const D d;
  V sum = hn::Zero(d);
  ForVectors(x, count, [&](V v, int64_t, int64_t lanes) {
    sum = hn::Add(sum, ZeroPast(Exp(hn::Sub(v, hn::Set(d, largest))), lanes));
  });
  return largest + std::log(Sum(sum));
}

}  // namespace HWY_NAMESPACE
}  // namespace keylens::nn
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace keylens::nn {

HWY_EXPORT(Multiply);
HWY_EXPORT(Normalize);
HWY_EXPORT(Activate);
HWY_EXPORT(LogSumExpOf);

int64_t PackedSize(int64_t in, int64_t out) {
  return (out + kPanelColumns - 1) / kPanelColumns * kPanelColumns * in;
}

void PackColumns(const float* rows, int64_t in, int64_t count,
                 int64_t first_column, float* packed) {
  for (int64_t row = 0; row < count; ++row) {
    const int64_t column = first_column + row;
    float* panel = packed + column / kPanelColumns * kPanelColumns * in +
                   column % kPanelColumns;
    for (int64_t k = 0; k < in; ++k)
      panel[k * kPanelColumns] = rows[row * in + k];
  }
}

void PackWeight(const float* weight, int64_t in, int64_t out, float* packed) {
  std::fill_n(packed, PackedSize(in, out), 0.0f);
  PackColumns(weight, in, out, 0, packed);
}

void MultiplyRows(const float* x, int64_t n, int64_t in, const float* packed,
                  const float* bias, int64_t out, bool add, float* y) {
  HWY_DYNAMIC_DISPATCH(Multiply)(x, n, in, packed, bias, out, add, y);
}

void NormalizeRows(const float* x, int64_t n, int64_t size, const float* scale,
                   const float* shift, float epsilon, float* y) {
  HWY_DYNAMIC_DISPATCH(Normalize)(x, n, size, scale, shift, epsilon, y);
}

void ActivateRows(float* x, int64_t n, int64_t size, Activation activation) {
  HWY_DYNAMIC_DISPATCH(Activate)(x, n, size, activation);
}

float LogSumExp(const float* x, int64_t count) {
  return HWY_DYNAMIC_DISPATCH(LogSumExpOf)(x, count);
}

}  // namespace keylens::nn
#endif  // HWY_ONCE
