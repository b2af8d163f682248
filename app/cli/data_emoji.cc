// keylens data emoji

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <iostream>
#include <memory>
#include <string>

#include "app/cli/data_sets.h"
#include "app/cli/output_guard.h"
#include "app/cli/verb.h"
#include "src/base/error.h"
#include "src/parallel/stop_on_signals.h"
#include "systems/generator/emoji/emoji_data.h"

namespace keylens::cli {
namespace {

// Rewrites one line with the share that is done; says nothing where standard
// error is no terminal.
void ShowProgress(int done, int total) {
  static const bool on_terminal = isatty(STDERR_FILENO) == 1;
  if (!on_terminal || (done % 50 != 0 && done != total)) return;
  std::cerr << fmt::format("\rdrawing {} of {}", done, total)
            << (done == total ? "\n" : "") << std::flush;
}

void WriteEmoji(const std::filesystem::path& folder) {
  OutputGuard().WritesFolder("--out", folder, {});
  const StopOnSignals signals;
  const EmojiDataSummary summary =
      WriteEmojiData(folder, {}, [&](int done, int total) {
        ShowProgress(done, total);
        if (signals.token().stop_requested()) {
          throw Error("interrupted; the same command starts again");
        }
      });
  for (const std::string& caption : summary.not_drawn) {
    std::cerr << "left out, not in the font: " << caption << '\n';
  }
  std::cout << fmt::format(
      "{}: {} pictures to train on, {} held out, {} left out\n",
      folder.string(), summary.train, summary.held_out,
      summary.not_drawn.size());
}

}  // namespace

void AddEmojiData(CLI::App& data) {
  CLI::App* emoji = data.add_subcommand(
      "emoji",
      "Unicode's emoji drawn as 64 x 64 pictures, captioned with their names");
  auto folder = std::make_shared<std::string>();
  emoji->add_option("--out", *folder, "The folder to write")
      ->required()
      ->type_name("DIR");
  emoji->callback([folder] { WriteEmoji(*folder); });
}

}  // namespace keylens::cli
