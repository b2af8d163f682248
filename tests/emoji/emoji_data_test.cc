#include "systems/generator/emoji/emoji_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/image/image.h"

namespace keylens {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Property;

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (fs::temp_directory_path() / "emoji_XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw Error("no temporary folder");
    path_ = name;
  }
  ~TemporaryFolder() { fs::remove_all(path_); }
  fs::path operator/(const char* name) const { return path_ / name; }

 private:
  fs::path path_;
};

std::vector<nlohmann::json> ReadMetadata(const fs::path& folder) {
  std::istringstream text(ReadFile(folder / "metadata.jsonl"));
  std::vector<nlohmann::json> lines;
  for (std::string line; std::getline(text, line);) {
    lines.push_back(nlohmann::json::parse(line));
  }
  return lines;
}

std::string Lowercase(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return std::tolower(c); });
  return text;
}

// A copy of Unicode's files with few emoji, which draws in no time.
void WriteSmallUnicodeFolder(const fs::path& folder) {
  MakeFolder(folder / "emoji");
  WriteFileAtomically(folder / "emoji" / "emoji-test.txt",
                      "# group: Some\n# subgroup: few\n"
                      "2764 FE0F ; fully-qualified # ❤️ E0.6 red heart\n"
                      "1F49A ; fully-qualified # 💚 E0.6 green heart\n"
                      "1FFFD ; fully-qualified # x E99.0 not drawn yet\n"
                      "1F680 ; fully-qualified # 🚀 E0.6 rocket\n");
  for (const char* name : {"annotations", "annotationsDerived"}) {
    MakeFolder(folder / "cldr" / "common" / name);
    WriteFileAtomically(
        folder / "cldr" / "common" / name / "en.xml",
        "<ldml><annotation cp='❤'>heart | red heart</annotation>"
        "<annotation cp='❤' type='tts'>red heart</annotation></ldml>");
  }
}

TEST(EmojiDataTest, WritesTheWholeSet) {
  const TemporaryFolder temporary;
  const fs::path folder = temporary / "new" / "emoji";
  int last_done = 0, last_total = 0;
  const EmojiDataSummary summary =
      WriteEmojiData(folder, {}, [&](int done, int total) {
        EXPECT_EQ(done, last_done + 1);
        last_done = done;
        last_total = total;
      });
  EXPECT_EQ(last_done, last_total);
  EXPECT_GE(summary.train, 3400);
  EXPECT_GE(summary.held_out, 140);

  const std::vector<nlohmann::json> lines = ReadMetadata(folder);
  ASSERT_EQ(lines.size(), summary.train + summary.held_out);
  std::set<std::string> captions, names;
  std::map<std::string, int> splits;
  std::map<std::string, std::set<std::string>> splits_of_pixels;
  for (const nlohmann::json& line : lines) {
    const Image image = ReadImage(folder / line["file_name"]);
    EXPECT_EQ(image.width, 64);
    EXPECT_EQ(image.height, 64);
    EXPECT_EQ(image.channels, 4);
    captions.insert(Lowercase(line["text"]));
    names.insert(line["file_name"]);
    ++splits[line["split"]];
    EXPECT_EQ(line.contains("kind"), line["split"] == "held_out");
    auto& seen = splits_of_pixels[{image.pixels.begin(), image.pixels.end()}];
    EXPECT_TRUE(seen.empty() || line["split"] == "train")
        << line["text"] << " is held out, but drawn like another picture";
    seen.insert(line["split"]);
    EXPECT_EQ(seen.size(), 1) << line["text"];
  }
  EXPECT_EQ(captions.size(), lines.size()) << "two captions are the same";
  EXPECT_EQ(names.size(), lines.size());
  EXPECT_EQ(splits["train"], summary.train);
  EXPECT_EQ(splits["held_out"], summary.held_out);
}

TEST(EmojiDataTest, DescribesEachPicture) {
  const TemporaryFolder temporary;
  WriteSmallUnicodeFolder(temporary / "unicode");
  const EmojiDataSummary summary = WriteEmojiData(
      temporary / "out", {.unicode_folder = temporary / "unicode"});
  EXPECT_EQ(summary.train, 2);
  EXPECT_EQ(summary.held_out, 1);
  EXPECT_THAT(summary.not_drawn, testing::ElementsAre("not drawn yet"));
  EXPECT_EQ(
      ReadFile(temporary / "out" / "metadata.jsonl"),
      R"({"file_name":"2764-fe0f.png","text":"red heart","keywords":["heart"],"emoji":"❤️","group":"Some","split":"train"}
{"file_name":"1f49a.png","text":"green heart","keywords":[],"emoji":"💚","group":"Some","split":"held_out","kind":"colour and shape"}
{"file_name":"1f680.png","text":"rocket","keywords":[],"emoji":"🚀","group":"Some","split":"train"}
)");
}

TEST(EmojiDataTest, WritesTheSameBytesAgain) {
  const TemporaryFolder temporary;
  WriteSmallUnicodeFolder(temporary / "unicode");
  const EmojiDataOptions options{.unicode_folder = temporary / "unicode"};
  WriteEmojiData(temporary / "one", options);
  WriteEmojiData(temporary / "two", options);
  WriteEmojiData(temporary / "two", options);
  for (const char* name : {"metadata.jsonl", "2764-fe0f.png", "1f680.png"}) {
    EXPECT_EQ(ReadFile(temporary / "one" / name),
              ReadFile(temporary / "two" / name))
        << name;
  }
}

TEST(EmojiDataTest, AFailedRunLeavesNoDataSet) {
  const TemporaryFolder temporary;
  WriteSmallUnicodeFolder(temporary / "unicode");
  const EmojiDataOptions options{.unicode_folder = temporary / "unicode"};
  WriteEmojiData(temporary / "out", options);
  ASSERT_TRUE(fs::exists(temporary / "out" / "metadata.jsonl"));

  fs::remove(temporary / "out" / "1f680.png");
  MakeFolder(temporary / "out" / "1f680.png" / "in the way");
  EXPECT_THROW(WriteEmojiData(temporary / "out", options), Error);
  EXPECT_FALSE(fs::exists(temporary / "out" / "metadata.jsonl"));
}

TEST(EmojiDataTest, AnInterruptedRunLeavesNoDataSet) {
  const TemporaryFolder temporary;
  WriteSmallUnicodeFolder(temporary / "unicode");
  const EmojiDataOptions options{.unicode_folder = temporary / "unicode"};
  WriteEmojiData(temporary / "out", options);
  const auto interrupt = [](int done, int) {
    if (done == 2) throw Error("interrupted");
  };
  EXPECT_THROW(WriteEmojiData(temporary / "out", options, interrupt), Error);
  EXPECT_FALSE(fs::exists(temporary / "out" / "metadata.jsonl"));
}

TEST(EmojiDataTest, NamesThePackageOfAMissingFile) {
  const TemporaryFolder temporary;
  WriteSmallUnicodeFolder(temporary / "unicode");
  const EmojiDataOptions options{.unicode_folder = temporary / "unicode"};
  fs::remove_all(temporary / "unicode" / "cldr");
  EXPECT_THAT([&] { WriteEmojiData(temporary / "out", options); },
              testing::Throws<Error>(
                  Property(&Error::what, HasSubstr("unicode-cldr-core"))));
  fs::remove_all(temporary / "unicode" / "emoji");
  EXPECT_THAT([&] { WriteEmojiData(temporary / "out", options); },
              testing::Throws<Error>(
                  Property(&Error::what, HasSubstr("package unicode-data"))));
  EXPECT_FALSE(fs::exists(temporary / "out"));
}

}  // namespace
}  // namespace keylens
