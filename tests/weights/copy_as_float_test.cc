#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "src/base/error.h"
#include "src/checkpoint/safetensors.h"
#include "src/weights/weight_source.h"

namespace keylens {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

template <typename T>
WeightView ViewOf(ElementType type, std::vector<int64_t> shape,
                  const std::vector<T>& elements) {
  return {"f: tensor 'w'", type, std::move(shape),
          std::as_bytes(std::span(elements)), false};
}

std::string ErrorOf(const WeightView& view) {
  std::vector<float> out(static_cast<std::size_t>(ElementCount(view)));
  try {
    CopyAsFloat(view, out);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

// All 65,536 patterns, in one stretch: the finite ones are those of the scalar
// conversion to the bit, zeros' signs included.
TEST(CopyAsFloat, ConvertsEveryFiniteHalf) {
  for (const bool brain : {false, true}) {
    std::vector<uint16_t> patterns;
    for (uint32_t bits = 0; bits < 0x10000; ++bits) {
      const auto pattern = static_cast<uint16_t>(bits);
      const float value =
          brain ? FloatFromBFloat16(pattern) : FloatFromFloat16(pattern);
      if (std::isfinite(value)) patterns.push_back(pattern);
    }
    const auto type = brain ? ElementType::kBFloat16 : ElementType::kFloat16;
    std::vector<float> out(patterns.size());
    CopyAsFloat(ViewOf(type, {static_cast<int64_t>(patterns.size())}, patterns),
                out);
    for (std::size_t i = 0; i < out.size(); ++i) {
      const float expected = brain ? FloatFromBFloat16(patterns[i])
                                   : FloatFromFloat16(patterns[i]);
      ASSERT_EQ(std::bit_cast<uint32_t>(out[i]),
                std::bit_cast<uint32_t>(expected))
          << patterns[i];
    }
  }
}

TEST(CopyAsFloat, NamesTheElementThatIsNotFinite) {
  for (const ElementType type :
       {ElementType::kFloat16, ElementType::kBFloat16}) {
    const uint16_t infinity = type == ElementType::kFloat16 ? 0x7C00 : 0x7F80;
    for (const int bits : {infinity + 0, infinity + 1, infinity | 0x8000}) {
      std::vector<uint16_t> elements(100, 0);
      elements[97] = static_cast<uint16_t>(bits);
      EXPECT_THAT(ErrorOf(ViewOf(type, {10, 10}, elements)),
                  AllOf(HasSubstr("f: tensor 'w'"), HasSubstr("element 97"),
                        HasSubstr(bits == infinity + 1 ? "NaN" : "infinite")));
    }
  }
  std::vector<float> floats(3, 1.0f);
  floats[0] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THAT(ErrorOf(ViewOf(ElementType::kFloat32, {3}, floats)),
              HasSubstr("element 0 is NaN"));
  // A double that float32 has no number for.
  EXPECT_THAT(
      ErrorOf(ViewOf(ElementType::kFloat64, {1}, std::vector<double>{1e300})),
      HasSubstr("infinite"));
}

TEST(CopyAsFloat, ReadsBytesAtAnyAddress) {
  const float value = 1.25f;
  std::vector<std::byte> bytes(1 + sizeof(value));
  std::memcpy(bytes.data() + 1, &value, sizeof(value));
  float out = 0;
  CopyAsFloat({"f", ElementType::kFloat32, {}, std::span(bytes).subspan(1)},
              {&out, 1});
  EXPECT_EQ(out, value);
}

TEST(CopyAsFloat, TransposesAndTakesStretches) {
  std::vector<float> elements(6);
  std::iota(elements.begin(), elements.end(), 0.0f);
  // [3, 2] in the file, [2, 3] outside.
  WeightView view = ViewOf(ElementType::kFloat32, {2, 3}, elements);
  view.transposed = true;
  std::vector<float> whole(6), stretch(3);
  CopyAsFloat(view, whole);
  EXPECT_THAT(whole, ElementsAre(0, 2, 4, 1, 3, 5));
  CopyAsFloat(view, 2, stretch);
  EXPECT_THAT(stretch, ElementsAre(4, 1, 3));
  CopyAsFloat(ViewOf(ElementType::kFloat32, {2, 3}, elements), 3, stretch);
  EXPECT_THAT(stretch, ElementsAre(3, 4, 5));
}

TEST(CopyAsFloat, CountsTheElementFromTheTensorsStart) {
  std::vector<float> elements(6, 0.0f), out(2);
  elements[5] = INFINITY;
  EXPECT_NO_THROW(
      CopyAsFloat(ViewOf(ElementType::kFloat32, {6}, elements), 2, out));
  try {
    CopyAsFloat(ViewOf(ElementType::kFloat32, {6}, elements), 4, out);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("element 5 is infinite"));
  }
}

TEST(CopyAsFloat, RefusesWhatIsNoFloatAndWhatDoesNotFit) {
  EXPECT_THAT(
      ErrorOf(ViewOf(ElementType::kInt64, {1}, std::vector<int64_t>{1})),
      AllOf(HasSubstr("tensor 'w'"), HasSubstr("I64")));
  const std::vector<float> elements(6, 0.0f);
  const WeightView view = ViewOf(ElementType::kFloat32, {6}, elements);
  std::vector<float> out(7);
  EXPECT_THROW(CopyAsFloat(view, out), std::invalid_argument);
  EXPECT_THROW(CopyAsFloat(view, 0, out), std::invalid_argument);
  EXPECT_THROW(CopyAsFloat(view, -1, std::span(out).first(1)),
               std::invalid_argument);
  EXPECT_THROW(CopyAsFloat(view, 6, std::span(out).first(1)),
               std::invalid_argument);
  EXPECT_NO_THROW(CopyAsFloat(view, 6, {}));
}

}  // namespace
}  // namespace keylens
