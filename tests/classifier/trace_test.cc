// What maps are made of, against plain operations in double.

#include "systems/classifier/relevance/trace.h"

#include <gtest/gtest.h>

#include "systems/classifier/relevance/attention_maps.h"
#include "tests/classifier/plain_model.h"
#include "tests/classifier/tiny_classifier.h"

namespace keylens::classifier {
namespace {

double Difference(const torch::Tensor& actual, const torch::Tensor& expected) {
  EXPECT_EQ(actual.sizes(), expected.sizes());
  return (actual.to(torch::kFloat64) - expected).abs().max().item<double>();
}

// The oracle's positive part of weight times gradient, a layer each.
std::vector<torch::Tensor> PlainRelevance(const PlainPass& pass,
                                          int64_t target) {
  const auto gradients =
      torch::autograd::grad({pass.logits[0][target]}, pass.weights);
  std::vector<torch::Tensor> relevance;
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    relevance.push_back(
        (pass.weights[i] * gradients[i]).clamp_min(0).detach()[0]);
  }
  return relevance;
}

TEST(TraceTest, WeightsAndRelevanceAreThoseOfPlainOperations) {
  ClassifierModel model = TinyModel();
  const torch::Tensor picture = torch::randn({1, 3, 12, 12});
  for (int64_t target = 0; target < 3; ++target) {
    const PlainPass pass = RunPlain(*model, picture);
    const std::vector<torch::Tensor> expected = PlainRelevance(pass, target);
    const Trace trace = TracePicture(*model, picture, target);
    EXPECT_LT(Difference(trace.logits, pass.logits.detach()[0]), 1e-4);
    ASSERT_EQ(trace.weights.size(), 2u);
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_LT(Difference(trace.weights[i], pass.weights[i].detach()[0]),
                1e-5);
      const double scale = expected[i].max().item<double>();
      ASSERT_GT(scale, 0);
      EXPECT_LT(Difference(trace.relevance[i], expected[i]), 1e-4 * scale);
    }
  }
  for (const torch::Tensor& parameter : model->parameters())
    EXPECT_FALSE(parameter.grad().defined());
}

TEST(TraceTest, TakesTheLargestLogitWhereNoneIsNamed) {
  ClassifierModel model = TinyModel(2);
  const torch::Tensor picture = torch::randn({1, 3, 12, 12});
  const int64_t best = model->forward(picture).argmax().item<int64_t>();
  const Trace by_default = TracePicture(*model, picture);
  const Trace named = TracePicture(*model, picture, best);
  EXPECT_TRUE(torch::equal(by_default.relevance[0], named.relevance[0]));
}

TEST(TraceTest, WorksWhereGradientsAreOff) {
  ClassifierModel model = TinyModel();
  const torch::NoGradGuard no_grad;
  const Trace trace = TracePicture(*model, torch::randn({1, 3, 12, 12}));
  EXPECT_GT(trace.relevance[0].max().item<double>(), 0);
}

// Two layers of two heads over three tokens.
std::vector<torch::Tensor> ExampleMaps() {
  torch::manual_seed(7);
  return {torch::rand({2, 3, 3}).softmax(-1),
          torch::rand({2, 3, 3}).softmax(-1)};
}

TEST(RolloutTest, MultipliesHalfTheHeadsAndHalfTheIdentity) {
  const std::vector<torch::Tensor> maps = ExampleMaps();
  const torch::Tensor rollout = Rollout(maps);
  for (int key = 0; key < 3; ++key) {
    double expected = 0;
    for (int between = 0; between < 3; ++between) {
      const auto flow = [&](int layer, int query, int at) {
        double mean = 0;
        for (int head = 0; head < 2; ++head)
          mean += maps[layer][head][query][at].item<double>() / 2;
        return 0.5 * mean + (query == at ? 0.5 : 0);
      };
      expected += flow(1, 0, between) * flow(0, between, key);
    }
    EXPECT_NEAR(rollout[key].item<double>(), expected, 1e-7);
  }
  EXPECT_NEAR(rollout.sum().item<double>(), 1, 1e-6);
}

TEST(RelevanceTest, AddsWhatEveryLayerPassesOn) {
  const std::vector<torch::Tensor> maps = ExampleMaps();
  const torch::Tensor a = maps[0].to(torch::kFloat64).mean(0);
  const torch::Tensor b = maps[1].to(torch::kFloat64).mean(0);
  // (I + b) (I + a) - I = a + b + b a.
  const torch::Tensor expected = (a + b + b.mm(a))[0];
  EXPECT_LT(Difference(Relevance(maps), expected), 1e-12);
}

TEST(AttentionMapsTest, TheReportIsWhatTheTraceSays) {
  ClassifierModel model = TinyModel();
  Image image{24, 24, 3, {}};
  for (int i = 0; i < 24 * 24 * 3; ++i)
    image.pixels.push_back(static_cast<uint8_t>(i * 37 % 251));
  const render::AttentionReport report = AttentionMaps(*model, image, "x.png");
  render::CheckReport(report, "test");
  EXPECT_TRUE(report.title.starts_with("x.png: ")) << report.title;
  const render::AttentionPanel& panel = report.panels.at(0);
  EXPECT_EQ(panel.layers, 2);
  EXPECT_EQ(panel.heads, 2);
  EXPECT_EQ(panel.keys.size(), 10u);
  EXPECT_EQ(panel.keys[6], "row 2, column 3");
  ASSERT_TRUE(panel.key_picture.has_value());
  EXPECT_EQ(panel.key_picture->picture.width, 24);  // in more detail
  EXPECT_EQ(panel.key_picture->first, 1);
  ASSERT_EQ(panel.named_maps.size(), 2u);
  for (int map = 0; map < 4; ++map) {
    double sum = 0;
    for (int key = 0; key < 10; ++key) sum += panel.weights[map * 10 + key];
    EXPECT_NEAR(sum, 1, 1e-5);
  }
}

}  // namespace
}  // namespace keylens::classifier
