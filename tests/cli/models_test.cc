// keylens models, as people call it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "src/base/file.h"
#include "tests/cli/command_line.h"

namespace keylens {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

const fs::path kModels = fs::path(KEYLENS_SOURCE_DIR) / "models";

class ModelsCommand : public CommandLine {};

TEST_F(ModelsCommand, DescribesTheModelsThatShip) {
  const Result result =
      Keylens({"models", kModels / "fashion", kModels / "german-english",
               kModels / "emoji/unet/diffusion_pytorch_model.safetensors"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.err, "");
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("(vit)"), HasSubstr("(keylens_translator)"),
                    HasSubstr("(keylens_unet)"), HasSubstr("float16"),
                    HasSubstr("117,658 parameters")));
}

TEST_F(ModelsCommand, OneThatIsIncompleteEndsWithOneAndTheOthersAreDescribed) {
  fs::copy(kModels / "fashion", Path("m"), fs::copy_options::recursive);
  WriteFileAtomically(Path("m") + "/model.safetensors", "<!DOCTYPE html>");
  const Result result = Keylens(
      {"models", Path("m"), kModels / "fashion", Path("missing"), "--json"});
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.err, HasSubstr("2 of 3"));
  const auto json = nlohmann::json::parse(result.out);
  ASSERT_EQ(json.size(), 3u);
  EXPECT_FALSE(json[0]["complete"]);
  EXPECT_THAT(json[0]["problems"][0].get<std::string>(),
              AllOf(HasSubstr("model.safetensors"), HasSubstr("web page")));
  EXPECT_TRUE(json[1]["complete"]);
  EXPECT_EQ(json[1]["kind"], "vit");
  EXPECT_EQ(json[1]["parts"][0]["parameters"], 117658);
  EXPECT_EQ(json[1]["parts"][0]["types"]["float16"], 72);
  EXPECT_EQ(json[1]["parts"][0]["weights"]["used"].size(), 72u);
  EXPECT_TRUE(json[2]["kind"].is_null());
}

TEST_F(ModelsCommand, NeedsAPath) {
  EXPECT_EQ(Keylens({"models"}).status, 2);
  EXPECT_EQ(Keylens({"models", "--help"}).status, 0);
}

}  // namespace
}  // namespace keylens
