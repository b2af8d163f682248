// What the model that ships draws, as somebody would see it.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>

#include "src/base/program.h"
#include "src/base/shipped_model.h"
#include "systems/generator/pipeline.h"

namespace keylens::generator {
namespace {

struct Colour {
  const char* name;
  double red, green, blue;
};

// The colours as a painter would have them; which of them a heart is nearest to
// is asked.
constexpr std::array kColours = {
    Colour{"red", 220, 30, 45},     Colour{"orange", 245, 145, 30},
    Colour{"yellow", 250, 215, 65}, Colour{"green", 85, 165, 60},
    Colour{"blue", 65, 140, 225},   Colour{"purple", 155, 80, 190},
    Colour{"brown", 130, 75, 50},   Colour{"black", 35, 35, 35},
    Colour{"white", 245, 245, 245}};

// The mean colour of the pixels that can be seen.
Colour MeanColour(const Image& picture) {
  Colour mean{"", 0, 0, 0};
  double count = 0;
  for (std::size_t i = 0; i < picture.pixels.size(); i += 4) {
    if (picture.pixels[i + 3] < 200) continue;
    mean.red += picture.pixels[i];
    mean.green += picture.pixels[i + 1];
    mean.blue += picture.pixels[i + 2];
    ++count;
  }
  return {"", mean.red / count, mean.green / count, mean.blue / count};
}

double Distance(const Colour& a, const Colour& b) {
  const double red = a.red - b.red, green = a.green - b.green,
               blue = a.blue - b.blue;
  return red * red + green * green + blue * blue;
}

std::string NameOf(const Colour& colour) {
  return std::ranges::min_element(
             kColours, {},
             [&](const Colour& known) { return Distance(colour, known); })
      ->name;
}

double ShareSeen(const Image& picture) {
  double seen = 0;
  for (std::size_t i = 3; i < picture.pixels.size(); i += 4)
    seen += picture.pixels[i] >= 200;
  return seen / (picture.pixels.size() / 4.0);
}

std::vector<Drawing> DrawHearts(const char* scheduler) {
  DrawSettings settings;
  settings.steps = 8;
  settings.scheduler = &SchedulerNamed(scheduler);
  std::vector<DrawRequest> requests;
  for (const Colour& colour : kColours)
    requests.push_back({std::string(colour.name) + " heart", "", 1, false});
  return DrawAll(Pipeline::Load(ShippedModelFolder(ShippedModel::kGenerator,
                                                   ProgramFolder())),
                 requests, settings);
}

class ShippedGeneratorTest : public ::testing::TestWithParam<const char*> {};

TEST_P(ShippedGeneratorTest, AHeartHasTheColourThatWasAskedFor) {
  const std::vector<Drawing> hearts = DrawHearts(GetParam());
  for (std::size_t i = 0; i < kColours.size(); ++i) {
    EXPECT_EQ(NameOf(MeanColour(hearts[i].picture)), kColours[i].name);
    // It stands on transparent ground, neither blob nor speck.
    EXPECT_GT(ShareSeen(hearts[i].picture), 0.2) << kColours[i].name;
    EXPECT_LT(ShareSeen(hearts[i].picture), 0.9) << kColours[i].name;
  }
}

INSTANTIATE_TEST_SUITE_P(Schedulers, ShippedGeneratorTest,
                         ::testing::Values("velocity", "ddim", "euler"),
                         [](const auto& name) {
                           return std::string(name.param);
                         });

}  // namespace
}  // namespace keylens::generator
