// keylens inspect and keylens heads as a person meets them.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "src/base/file.h"
#include "src/checkpoint/npy.h"
#include "tests/cli/command_line.h"

namespace keylens {
namespace {

class InspectCommand : public CommandLine {
 protected:
  void SetUp() override {
    CommandLine::SetUp();
    Save("q.npy", {2, 4, 9, 8}, 1);
    Save("k.npy", {2, 2, 9, 8}, 2);
    WriteFileAtomically(Path("words.txt"), "a\nb\nc\nd\ne\nf\ng\nh\ni\n");
  }

  void Save(const std::string& name, const std::vector<int64_t>& shape,
            uint64_t seed) const {
    std::mt19937_64 random(seed);
    std::normal_distribution<float> normal;
    int64_t count = 1;
    for (const int64_t size : shape) count *= size;
    std::vector<float> numbers(static_cast<std::size_t>(count));
    for (float& number : numbers) number = normal(random);
    WriteNpy(Path(name), shape, numbers);
  }

  // The arrays and further arguments.
  std::vector<std::string> Arguments(
      const std::vector<std::string>& further) const {
    std::vector<std::string> arguments = {"inspect", "--query", Path("q.npy"),
                                          "--key", Path("k.npy")};
    arguments.insert(arguments.end(), further.begin(), further.end());
    return arguments;
  }
};

TEST_F(InspectCommand, ATableForEachBatchEntry) {
  const Result result = Keylens(
      Arguments({"--causal", "--labels", Path("words.txt"), "--queries", "8"}));
  ASSERT_EQ(result.status, 0) << result.err;
  for (const char* part :
       {"float32 [2, 4, 9, 8]", "mask causal", "batch entry 0", "batch entry 1",
        "head  kind", "distance", "query 8 'i'", "  head 4 "})
    EXPECT_NE(result.out.find(part), std::string::npos) << part;
}

TEST_F(InspectCommand, JsonIsOneObject) {
  const Result result =
      Keylens(Arguments({"--json", "--queries", "0,7-8", "--top", "2",
                         "--batch-item", "1", "--cross"}));
  ASSERT_EQ(result.status, 0) << result.err;
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json["kv_heads"], 2);
  EXPECT_EQ(json["self_attention"], false);
  ASSERT_EQ(json["entries"].size(), 1u);
  const auto& entry = json["entries"][0];
  EXPECT_EQ(entry["entry"], 1);
  ASSERT_EQ(entry["heads"].size(), 4u);
  EXPECT_FALSE(entry["heads"][0].contains("mean_distance"));
  EXPECT_EQ(entry["heads"][3]["heaviest_keys"].size(), 2u);
  ASSERT_EQ(entry["queries"].size(), 3u);
  EXPECT_EQ(entry["queries"][2]["query"], 8);
  EXPECT_EQ(entry["queries"][2]["heads"][1]["keys"].size(), 2u);
}

TEST_F(InspectCommand, MapsInEveryFormat) {
  for (const char* name : {"m.png", "m.svg", "m.html", "m.json"}) {
    const Result result = Keylens(Arguments({"--maps", Path(name)}));
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_GT(Contents(Path(name)).size(), 1000u) << name;
  }
  const auto json = nlohmann::json::parse(Contents(Path("m.json")));
  EXPECT_EQ(json["panels"].size(), 2u);
  EXPECT_EQ(json["panels"][1]["name"], "batch entry 1");
}

TEST_F(InspectCommand, RefusalsNameWhatIsWrong) {
  ExpectRefusal({"inspect", "--query", Path("q.npy"), "--key", Path("no.npy")},
                1, "no.npy: no such file");
  ExpectRefusal(Arguments({"--mask", Path("q.npy")}), 1,
                "q.npy: float32 [2, 4, 9, 8], where booleans are needed");
  ExpectRefusal(Arguments({"--causal", "--mask", Path("q.npy")}), 2, "--mask");
  ExpectRefusal(Arguments({"--causal", "--cross"}), 2, "--causal");
  WriteFileAtomically(Path("short.txt"), "a\nb\n");
  ExpectRefusal(Arguments({"--key-labels", Path("short.txt")}), 1,
                "short.txt: 2 labels for 9 keys");
  ExpectRefusal(Arguments({"--cross", "--labels", Path("words.txt")}), 2,
                "--query-labels");
  ExpectRefusal(Arguments({"--queries", "9"}), 2, "--queries: 9 of 9");
  ExpectRefusal(Arguments({"--queries", "1,x"}), 2, "'x' is no number");
  ExpectRefusal(Arguments({"--batch-item", "2"}), 2, "there are 2");
  ExpectRefusal(Arguments({"--maps", "m.gif"}), 2, "--maps: m.gif");
  ExpectRefusal(Arguments({"--groups", Path("q.npy")}), 2, "--maps");
  Save("wide.npy", {4, 9, 7}, 3);
  ExpectRefusal(
      {"inspect", "--query", Path("q.npy"), "--key", Path("wide.npy")}, 1,
      "differ in dim");
}

TEST_F(InspectCommand, LabelsMayComeFromAnotherSystem) {
  WriteFileAtomically(Path("dos.txt"),
                      "\xEF\xBB\xBF"
                      "a\r\nb\r\nc\r\nd\r\ne\r\nf\r\ng\r\nh\r\ni");
  const Result result = Keylens(
      Arguments({"--labels", Path("dos.txt"), "--json", "--queries", "0,8"}));
  ASSERT_EQ(result.status, 0) << result.err;
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json["entries"][0]["queries"][0]["label"], "a");
  EXPECT_EQ(json["entries"][0]["queries"][1]["label"], "i");
}

TEST_F(InspectCommand, NumbersAreInTheirRange) {
  ExpectRefusal(Arguments({"--queries", "8-7"}), 2, "'8-7' runs backwards");
  ExpectRefusal(Arguments({"--batch-item", "-1"}), 2, "0 or more");
  ExpectRefusal(Arguments({"--batch-item", "99999999999999999999"}), 2,
                "--batch-item");
  ExpectRefusal(Arguments({"--top", "0"}), 2, "1 to 1024");
  for (const char* scale : {"nan", "inf", "-inf", "1e99", "x"})
    ExpectRefusal(Arguments({"--scale", scale}), 2, "--scale");
  const Result help = Keylens({"inspect", "--help"});
  EXPECT_EQ(help.out.find("00000000"), std::string::npos) << help.out;
}

TEST_F(InspectCommand, NothingThatIsReadIsReplaced) {
  const std::string bytes = Contents(Path("q.npy"));
  ExpectRefusal(Arguments({"--maps", Path("q.npy")}), 2, "would replace");
  ExpectRefusal(Arguments({"--maps", Path("../") +
                                         std::filesystem::path(Path(""))
                                             .parent_path()
                                             .filename()
                                             .string() +
                                         "/k.npy"}),
                2, "--maps");
  ExpectRefusal(Arguments({"--maps", Path("no/m.png")}), 1, "no such folder");
  // Several entries of a batch are a file each.
  std::filesystem::copy(Path("k.npy"), Path("m.batch-entry-1.npy"));
  ExpectRefusal({"inspect", "--query", Path("q.npy"), "--key",
                 Path("m.batch-entry-1.npy"), "--maps", Path("m.npy")},
                2, "m.batch-entry-1.npy");
  EXPECT_EQ(Contents(Path("q.npy")), bytes);
  WriteFileAtomically(Path("l.json"), "a\nb\nc\nd\ne\nf\ng\nh\ni\n");
  ExpectRefusal(
      Arguments({"--labels", Path("l.json"), "--maps", Path("l.json")}), 2,
      "would replace");
}

}  // namespace
}  // namespace keylens
