// What pictures look like when they are learnt from, and in what order.

#include "systems/classifier/training/augment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "systems/classifier/training/epoch_order.h"

namespace keylens::classifier {
namespace {

constexpr Normalisation kPlain = {0, 1};  // values / 255

Image Numbered(int width, int height, int channels) {
  Image image{width, height, channels, {}};
  for (int i = 0; i < width * height * channels; ++i)
    image.pixels.push_back(static_cast<uint8_t>(1 + i % 255));
  return image;
}

TEST(WritePlanesTest, PutsOneChannelBehindAnotherAndNormalises) {
  const Image image{2, 1, 3, {0, 51, 102, 153, 204, 255}};
  std::vector<float> planes(6);
  WritePlanes(image, {0.2f, 0.5f}, planes);
  const std::vector<float> expected = {-0.4f, 0.8f, 0.0f, 1.2f, 0.4f, 1.6f};
  for (std::size_t i = 0; i < 6; ++i)
    EXPECT_NEAR(planes[i], expected[i], 1e-6) << i;
  std::vector<float> wrong(5);
  EXPECT_THROW(WritePlanes(image, kPlain, wrong), std::invalid_argument);
}

// Finds the shift and the flip that make `planes` of `image`.
bool IsMoved(const Image& image, const std::vector<float>& planes, int right,
             int down, bool flip) {
  for (int c = 0; c < image.channels; ++c) {
    for (int y = 0; y < image.height; ++y) {
      for (int x = 0; x < image.width; ++x) {
        const int column = x - right, row = y - down;
        const bool inside = column >= 0 && column < image.width && row >= 0 &&
                            row < image.height;
        const int from = flip ? image.width - 1 - column : column;
        const int value =
            inside
                ? image.pixels[(row * image.width + from) * image.channels + c]
                : 0;
        const float found =
            planes[(c * image.height + y) * image.width + x] * 255;
        if (std::abs(found - static_cast<float>(value)) > 1e-3f) return false;
      }
    }
  }
  return true;
}

TEST(WriteAugmentedTest, ShiftsAndFlipsEvenly) {
  const Image image = Numbered(6, 5, 3);
  const Augmentation augmentation{.shift = 2, .flip = 0.5, .erase = 0};
  std::vector<float> planes(image.pixels.size());
  std::map<std::tuple<int, int, bool>, int> counts;
  constexpr uint64_t kDraws = 5000;
  for (uint64_t i = 0; i < kDraws; ++i) {
    Random random({3, i});
    WriteAugmented(image, kPlain, augmentation, random, planes);
    int found = 0;
    for (int right = -2; right <= 2; ++right) {
      for (int down = -2; down <= 2; ++down) {
        for (const bool flip : {false, true}) {
          if (!IsMoved(image, planes, right, down, flip)) continue;
          ++found;
          ++counts[{right, down, flip}];
        }
      }
    }
    ASSERT_EQ(found, 1);
  }
  ASSERT_EQ(counts.size(), 50u);
  // Five standard deviations of a count.
  for (const auto& [move, count] : counts) EXPECT_NEAR(count, 100, 50);
}

TEST(WriteAugmentedTest, ErasesARectangleToTheMean) {
  const Image image = Numbered(20, 20, 1);
  const Augmentation augmentation{.shift = 0, .flip = 0, .erase = 1};
  std::vector<float> whole(400), planes(400);
  WritePlanes(image, {-1, 1}, whole);  // no value becomes 0 by itself
  std::set<int> areas;
  for (uint64_t i = 0; i < 300; ++i) {
    Random random({4, i});
    WriteAugmented(image, {-1, 1}, augmentation, random, planes);
    int left = 20, right = -1, top = 20, bottom = -1, erased = 0;
    for (int at = 0; at < 400; ++at) {
      if (planes[at] != 0) {
        ASSERT_EQ(planes[at], whole[at]);
        continue;
      }
      ++erased;
      left = std::min(left, at % 20);
      right = std::max(right, at % 20);
      top = std::min(top, at / 20);
      bottom = std::max(bottom, at / 20);
    }
    ASSERT_EQ(erased, (right - left + 1) * (bottom - top + 1));
    areas.insert(erased);
  }
  // 2 to 20 % of 400 pixels, but for the rounding of the sides.
  EXPECT_GE(*areas.begin(), 4);
  EXPECT_LE(*areas.begin(), 12);
  EXPECT_GE(*areas.rbegin(), 70);
  EXPECT_LE(*areas.rbegin(), 95);
}

TEST(PictureOfTest, EveryEpochVisitsEachPictureOnceInItsOwnOrder) {
  for (const uint64_t size : {1u, 2u, 3u, 10u, 257u, 4096u}) {
    std::vector<std::vector<uint64_t>> epochs;
    for (uint64_t epoch = 0; epoch < 3; ++epoch) {
      std::vector<uint64_t> order;
      for (uint64_t i = 0; i < size; ++i)
        order.push_back(PictureOf(epoch * size + i, size, 5));
      epochs.push_back(order);
      std::ranges::sort(order);
      for (uint64_t i = 0; i < size; ++i) ASSERT_EQ(order[i], i) << size;
    }
    if (size < 10) continue;
    EXPECT_NE(epochs[0], epochs[1]);
    EXPECT_NE(epochs[1], epochs[2]);
    EXPECT_NE(PictureOf(0, size, 5) + size * PictureOf(1, size, 5),
              PictureOf(0, size, 6) + size * PictureOf(1, size, 6));
  }
}

TEST(PictureOfTest, NeighboursAreSpread) {
  // The mean distance of two independent places among n is n / 3.
  constexpr uint64_t kSize = 60000;
  double distance = 0;
  for (uint64_t i = 0; i + 1 < kSize; ++i) {
    const auto a = static_cast<double>(PictureOf(i, kSize, 1));
    const auto b = static_cast<double>(PictureOf(i + 1, kSize, 1));
    distance += std::abs(a - b) / kSize;
  }
  EXPECT_NEAR(distance / kSize, 1.0 / 3, 0.01);
}

}  // namespace
}  // namespace keylens::classifier
