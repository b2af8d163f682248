// keylens data fashion

#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <memory>
#include <string>

#include "app/cli/data_sets.h"
#include "app/cli/output_guard.h"
#include "app/cli/verb.h"
#include "src/base/error.h"
#include "src/base/paths.h"
#include "systems/classifier/data/fashion_data.h"

namespace keylens::cli {

void AddFashionData(CLI::App& data) {
  CLI::App* fashion = data.add_subcommand(
      "fashion", "Fashion-MNIST, from Debian's package dataset-fashion-mnist");
  auto folder = std::make_shared<std::string>();
  auto package = std::make_shared<std::string>(classifier::kFashionPackage);
  fashion->add_option("--out", *folder, "The folder to write")
      ->required()
      ->type_name("DIR");
  fashion
      ->add_option("--package", *package,
                   "where the four files of the package are")
      ->type_name("DIR")
      ->capture_default_str();
  fashion->callback([folder, package] {
    if (LiesWithin(*folder, *package)) {
      throw UsageError(fmt::format(
          "--out {}: lies within --package {}; name a folder outside", *folder,
          *package));
    }
    OutputGuard guard;
    guard.Reads(*package);
    guard.WritesFolder(
        "--out", *folder,
        {classifier::kFashionFiles.begin(), classifier::kFashionFiles.end()});
    const classifier::FashionSummary summary =
        classifier::WriteFashionData(*package, *folder);
    std::cout << fmt::format(
        "{}: {} pictures to train on, {} to test on, {} classes\n", *folder,
        summary.train, summary.test, summary.classes);
  });
}

}  // namespace keylens::cli
