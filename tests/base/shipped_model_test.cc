#include "src/base/shipped_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "src/base/error.h"
#include "src/base/file.h"
#include "tests/temporary_path.h"

namespace keylens {
namespace {

namespace fs = std::filesystem;

TEST(ShippedModelFolder, IsFoundFromBuildsAndPrefixes) {
  const fs::path source = KEYLENS_SOURCE_DIR;
  EXPECT_EQ(ShippedModelFolder(ShippedModel::kClassifier,
                               source / "build/release/app/cli"),
            source / "models/fashion");
  EXPECT_EQ(ShippedModelFolder(ShippedModel::kGenerator, source),
            source / "models/emoji");
  const fs::path prefix = TemporaryPath("prefix");
  const fs::path installed = prefix / "share/keylens/models/german-english";
  MakeFolder(installed);
  EXPECT_THROW(ShippedModelFolder(ShippedModel::kTranslator, prefix / "bin"),
               Error);
  WriteFileAtomically(installed / "config.json", "{}");
  for (const char* folder : {"bin", "libexec/keylens"}) {
    EXPECT_EQ(ShippedModelFolder(ShippedModel::kTranslator, prefix / folder),
              installed);
  }
  fs::remove_all(prefix);
}

}  // namespace
}  // namespace keylens
