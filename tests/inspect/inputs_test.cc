#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "src/inspect/attention_inputs.h"
#include "src/inspect/inspect.h"
#include "tests/inspect/numpy_file.h"

namespace keylens::inspect {
namespace {

using ::testing::HasSubstr;

class Inputs : public ::testing::Test {
 protected:
  Array Query(const std::vector<int64_t>& shape, const char* descr = "<f4") {
    return Numbers("q.npy", shape, descr, 1);
  }
  Array Key(const std::vector<int64_t>& shape, const char* descr = "<f4") {
    return Numbers("k.npy", shape, descr, 2);
  }
  Array Numbers(const std::string& name, const std::vector<int64_t>& shape,
                const char* descr, uint64_t seed, bool fortran = false) {
    int64_t count = 1;
    for (const int64_t size : shape) count *= size;
    return folder_.Save(name, descr, shape, NormalNumbers(count, seed),
                        fortran);
  }

  std::string Refusal(const AttentionSources& sources) {
    return ErrorOf([&] { AttentionInputsOfFiles{sources}; });
  }

  // The weights of the first batch entry.
  std::vector<float> Weights(const AttentionSources& sources) {
    InspectionRequest request;
    request.weights = true;
    return InspectEntry(AttentionInputsOfFiles(sources), 0, request).weights;
  }

  NumpyFolder folder_;
};

// Rows of softmax over scores of [len, dim], in double.
std::vector<double> SoftmaxOf(const std::vector<double>& query,
                              const std::vector<double>& key, int64_t dim) {
  std::vector<double> weights;
  for (std::size_t i = 0; i < query.size() / dim; ++i) {
    double sum = 0;
    const std::size_t first = weights.size();
    for (std::size_t j = 0; j < key.size() / dim; ++j) {
      double score = 0;
      for (int64_t d = 0; d < dim; ++d)
        score += query[i * dim + d] * key[j * dim + d];
      weights.push_back(std::exp(score / std::sqrt(dim)));
      sum += weights.back();
    }
    for (std::size_t j = first; j < weights.size(); ++j) weights[j] /= sum;
  }
  return weights;
}

void ExpectClose(const std::vector<float>& actual,
                 const std::vector<double>& wanted) {
  ASSERT_EQ(actual.size(), wanted.size());
  for (std::size_t i = 0; i < actual.size(); ++i)
    EXPECT_NEAR(actual[i], wanted[i], 1e-6) << i;
}

TEST_F(Inputs, EveryTypeAndTheirMixtures) {
  const std::vector<double> wanted =
      SoftmaxOf(NormalNumbers(5 * 4, 1), NormalNumbers(7 * 4, 2), 4);
  for (const char* query : {"<f4", "<f2", "<V2", "<f8"}) {
    for (const char* key : {"<f4", "<f2", "<V2", "<f8"}) {
      SCOPED_TRACE(std::string(query) + " " + key);
      const AttentionInputsOfFiles inputs(
          {.query = Query({5, 4}, query), .key = Key({7, 4}, key)});
      EXPECT_EQ(inputs.query().type, inputs.key().type);
      ExpectClose(Weights(inputs.sources()), wanted);
    }
  }
}

TEST_F(Inputs, AxesInAnyOrder) {
  // Two heads of 3 places: [heads, len, dim] and [len, heads, dim].
  const std::vector<double> numbers = NormalNumbers(2 * 3 * 4, 3);
  std::vector<double> length_first(numbers.size());
  for (int64_t h = 0; h < 2; ++h)
    for (int64_t i = 0; i < 3; ++i)
      for (int64_t d = 0; d < 4; ++d)
        length_first[(i * 2 + h) * 4 + d] = numbers[(h * 3 + i) * 4 + d];
  const Array heads_first = folder_.Save("a.npy", "<f4", {2, 3, 4}, numbers);
  const std::vector<float> wanted =
      Weights({.query = heads_first, .key = heads_first});
  std::vector<double> by_head;
  for (int64_t h = 0; h < 2; ++h) {
    const std::vector<double> head(numbers.begin() + h * 12,
                                   numbers.begin() + (h + 1) * 12);
    const auto weights = SoftmaxOf(head, head, 4);
    by_head.insert(by_head.end(), weights.begin(), weights.end());
  }
  ExpectClose(wanted, by_head);
  const Array fortran = folder_.Save("b.npy", "<f4", {2, 3, 4}, numbers, true);
  EXPECT_EQ(Weights({.query = fortran, .key = fortran}), wanted);
  const Array other = folder_.Save("c.npy", "<f4", {3, 2, 4}, length_first);
  EXPECT_EQ(
      Weights({.query = other, .key = other, .order = AxisOrder::kLengthFirst}),
      wanted);
  const Array batch = folder_.Save("d.npy", "<f4", {1, 3, 2, 4}, length_first);
  EXPECT_EQ(
      Weights({.query = batch, .key = batch, .order = AxisOrder::kLengthFirst}),
      wanted);
}

TEST_F(Inputs, HeadsOfQueriesShareHeadsOfKeys) {
  const auto weights =
      Weights({.query = Query({4, 1, 3}), .key = Key({2, 5, 3})});
  const std::vector<double> query = NormalNumbers(12, 1),
                            key = NormalNumbers(30, 2);
  for (int64_t h = 0; h < 4; ++h) {
    const auto wanted = SoftmaxOf(
        {query.begin() + h * 3, query.begin() + h * 3 + 3},
        {key.begin() + h / 2 * 15, key.begin() + (h / 2 + 1) * 15}, 3);
    ExpectClose({weights.begin() + h * 5, weights.begin() + (h + 1) * 5},
                wanted);
  }
}

TEST_F(Inputs, ShapesThatDoNotGoTogether) {
  EXPECT_THAT(Refusal({.query = Query({7}), .key = Key({7, 2})}),
              HasSubstr("q.npy: float32 [7], where [heads, len, dim]"));
  EXPECT_THAT(Refusal({.query = Query({7, 3}), .key = Key({7, 2})}),
              HasSubstr("differ in dim"));
  EXPECT_THAT(Refusal({.query = Query({2, 1, 7, 3}), .key = Key({3, 1, 7, 3})}),
              HasSubstr("differ in batch"));
  EXPECT_THAT(Refusal({.query = Query({3, 7, 3}), .key = Key({2, 7, 3})}),
              HasSubstr("no multiple of 2 heads of keys"));
  EXPECT_THAT(Refusal({.query = Query({0, 3}), .key = Key({7, 3})}),
              HasSubstr("q.npy: float32 [0, 3] has no elements"));
  EXPECT_THAT(Refusal({.query = Query({7, 3}), .key = Key({7, 3}, "<i4")}),
              HasSubstr("where floating-point numbers are needed"));
}

TEST_F(Inputs, MasksThatDoNotFit) {
  AttentionSources sources = {.query = Query({2, 3, 4}),
                              .key = Key({2, 5, 4}),
                              .mask = MaskKind::kArray};
  const auto refusal = [&](const char* descr, const std::vector<int64_t>& shape,
                           const std::vector<double>& numbers) {
    sources.mask_array = folder_.Save("m.npy", descr, shape, numbers);
    return Refusal(sources);
  };
  EXPECT_THAT(refusal("<f4", {3, 5}, std::vector<double>(15)),
              HasSubstr("save (mask == 0)"));
  EXPECT_THAT(refusal("|b1", {5, 3}, std::vector<double>(15)),
              HasSubstr("bool [5, 3] does not fit scores"));
  EXPECT_THAT(refusal("|b1", {5}, std::vector<double>(5)),
              HasSubstr("does not fit"));
  EXPECT_THAT(refusal("|u1", {1, 5}, {0, 1, 2, 0, 1}),
              HasSubstr("0 and 1 alone"));
  EXPECT_EQ(refusal("|u1", {1, 5}, {0, 1, 1, 0, 1}), "");
  EXPECT_EQ(refusal("|b1", {1, 2, 1, 1}, {0, 1}), "");
}

TEST_F(Inputs, MasksAndTheKeysThatTheyLeave) {
  AttentionSources sources = {.query = Query({2, 3, 4}),
                              .key = Key({2, 5, 4}),
                              .mask = MaskKind::kCausal};
  // The three queries are the last of five places.
  EXPECT_EQ(AttentionInputsOfFiles(sources).LiveKeys(0),
            (std::vector<int64_t>{3, 4, 5, 3, 4, 5}));
  const auto causal = Weights(sources);
  EXPECT_EQ(causal[3], 0);
  EXPECT_GT(causal[2], 0);

  sources.mask = MaskKind::kArray;
  std::vector<double> below;
  for (int64_t i = 0; i < 3; ++i)
    for (int64_t j = 0; j < 5; ++j) below.push_back(j <= i + 2 ? 1 : 0);
  for (const bool fortran : {false, true}) {
    sources.mask_array = folder_.Save("m.npy", "|b1", {3, 5}, below, fortran);
    EXPECT_EQ(Weights(sources), causal);
    EXPECT_EQ(AttentionInputsOfFiles(sources).LiveKeys(0),
              (std::vector<int64_t>{3, 4, 5, 3, 4, 5}));
  }
  // By head, for all queries alike; the second head sees nothing.
  sources.mask_array =
      folder_.Save("m.npy", "|b1", {2, 1, 5}, {1, 0, 1, 0, 0, 0, 0, 0, 0, 0});
  EXPECT_EQ(AttentionInputsOfFiles(sources).LiveKeys(0),
            (std::vector<int64_t>{2, 2, 2, 0, 0, 0}));
}

TEST_F(Inputs, MasksOfABatch) {
  AttentionSources sources = {.query = Query({2, 1, 3, 4}),
                              .key = Key({2, 1, 2, 4}),
                              .mask = MaskKind::kArray};
  sources.mask_array = folder_.Save("m.npy", "|b1", {2, 1, 1, 2}, {1, 0, 0, 1});
  const AttentionInputsOfFiles inputs(sources);
  InspectionRequest request;
  request.weights = true;
  EXPECT_EQ(InspectEntry(inputs, 0, request).weights,
            (std::vector<float>{1, 0, 1, 0, 1, 0}));
  EXPECT_EQ(InspectEntry(inputs, 1, request).weights,
            (std::vector<float>{0, 1, 0, 1, 0, 1}));
}

TEST_F(Inputs, NumbersThatAreNone) {
  const Array query = folder_.Save("q.npy", "<f4", {2, 2, 1}, {1, 2, 3, NAN});
  EXPECT_THAT(
      ErrorOf([&] {
        Weights({.query = query, .key = Key({2, 2, 1})});
      }),
      HasSubstr("batch entry 0, head 2, query 1: its scores are not finite"));
}

}  // namespace
}  // namespace keylens::inspect
