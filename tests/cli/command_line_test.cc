// The program as a person meets it: what it prints, where, its exit status, and
// what is left on the disk.

#include "tests/cli/command_line.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "src/image/image.h"

namespace keylens {
namespace {

TEST_F(CommandLine, HelpAndVersionGoToStandardOutput) {
  for (const std::string verb :
       {"generate", "train", "evaluate", "data", "bench"}) {
    const Result help = Keylens({verb, "--help"});
    EXPECT_EQ(help.status, 0);
    EXPECT_NE(help.out.find("Usage: keylens " + verb), std::string::npos)
        << help.out;
    EXPECT_EQ(help.err, "");
  }
  const Result version = Keylens({"--version"});
  EXPECT_EQ(version.status, 0);
  EXPECT_EQ(version.out.rfind("keylens ", 0), 0u);
}

// Whichever program runs them.
TEST_F(CommandLine, HelpListsEveryVerb) {
  const Result help = Keylens({"--help"});
  for (const std::string verb :
       {"generate", "translate", "classify", "heads", "inspect", "models",
        "train", "evaluate", "data", "bench"}) {
    EXPECT_NE(help.out.find("\n  " + verb), std::string::npos) << verb;
    EXPECT_NE(Keylens({verb, "--help"}).out.find("Usage: keylens " + verb),
              std::string::npos)
        << verb;
  }
  const Result evaluate = Keylens({"evaluate", "--help"});
  for (const std::string system : {"generator", "translator"}) {
    EXPECT_NE(evaluate.out.find("\n  " + system), std::string::npos);
    const Result subject = Keylens({"evaluate", system, "--help"});
    EXPECT_NE(subject.out.find("Usage: keylens evaluate " + system),
              std::string::npos)
        << subject.out;
  }
}

// A program that is not installed is missed by name.
TEST_F(CommandLine, SaysWhichProgramIsMissing) {
  std::filesystem::copy_file(KEYLENS_PROGRAM, Path("keylens"));
  const Result result = Run(Path("keylens"), {"generate", "x"});
  EXPECT_EQ(result.status, 1);
  EXPECT_NE(result.err.find("keylens-generate is neither beside"),
            std::string::npos)
      << result.err;
  EXPECT_EQ(Run(Path("keylens"), {"bench", "--help"}).status, 0);
}

TEST_F(CommandLine, WrongUsageIsOneLineAndStatus2) {
  const std::string out = Path("x.png");
  ExpectRefusal({}, 2, "subcommand");
  ExpectRefusal({"paint"}, 2, "paint");
  ExpectRefusal({"generate"}, 2, "prompt");
  ExpectRefusal({"generate", "x", "-o", out, "--steps", "0"}, 2, "--steps");
  ExpectRefusal({"generate", "x", "-o", out, "--steps", "-3"}, 2, "--steps");
  ExpectRefusal({"generate", "x", "-o", out, "--count", "0"}, 2, "--count");
  ExpectRefusal({"generate", "x", "-o", out, "--seed", "-1"}, 2, "--seed");
  ExpectRefusal({"generate", "x", "-o", out, "--size", "0"}, 2, "size");
  ExpectRefusal({"generate", "x", "-o", out, "--size", "63"}, 2, "63");
  ExpectRefusal({"generate", "x", "-o", Path("x.jpg")}, 2, ".png");
  ExpectRefusal({"generate", "x", "-o", Path(".png")}, 2, "a name before");
  ExpectRefusal({"generate", "x", "-o", out, "--scheduler", "ddpm"}, 2,
                "velocity, flow, ddim, euler");
  ExpectRefusal({"generate", "x", "-o", out, "--scheduler", "flow"}, 2, "flow");
  ExpectRefusal({"generate", "x", "-o", out, "--size", "1048576"}, 2, "memory");
  ExpectRefusal({"generate", "x", "-o", out, "--guidance", "nan"}, 2,
                "finite number, not nan");
  ExpectRefusal({"generate", "x", "-o", out, "--from", "klingon"}, 2, "--from");
  ExpectRefusal({"generate", "x", "-o", out, "--maps=x.txt"}, 2, ".html");
  ExpectRefusal({"translate", "x", "--beam", "0"}, 2, "--beam");
  ExpectRefusal({"translate", "x", "--nbest", "2", "--alignment"}, 2, "--json");
  ExpectRefusal({"translate", "x", "--maps", "x.txt"}, 2, ".svg");
  ExpectRefusal({"evaluate", "translator"}, 2, "--source");
  ExpectRefusal({"evaluate", "translator", "--source", "x"}, 2, "--reference");
  ExpectRefusal({"train", "generator", "--data", Path(""), "--out", Path("run"),
                 "--hours", "-1"},
                2, "--hours");
}

// CLI11 would take the largest number there is for it.
TEST_F(CommandLine, SeedsThatAreNoSeedAreRefusedByEveryVerb) {
  for (const std::string seed : {"18446744073709551616", "99999999999999999999",
                                 "-1", "1e3", "1.5", "0x10000000000000000"}) {
    ExpectRefusal({"generate", "x", "-o", Path("x.png"), "--seed", seed}, 2,
                  "--seed");
    ExpectRefusal({"evaluate", "generator", "--data", Path(""), "--seed", seed},
                  2, "--seed");
    for (const std::string system : {"generator", "translator", "classifier"})
      ExpectRefusal({"train", system, "--data", Path(""), "--out", Path("run"),
                     "--seed", seed},
                    2, "--seed");
  }
}

TEST_F(CommandLine, TheLargestSeedIsTaken) {
  const Result result =
      Keylens({"generate", "red heart", "-o", Path("x.png"), "--steps", "1",
               "--seed", "18446744073709551615", "--json"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_NE(result.out.find("18446744073709551615"), std::string::npos);
}

TEST_F(CommandLine, AnOutputReplacesNeitherAnotherNorTheModel) {
  const std::string heart = Path("h.png");
  const auto refused = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"generate", "red heart", "--steps", "1"});
    ExpectRefusal(more, 2, "another name");
  };
  refused({"-o", heart, "--maps=" + heart});
  refused({"-o", heart, "--maps", heart});
  refused({"-o", heart, "--maps", Path("./h.png")});
  refused({"-o", heart, "--maps", heart, "--count", "3"});
  std::filesystem::create_symlink(Path(""), Path("link"));
  refused({"-o", heart, "--maps", Path("link/h.png")});
  const std::filesystem::path model = Path("model");
  std::filesystem::copy(
      std::filesystem::path(KEYLENS_SOURCE_DIR) / "models/emoji", model,
      std::filesystem::copy_options::recursive);
  refused(
      {"-o", heart, "--model", model, "--maps", model / "unet/config.json"});
}

TEST_F(CommandLine, MapsTakeAFileOrStandAlone) {
  const auto draw = [&](std::vector<std::string> more) {
    more.insert(more.begin(),
                {"generate", "--steps", "1", "-o", Path("h.png")});
    const Result result = Keylens(more);
    EXPECT_EQ(result.status, 0) << result.err;
    const auto names = Names();
    for (const std::string& name : names) std::filesystem::remove(Path(name));
    return names;
  };
  using Files = std::vector<std::string>;
  const Files beside = {"h.maps.png", "h.png"}, named = {"h.png", "m.html"};
  EXPECT_EQ(draw({"red heart", "--maps", Path("m.html")}), named);
  EXPECT_EQ(draw({"red heart", "--maps=" + Path("m.html")}), named);
  EXPECT_EQ(draw({"--maps", Path("m.html"), "red heart"}), named);
  EXPECT_EQ(draw({"red heart", "--maps"}), beside);
  EXPECT_EQ(draw({"--maps", "red heart"}), beside);
  EXPECT_EQ(draw({"red heart"}), Files{"h.png"});
}

TEST_F(CommandLine, APicturesNameMayEndInCapitals) {
  EXPECT_EQ(
      Keylens({"generate", "x", "--steps", "1", "-o", Path("a.PNG")}).status,
      0);
  EXPECT_EQ(ReadImage(Path("a.PNG")).width, 64);
}

TEST_F(CommandLine, OneNoteNamesWhatThePromptHasThatTheModelDoesNotKnow) {
  const auto note = [&](const std::string& prompt) {
    const Result result =
        Keylens({"generate", prompt, "--steps", "1", "-o", Path("x.png")});
    EXPECT_EQ(result.status, 0);
    EXPECT_LT(result.err.size(), 1000u);
    return result.err;
  };
  for (const std::string prompt :
       {"\u2764\uFE0F", "\u8D64\u3044\u30CF\u30FC\u30C8", "vrrtl wgrkkx"}) {
    const std::string err = note(prompt);
    EXPECT_EQ(std::count(err.begin(), err.end(), '\n'), 1) << err;
    EXPECT_NE(err.find(prompt.substr(0, 5)), std::string::npos) << err;
  }
  const std::string weighted = note("(red:1.3) heart");
  EXPECT_NE(weighted.find("\"(red:1.3)\""), std::string::npos) << weighted;
  EXPECT_NE(weighted.find("weights"), std::string::npos);
  EXPECT_EQ(weighted.find("\"heart\""), std::string::npos);
  note(std::string(100'000, 'a'));
  for (const std::string known :
       {"red heart", "woman firefighter, dark skin tone", "OK hand",
        "flag: United Kingdom", "clock face", "A yellow star!"})
    EXPECT_EQ(note(known), "") << known;
}

// Ctrl-C keeps what is finished, and says so.
TEST_F(CommandLine, AnInterruptedDrawingKeepsWhatIsDone) {
  // Whoever ran this in the background of a script had it ignored.
  std::signal(SIGINT, SIG_DFL);
  const std::jthread interrupts([&] {
    while (!std::filesystem::exists(Path("h-3.png"))) usleep(10'000);
    kill(child(), SIGINT);
  });
  const Result result = Keylens({"generate", "red heart", "--steps", "1",
                                 "--count", "100000", "-o", Path("h.png")});
  EXPECT_EQ(result.status, 130);
  EXPECT_NE(result.err.find("stopped; "), std::string::npos) << result.err;
  const auto names = Names();
  EXPECT_GE(names.size(), 3u);
  EXPECT_LT(names.size(), 100'000u);
  EXPECT_NE(result.err.find("stopped; " + std::to_string(names.size()) +
                            " of 100000"),
            std::string::npos)
      << result.err;
  for (const std::string& name : names)
    EXPECT_EQ(ReadImage(Path(name)).width, 64);  // whole, each of them
}

TEST_F(CommandLine, FailureIsOneLineThatNamesTheFileAndStatus1) {
  const std::string out = Path("x.png");
  ExpectRefusal({"generate", "x", "-o", out, "--model", Path("none")}, 1,
                "none");
  ExpectRefusal({"generate", "x", "-o", Path("none/x.png")}, 1, "none");
  ExpectRefusal(
      {"train", "generator", "--data", Path("none"), "--out", Path("run")}, 1,
      "none");
  ExpectRefusal({"evaluate", "generator", "--data", Path("none")}, 1, "none");
  ExpectRefusal({"translate", "x", "--model", Path("none")}, 1, "none");
  std::ofstream(Path("file")) << "not a folder";
  ExpectRefusal({"data", "emoji", "--out", Path("file")}, 1, "file");
}

TEST_F(CommandLine, DrawsThePictureItNames) {
  const std::string out = Path("heart.png");
  const Result result = Keylens({"generate", "red heart", "-o", out, "--seed",
                                 "7", "--steps", "2", "--negative", "blue"});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.out, out + "\n");
  const Image picture = ReadImage(out);
  EXPECT_EQ(picture.width, 64);
  EXPECT_EQ(picture.height, 64);
  const PngText text = ReadPngText(out);
  ASSERT_EQ(text.size(), 1u);
  EXPECT_EQ(text[0].first, "parameters");
  EXPECT_EQ(text[0].second.rfind("red heart\nNegative prompt: blue\n"
                                 "Steps: 2, CFG scale: ",
                                 0),
            0u)
      << text[0].second;
  EXPECT_NE(text[0].second.find("Seed: 7, Size: 64x64, Model: emoji"),
            std::string::npos);
}

TEST_F(CommandLine, ASeedDrawsTheSamePictureInAnyCompany) {
  const std::vector<std::string> common = {"generate", "cat", "--steps", "2"};
  auto alone = common, several = common;
  alone.insert(alone.end(), {"--seed", "4", "-o", Path("alone.png")});
  several.insert(several.end(),
                 {"--seed", "3", "--count", "3", "-o", Path("of.png")});
  ASSERT_EQ(Keylens(alone).status, 0);
  ASSERT_EQ(Keylens(several).status, 0);
  EXPECT_EQ(Names(), (std::vector<std::string>{"alone.png", "of-1.png",
                                               "of-2.png", "of-3.png"}));
  EXPECT_EQ(Contents(Path("alone.png")), Contents(Path("of-2.png")));
  EXPECT_NE(Contents(Path("alone.png")), Contents(Path("of-1.png")));
}

}  // namespace
}  // namespace keylens
