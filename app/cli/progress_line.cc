#include "app/cli/progress_line.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "src/train/clock.h"

namespace keylens::cli {
namespace {

constexpr double kTerminalSeconds = 0.5;
constexpr double kLogSeconds = 60;
constexpr int kBarWidth = 24;

std::string Duration(double seconds) {
  if (seconds < 90) return fmt::format("{:.0f} s", seconds);
  if (seconds < 5400) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

std::string Bar(double share) {
  const int full =
      static_cast<int>(std::clamp(share, 0.0, 1.0) * kBarWidth + 0.5);
  return fmt::format("[{}{}] {:3.0f} %  ", std::string(full, '#'),
                     std::string(kBarWidth - full, '.'), share * 100);
}

}  // namespace

std::string ProgressText(const train::ProgressReport& report) {
  std::string text = report.share_done ? Bar(*report.share_done) : "";
  text +=
      fmt::format("step {}  loss {:.4f}  {:.1f} {}/s", report.step, report.loss,
                  report.examples_per_second, report.examples_name);
  if (report.seconds_left)
    text += "  " + Duration(*report.seconds_left) + " left";
  return text;
}

ProgressLine::ProgressLine() : terminal_(isatty(STDERR_FILENO) == 1) {}

void ProgressLine::End() {
  if (drawn_) std::fputc('\n', stderr);
  drawn_ = false;
}

void ProgressLine::Show(const train::ProgressReport& report) {
  const double now = train::SteadySeconds();
  if (now < next_time_) return;
  next_time_ = now + (terminal_ ? kTerminalSeconds : kLogSeconds);
  const std::string text = ProgressText(report);
  if (terminal_) {
    std::fprintf(stderr, "\r%s\x1b[K", text.c_str());
    std::fflush(stderr);
    drawn_ = true;
  } else {
    std::fprintf(stderr, "%s\n", text.c_str());
  }
}

void ProgressLine::Note(const std::string& text) {
  std::fprintf(stderr, "%s%s\n", drawn_ ? "\r\x1b[K" : "", text.c_str());
  drawn_ = false;
}

}  // namespace keylens::cli
