#include <gtest/gtest.h>

#include <csignal>
#include <stdexcept>

#include "src/parallel/stop_on_signals.h"
#include "src/parallel/stop_token.h"

namespace keylens {
namespace {

TEST(StopTokenTest, OneOfNothingIsNeverAsked) {
  EXPECT_FALSE(StopToken().stop_requested());
}

TEST(StopTokenTest, CopiesSeeTheRequestAndOutliveItsSource) {
  StopToken before, copy;
  {
    StopSource source;
    before = source.token();
    copy = before;
    EXPECT_FALSE(copy.stop_requested());
    source.RequestStop();
    EXPECT_TRUE(source.token().stop_requested());
  }
  EXPECT_TRUE(before.stop_requested());
  EXPECT_TRUE(copy.stop_requested());
}

TEST(StopOnSignalsTest, EachOfTheThreeAsks) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    const StopOnSignals stop;
    const StopToken token = stop.token();
    EXPECT_FALSE(token.stop_requested());
    EXPECT_EQ(stop.signal(), 0);
    std::raise(signal);
    EXPECT_TRUE(token.stop_requested());
    EXPECT_EQ(stop.signal(), signal);
  }
}

TEST(StopOnSignalsTest, ASecondSignalOfTheKindEndsTheProgram) {
  EXPECT_EXIT(
      {
        const StopOnSignals stop;
        std::raise(SIGHUP);
        std::raise(SIGHUP);
      },
      ::testing::KilledBySignal(SIGHUP), "");
}

TEST(StopOnSignalsTest, WhatWasIgnoredStaysIgnored) {
  auto* const before = std::signal(SIGHUP, SIG_IGN);
  {
    const StopOnSignals stop;
    std::raise(SIGHUP);
    EXPECT_FALSE(stop.token().stop_requested());
  }
  EXPECT_EQ(std::signal(SIGHUP, before), SIG_IGN);
}

TEST(StopOnSignalsTest, TheOldHandlersComeBack) {
  { const StopOnSignals stop; }
  EXPECT_EQ(std::signal(SIGTERM, SIG_DFL), SIG_DFL);
}

TEST(StopOnSignalsTest, ThereIsOneAtATime) {
  const StopOnSignals stop;
  EXPECT_THROW(StopOnSignals(), std::logic_error);
}

}  // namespace
}  // namespace keylens
