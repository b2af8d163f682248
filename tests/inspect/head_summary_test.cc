// Summaries against plain loops over the weights of the oracle.

#include "src/inspect/head_summary.h"

#include <gtest/gtest.h>
#include <keylens/attention.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "src/attention/reference/reference.h"
#include "src/inspect/inspect.h"
#include "tests/inspect/numpy_file.h"

namespace keylens::inspect {
namespace {

struct Case {
  int64_t heads, kv_heads, query_len, kv_len, dim;
  MaskKind mask;
  const char* descr;
};

// What Summarize is asked for, from every single weight.
struct Wanted {
  double entropy = 0, even = 0, distance = 0, self = 0, previous = 0, next = 0;
  int64_t live_queries = 0;
  std::vector<double> mass;
};

Wanted FromWeights(const ReferenceResult<double>& reference, int64_t head) {
  const AttentionShape& shape = reference.shape;
  Wanted wanted;
  wanted.mass.resize(shape.kv_len);
  for (int64_t i = 0; i < shape.query_len; ++i) {
    int64_t live = 0;
    for (int64_t j = 0; j < shape.kv_len; ++j) {
      const std::size_t at = (head * shape.query_len + i) * shape.kv_len + j;
      const double weight = reference.weights[at];
      if (std::isfinite(reference.scores[at])) ++live;
      if (weight == 0) continue;
      const int64_t offset = j - (i + shape.kv_len - shape.query_len);
      wanted.mass[j] += weight;
      wanted.entropy -= weight * std::log(weight);
      wanted.distance += weight * static_cast<double>(std::abs(offset));
      if (offset == 0) wanted.self += weight;
      if (offset == -1) wanted.previous += weight;
      if (offset == 1) wanted.next += weight;
    }
    if (live == 0) continue;
    ++wanted.live_queries;
    wanted.even += std::log(static_cast<double>(live));
  }
  return wanted;
}

class Summaries : public ::testing::TestWithParam<Case> {
 protected:
  AttentionInputsOfFiles InputsOf(const Case& test) const {
    AttentionSources sources = {
        .query = folder_.Save(
            "q.npy", test.descr, {test.heads, test.query_len, test.dim},
            NormalNumbers(test.heads * test.query_len * test.dim, 1)),
        .key = folder_.Save(
            "k.npy", test.descr, {test.kv_heads, test.kv_len, test.dim},
            NormalNumbers(test.kv_heads * test.kv_len * test.dim, 2)),
        .mask = test.mask};
    if (test.mask == MaskKind::kArray) {
      // Every third query sees nothing.
      std::vector<double> live;
      for (int64_t i = 0; i < test.query_len; ++i)
        for (int64_t j = 0; j < test.kv_len; ++j)
          live.push_back(i % 3 != 1 && (i * 7 + j * 5) % 4 != 0 ? 1 : 0);
      sources.mask_array =
          folder_.Save("m.npy", "|b1", {test.query_len, test.kv_len}, live);
    }
    return AttentionInputsOfFiles(std::move(sources));
  }

  static ReferenceResult<double> Reference(
      const AttentionInputsOfFiles& inputs) {
    const std::vector<float> query = FloatsOf(inputs.sources().query),
                             key = FloatsOf(inputs.sources().key);
    const auto view = [&](const std::vector<float>& numbers,
                          const HeadVectors& like) {
      return TensorView<const float, 4>{numbers.data(), like.shape,
                                        like.strides};
    };
    const auto mask = inputs.MaskOf(0);
    AttentionOptions options;
    options.mask = mask.get();
    return ReferenceForward<double>(
        AttentionInputs<float>{view(query, inputs.query()),
                               view(key, inputs.key()),
                               view(key, inputs.key())},
        options);
  }

  NumpyFolder folder_;
};

TEST_P(Summaries, AreThoseOfTheWeights) {
  const AttentionInputsOfFiles inputs = InputsOf(GetParam());
  const SequenceShape shape = {.query_len = inputs.query_len(),
                               .kv_len = inputs.kv_len(),
                               .self_attention = true,
                               .key_beside = inputs.KeyBeside()};
  const auto heads =
      Summarize(InspectEntry(inputs, 0, {}), shape, inputs.kv_len());
  const ReferenceResult<double> reference = Reference(inputs);
  ASSERT_EQ(static_cast<int64_t>(heads.size()), inputs.heads());
  for (std::size_t h = 0; h < heads.size(); ++h) {
    const Wanted wanted = FromWeights(reference, static_cast<int64_t>(h));
    const render::HeadStatistics& actual = heads[h].statistics;
    const auto queries = static_cast<double>(wanted.live_queries);
    EXPECT_EQ(heads[h].live_queries, wanted.live_queries);
    EXPECT_NEAR(actual.entropy, wanted.entropy / queries, 1e-5);
    EXPECT_NEAR(actual.even_entropy, wanted.even / queries, 1e-5);
    EXPECT_NEAR(actual.mean_distance, wanted.distance / queries, 1e-3);
    EXPECT_NEAR(actual.self, wanted.self / queries, 1e-6);
    EXPECT_NEAR(actual.previous, wanted.previous / queries, 1e-6);
    EXPECT_NEAR(actual.next, wanted.next / queries, 1e-6);
    EXPECT_NEAR(actual.first_key, wanted.mass[0] / queries, 1e-6);
    double before = 1;
    for (const KeyShare& heavy : heads[h].heaviest_keys) {
      EXPECT_NEAR(heavy.share, wanted.mass[heavy.key] / queries, 1e-6);
      EXPECT_LE(heavy.share, before);
      before = heavy.share;
    }
    EXPECT_EQ(actual.top_key,
              static_cast<float>(heads[h].heaviest_keys.front().share));
  }
}

INSTANTIATE_TEST_SUITE_P(
    , Summaries,
    ::testing::Values(Case{4, 2, 50, 50, 8, MaskKind::kNone, "<f4"},
                      Case{4, 2, 50, 50, 8, MaskKind::kCausal, "<V2"},
                      Case{3, 3, 20, 77, 5, MaskKind::kCausal, "<f2"},
                      Case{3, 1, 41, 30, 5, MaskKind::kArray, "<f8"},
                      Case{1, 1, 1, 1, 1, MaskKind::kNone, "<f4"},
                      Case{2, 2, 700, 300, 4, MaskKind::kArray, "<f4"}));

// Heads that were made to be of a kind.
TEST(SummaryOfKinds, AreWhatTheyAreCalled) {
  const NumpyFolder folder;
  constexpr int64_t kLen = 40;
  // One-hot keys: query i of head h wants key Target(h, i).
  const auto target = [](int64_t head, int64_t i) -> int64_t {
    const int64_t targets[] = {0, i, std::max<int64_t>(0, i - 1),
                               std::min(kLen - 1, i + 1), 7};
    return targets[head];
  };
  std::vector<double> query(5 * kLen * kLen), key(5 * kLen * kLen);
  for (int64_t head = 0; head < 5; ++head) {
    for (int64_t i = 0; i < kLen; ++i) {
      query[(head * kLen + i) * kLen + target(head, i)] = 100;
      key[(head * kLen + i) * kLen + i] = 1;
    }
  }
  const AttentionInputsOfFiles inputs(
      {.query = folder.Save("q.npy", "<f4", {5, kLen, kLen}, query),
       .key = folder.Save("k.npy", "<f4", {5, kLen, kLen}, key)});
  const auto heads =
      Summarize(InspectEntry(inputs, 0, {}), {kLen, kLen, true, 0}, 1);
  std::vector<std::string> kinds;
  for (const HeadSummary& head : heads)
    kinds.emplace_back(render::NameOf(head.kind));
  EXPECT_EQ(kinds, (std::vector<std::string>{"first key", "self", "previous",
                                             "next", "one key"}));
  EXPECT_EQ(heads[4].heaviest_keys.front().key, 7);
}

TEST(SummaryOfKinds, HeadsThatSeeNothing) {
  const NumpyFolder folder;
  AttentionSources sources = {
      .query = folder.Save("q.npy", "<f4", {3, 2}, NormalNumbers(6, 1)),
      .key = folder.Save("k.npy", "<f4", {4, 2}, NormalNumbers(8, 1)),
      .mask = MaskKind::kArray};
  sources.mask_array = folder.Save("m.npy", "|b1", {1, 4}, {0, 0, 0, 0});
  const AttentionInputsOfFiles inputs(std::move(sources));
  const auto heads =
      Summarize(InspectEntry(inputs, 0, {}), {3, 4, false, 1}, 3);
  EXPECT_EQ(heads[0].live_queries, 0);
  EXPECT_EQ(heads[0].statistics.entropy, 0);
  EXPECT_TRUE(heads[0].heaviest_keys.empty());
}

TEST(HeaviestKeys, OfOneQuery) {
  const NumpyFolder folder;
  const AttentionInputsOfFiles inputs(
      {.query = folder.Save("q.npy", "<f4", {2, 1}, {1, -1}),
       .key = folder.Save("k.npy", "<f4", {3, 1}, {5, 1, 3}),
       .mask = MaskKind::kCausal});
  InspectionRequest request;
  request.top_keys = 3;
  const EntryStatistics statistics = InspectEntry(inputs, 0, request);
  // Query 0 stands beside key 1, so it sees two keys.
  const auto first = HeaviestKeysOf(statistics, 0, 3);
  ASSERT_EQ(first.size(), 2u);
  EXPECT_EQ(first[0].key, 0);
  EXPECT_NEAR(first[0].share, 1 / (1 + std::exp(-4)), 1e-6);
  EXPECT_EQ(first[1].key, 1);
  const auto second = HeaviestKeysOf(statistics, 1, 1);
  ASSERT_EQ(second.size(), 1u);
  EXPECT_EQ(second[0].key, 1);
}

}  // namespace
}  // namespace keylens::inspect
