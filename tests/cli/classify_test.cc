// keylens classify, keylens data fashion, keylens train classifier.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "src/image/image.h"
#include "tests/cli/command_line.h"

namespace keylens {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class Classify : public CommandLine {
 protected:
  static std::string Picture(const std::string& name) {
    return KEYLENS_SOURCE_DIR "/tests/classifier/data/" + name + ".png";
  }
};

TEST_F(Classify, PrintsTheBestClasses) {
  const Result result = Keylens({"classify", Picture("trouser"), "--top", "2"});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(std::count(result.out.begin(), result.out.end(), '\n'), 2);
  EXPECT_THAT(result.out, HasSubstr(" %  Trouser\n"));
  EXPECT_EQ(result.err, "");
}

TEST_F(Classify, PrintsAnObjectForEachPicture) {
  const Result result =
      Keylens({"classify", Picture("bag"), Picture("sandal"), "--json"});
  ASSERT_EQ(result.status, 0) << result.err;
  const std::size_t line = result.out.find('\n');
  const auto bag = nlohmann::json::parse(result.out.substr(0, line));
  const auto sandal = nlohmann::json::parse(result.out.substr(line + 1));
  EXPECT_EQ(bag.at("image"), Picture("bag"));
  EXPECT_EQ(bag.at("classes").at(0).at("label"), "Bag");
  EXPECT_EQ(bag.at("classes").size(), 3u);
  EXPECT_EQ(sandal.at("classes").at(0).at("label"), "Sandal");
}

TEST_F(Classify, WritesMapsInEveryFormat) {
  for (const std::string name : {"m.png", "m.svg", "m.html", "m.json"}) {
    const Result result =
        Keylens({"classify", Picture("bag"), "--maps", Path(name)});
    ASSERT_EQ(result.status, 0) << result.err;
    EXPECT_GT(fs::file_size(Path(name)), 1000u);
  }
  const auto json = nlohmann::json::parse(Contents(Path("m.json")));
  const auto& panel = json.at("panels").at(0);
  EXPECT_EQ(panel.at("layers"), 4);
  EXPECT_EQ(panel.at("keys").size(), 65u);
  EXPECT_EQ(panel.at("named_maps").at(0).at("name"), "rollout");
  EXPECT_EQ(panel.at("named_maps").at(1).at("name"), "relevance");
  const Result several = Keylens(
      {"classify", Picture("bag"), Picture("coat"), "--maps", Path("n.png")});
  ASSERT_EQ(several.status, 0) << several.err;
  EXPECT_TRUE(fs::exists(Path("n-1.png")));
  EXPECT_TRUE(fs::exists(Path("n-2.png")));
}

// One that cannot be read is named, and the others get their answers, in order.
TEST_F(Classify, APictureThatCannotBeReadLeavesTheOthers) {
  WriteFileAtomically(Path("broken.png"),
                      Contents(Picture("bag")).substr(0, 99));
  fs::create_directory(Path("album"));
  const std::vector<std::string> arguments = {
      "classify",        Path("none.png"), Picture("bag"),
      Path("album"),     Picture("coat"),  Path("broken.png"),
      Picture("sandal"), "--top",          "1"};
  const Result text = Keylens(arguments);
  EXPECT_EQ(text.status, 1);
  const std::size_t bag = text.out.find("Bag"), coat = text.out.find("Coat"),
                    sandal = text.out.find("Sandal");
  EXPECT_LT(bag, coat);
  EXPECT_LT(coat, sandal);
  EXPECT_NE(sandal, std::string::npos);
  EXPECT_THAT(text.err, HasSubstr("none.png: no such file\n"));
  EXPECT_THAT(text.err, HasSubstr("album: a folder; give its pictures"));
  EXPECT_THAT(text.err, HasSubstr("broken.png: not a readable PNG"));
  EXPECT_THAT(text.err, HasSubstr("3 of 6 pictures could not be used"));
  std::vector<std::string> as_json = arguments;
  as_json.push_back("--json");
  const Result json = Keylens(as_json);
  EXPECT_EQ(json.status, 1);
  EXPECT_EQ(std::count(json.out.begin(), json.out.end(), '\n'), 3);
}

// The maps keep the numbers of their pictures.
TEST_F(Classify, MapsAreNumberedByTheirPictures) {
  const Result result = Keylens(
      {"classify", Path("none.png"), Picture("bag"), "--maps", Path("m.json")});
  EXPECT_EQ(result.status, 1);
  EXPECT_FALSE(fs::exists(Path("m-1.json")));
  EXPECT_TRUE(fs::exists(Path("m-2.json")));
}

TEST_F(Classify, NothingThatIsReadIsReplaced) {
  const std::string bytes = Contents(Picture("bag"));
  for (const char* name : {"a.png", "m-2.png"})
    WriteFileAtomically(Path(name), bytes);
  fs::create_symlink(Path("a.png"), Path("link.png"));
  fs::create_directories(Path("set/x"));
  WriteFileAtomically(Path("set/x/1.png"), bytes);
  const std::string a = Path("a.png");
  ExpectRefusal({"classify", a, "--maps", a}, 2, "would replace");
  ExpectRefusal({"classify", a, "--maps", Path("./set/../a.png")}, 2, "--maps");
  ExpectRefusal({"classify", a, "--maps", Path("link.png")}, 2, "--maps");
  ExpectRefusal({"classify", Path("link.png"), "--maps", a}, 2, "--maps");
  ExpectRefusal({"classify", a, Path("m-2.png"), "--maps", Path("m.png")}, 2,
                "m-2.png");
  ExpectRefusal({"classify", "--evaluate", Path("set"), "--confusion",
                 Path("set/x/1.png")},
                2, "--confusion");
  ExpectRefusal({"classify", a, "--maps", Path("no/m.png")}, 1,
                "no such folder");
  EXPECT_EQ(Contents(a), bytes);
}

TEST_F(Classify, MeasuresOnlyItsOwnClasses) {
  for (const std::string name : {"cat", "dog"}) {
    fs::create_directory(Path(name));
    fs::copy_file(Picture("bag"), Path(name + "/picture.png"));
  }
  ExpectRefusal({"classify", "--evaluate", Path("")}, 1,
                "has other classes than the model");
}

TEST_F(Classify, RefusesInOneLine) {
  ExpectRefusal({"classify"}, 2, "--evaluate");
  ExpectRefusal({"classify", Picture("bag"), "--evaluate", "x"}, 2,
                "--evaluate");
  ExpectRefusal({"classify", Picture("bag"), "--top", "0"}, 2, "--top");
  ExpectRefusal({"classify", Picture("bag"), "--maps", "x.txt"}, 2, "--maps");
  ExpectRefusal({"classify", Picture("bag"), "--confusion", "x.png"}, 2,
                "--confusion");
  ExpectRefusal({"classify", Path("none.png")}, 1, "none.png");
  ExpectRefusal({"classify", Picture("bag"), "--model", Path("none")}, 1,
                "none");
  ExpectRefusal({"classify", "--evaluate", Path("none")}, 1, "none");
  ExpectRefusal(
      {"data", "fashion", "--package", Path("none"), "--out", Path("out")}, 1,
      "dataset-fashion-mnist");
  ExpectRefusal(
      {"train", "classifier", "--data", Path("none"), "--out", Path("run")}, 1,
      "none");
  ExpectRefusal({"train", "classifier", "--data", Path("none"), "--out",
                 Path("run"), "--width", "50"},
                2, "--heads");
}

// A run of a few steps on small pictures, and what it leaves.
TEST_F(Classify, TrainsAndMeasuresWhatItTrained) {
  for (const std::string name : {"dark", "light"}) {
    fs::create_directories(Path("set/" + name));
    for (int i = 0; i < 6; ++i) {
      const int grey = (name == "dark" ? 20 : 200) + 5 * i;
      WritePng(Path("set/" + name + "/" + std::to_string(i) + ".png"),
               {8, 8, 1, std::vector<uint8_t>(64, grey)});
    }
  }
  const Result trained =
      Keylens({"train",    "classifier", "--data",         Path("set"),
               "--out",    Path("run"),  "--steps",        "30",
               "--batch",  "8",          "--image-size",   "8",
               "--width",  "8",          "--heads",        "2",
               "--layers", "1",          "--feed-forward", "8",
               "--warmup", "2",          "--lr",           "0.02",
               "--erase",  "0"});
  ASSERT_EQ(trained.status, 0) << trained.err;
  EXPECT_EQ(trained.out, Path("run") + "/model\n");
  const Result measured =
      Keylens({"classify", "--evaluate", Path("set"), "--model",
               Path("run/model"), "--json", "--confusion", Path("c.png")});
  ASSERT_EQ(measured.status, 0) << measured.err;
  const auto json = nlohmann::json::parse(measured.out);
  EXPECT_EQ(json.at("pictures"), 12);
  EXPECT_EQ(json.at("accuracy"), 1.0);
  EXPECT_GT(ReadImage(Path("c.png")).width, 100);
  const Result text = Keylens(
      {"classify", "--evaluate", Path("set"), "--model", Path("run/model")});
  EXPECT_THAT(text.out, HasSubstr("100.00 % of 12 pictures right"));
}

}  // namespace
}  // namespace keylens
