#include "app/cli/progress_line.h"

#include <gtest/gtest.h>

namespace keylens::cli {
namespace {

TEST(ProgressTextTest, SaysWhatIsKnown) {
  train::ProgressReport report;
  report.step = 1200;
  report.loss = 0.07123;
  report.examples_per_second = 81.26;
  report.examples_name = "pictures";
  EXPECT_EQ(ProgressText(report), "step 1200  loss 0.0712  81.3 pictures/s");
  report.share_done = 0.5;
  report.seconds_left = 720;
  EXPECT_EQ(ProgressText(report),
            "[############............]  50 %  step 1200  loss 0.0712  81.3 "
            "pictures/s  12 min left");
}

}  // namespace
}  // namespace keylens::cli
