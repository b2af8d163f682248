// `keylens train` as a person meets it: a run that is stopped and gone on with,
// options that cannot be, folders that cannot be used.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "src/checkpoint/safetensors.h"
#include "src/image/image.h"
#include "tests/cli/command_line.h"

namespace keylens {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;
using Arguments = std::vector<std::string>;

class TrainCommand : public CommandLine {
 protected:
  void SetUp() override {
    CommandLine::SetUp();
    for (int i = 0; i < 8; ++i) {
      WritePicture("light", i, static_cast<uint8_t>(180 + 9 * i));
      WritePicture("dark", i, static_cast<uint8_t>(9 * i));
    }
  }

  void WritePicture(const std::string& label, int number, uint8_t value) {
    fs::create_directories(Path("data/" + label));
    WritePng(Path("data/" + label + "/" + std::to_string(number) + ".png"),
             {8, 8, 1, std::vector<uint8_t>(64, value)});
  }

  // A small run with hardly an option at its default.
  Arguments Train(const std::string& run, const Arguments& more) const {
    Arguments all = {"train",
                     "classifier",
                     "--data",
                     Path("data"),
                     "--out",
                     Path(run),
                     "--image-size",
                     "8",
                     "--patch-size",
                     "4",
                     "--width",
                     "8",
                     "--heads",
                     "2",
                     "--layers",
                     "1",
                     "--batch",
                     "6",
                     "--lr",
                     "5e-3",
                     "--warmup",
                     "2",
                     "--decay",
                     "0",
                     "--average",
                     "0.9",
                     "--shift",
                     "1",
                     "--erase",
                     "0.5",
                     "--seed",
                     "7",
                     "--threads",
                     "2",
                     "--label-smoothing",
                     "0.2"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }

  Arguments Resume(const std::string& run, const Arguments& more) const {
    Arguments all = {"train", "classifier", "--out", Path(run), "--resume"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }

  std::string WeightsOf(const std::string& run) const {
    const Safetensors file =
        Safetensors::Read(Path(run + "/checkpoint.safetensors"));
    std::string bytes;
    for (const NamedTensor& tensor : file.tensors()) {
      bytes += tensor.name;
      bytes.append(reinterpret_cast<const char*>(tensor.bytes.data()),
                   tensor.bytes.size());
    }
    return bytes;
  }

  void ExpectUsageError(const Arguments& arguments, const std::string& part) {
    const Result result = Keylens(arguments);
    EXPECT_EQ(result.status, 2) << result.err;
    EXPECT_THAT(result.err, HasSubstr(part));
  }
};

TEST_F(TrainCommand, ResumeAloneGoesOnWithAllThatTheRunWasTold) {
  ASSERT_EQ(Keylens(Train("whole", {"--steps", "6"})).status, 0);
  ASSERT_EQ(Keylens(Train("parts", {"--steps", "3"})).status, 0);
  const Result rest = Keylens(Resume("parts", {"--steps", "6"}));
  ASSERT_EQ(rest.status, 0) << rest.err;
  EXPECT_EQ(WeightsOf("parts"), WeightsOf("whole"));
  const auto run = nlohmann::json::parse(Contents(Path("parts/run.json")));
  EXPECT_EQ(run.at("system"), "classifier");
  const auto& options = run.at("options");
  EXPECT_EQ(options.at("seed"), (Arguments{"7"}));
  EXPECT_EQ(options.at("lr"), (Arguments{"5e-3"}));
  EXPECT_EQ(options.at("steps"), (Arguments{"6"}));
  EXPECT_EQ(options.at("data"), (Arguments{Path("data")}));
}

TEST_F(TrainCommand, WhatMayChangeIsTakenAndKept) {
  ASSERT_EQ(Keylens(Train("run", {"--steps", "2"})).status, 0);
  ASSERT_EQ(Keylens(Resume("run", {"--hours", "1e-9", "--lr", "0.1"})).status,
            0);
  const auto options =
      nlohmann::json::parse(Contents(Path("run/run.json"))).at("options");
  EXPECT_EQ(options.at("lr"), (Arguments{"0.1"}));
  EXPECT_EQ(options.at("hours"), (Arguments{"1e-9"}));
  EXPECT_FALSE(options.contains("steps"));  // the one gave way to the other
}

TEST_F(TrainCommand, WhatCannotChangeIsRefusedByName) {
  ASSERT_EQ(Keylens(Train("run", {"--steps", "2"})).status, 0);
  const std::vector<Arguments> changes = {
      {"--image-size", "16"},  {"--patch-size", "2"}, {"--width", "12"},
      {"--heads", "1"},        {"--layers", "2"},     {"--seed", "8"},
      {"--feed-forward", "9"}, {"--held-out", "1"}};
  for (const Arguments& change : changes) {
    Arguments call = Resume("run", {"--steps", "3"});
    call.insert(call.end(), change.begin(), change.end());
    ExpectUsageError(call, change[0] + " " + change[1] + ": the run in");
  }
  const Result same =
      Keylens(Resume("run", {"--steps", "3", "--heads", "2", "--seed", "7"}));
  EXPECT_EQ(same.status, 0) << same.err;
}

// A run of before run.json: its seed, batch and sizes are known all the same.
TEST_F(TrainCommand, ARunWithoutItsFileGoesOnWithWhatIsKnownOfIt) {
  ASSERT_EQ(Keylens(Train("run", {"--steps", "2"})).status, 0);
  fs::remove(Path("run/run.json"));
  ExpectUsageError(Resume("run", {"--steps", "3"}), "--data is required");
  const Arguments more = {"--steps", "3", "--data", Path("data")};
  Arguments other = Resume("run", more);
  other.insert(other.end(), {"--heads", "1"});
  ExpectUsageError(other, "--heads 1: the run in");
  const Result result = Keylens(Resume("run", more));
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("has no run.json"));
  const auto options =
      nlohmann::json::parse(Contents(Path("run/run.json"))).at("options");
  EXPECT_EQ(options.at("seed"), (Arguments{"7"}));
  EXPECT_EQ(options.at("batch"), (Arguments{"6"}));
}

TEST_F(TrainCommand, ARunOfAnotherSystemIsRefused) {
  ASSERT_EQ(Keylens(Train("run", {"--steps", "1"})).status, 0);
  const Result result =
      Keylens({"train", "generator", "--out", Path("run"), "--resume"});
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.err, HasSubstr("keylens train classifier"));
}

TEST_F(TrainCommand, NothingLeftToDoIsSaidWithTheRemedy) {
  ASSERT_EQ(Keylens(Train("run", {"--steps", "3"})).status, 0);
  for (const Arguments& more :
       {Arguments{}, Arguments{"--steps", "2"}, Arguments{"--hours", "1e-9"}}) {
    const Result result = Keylens(Resume("run", more));
    EXPECT_EQ(result.status, 0);
    EXPECT_THAT(result.err, HasSubstr("nothing left to do"));
    EXPECT_THAT(result.err, HasSubstr("counts from its beginning"));
    EXPECT_THAT(result.err, Not(HasSubstr("loss")));
  }
}

TEST_F(TrainCommand, NumbersThatAreNoneAreRefused) {
  const Arguments common = {"--lr",
                            "--decay",
                            "--average",
                            "--hours",
                            "--checkpoint-seconds",
                            "--sample-seconds"};
  const std::vector<std::pair<std::string, Arguments>> systems = {
      {"classifier", {"--flip", "--erase", "--label-smoothing"}},
      {"generator", {"--time-shift", "--time-spread"}},
      {"translator",
       {"--dropout", "--label-smoothing", "--subword-sharpness",
        "--substitute"}}};
  for (const auto& [system, own] : systems) {
    Arguments options = common;
    options.insert(options.end(), own.begin(), own.end());
    for (const std::string& option : options) {
      ExpectUsageError({"train", system, "--data", Path("data"), "--out",
                        Path("run"), option + "=nan"},
                       option);
    }
  }
  for (const std::string value : {"-nan", "inf", "-inf"})
    ExpectUsageError(Train("run", {"--lr=" + value}), "--lr");
  for (const std::string option : {"--lr", "--hours", "--steps", "--batch",
                                   "--warmup", "--threads", "--seed"}) {
    ExpectUsageError(Train("run", {option + "=-1"}), option);
  }
  EXPECT_FALSE(fs::exists(Path("run")));
}

TEST_F(TrainCommand, ARunWithinItsDataIsRefused) {
  fs::create_directory_symlink(Path("data"), Path("link"));
  for (const std::string system : {"classifier", "generator", "translator"}) {
    for (const std::string out :
         {"data", "data/", "data/run", "link/run", "data/light/../run"}) {
      ExpectRefusal({"train", system, "--data", Path("data"), "--out",
                     Path(out), "--steps", "1"},
                    1, "lies within --data");
    }
  }
}

TEST_F(TrainCommand, ADataSetDoesNotReplaceWhatItIsMadeOf) {
  std::ofstream(Path("train.tsv")) << "Good.\tGut.\n";
  for (const std::string out : {"", "data/.."}) {
    ExpectRefusal({"data", "german-english", "--out", Path(out), "--tsv",
                   Path("train.tsv")},
                  2, "--out");
  }
  for (const std::string out : {"data", "data/new", "data/light/.."}) {
    ExpectRefusal(
        {"data", "fashion", "--package", Path("data"), "--out", Path(out)}, 2,
        "lies within --package");
  }
}

// Each of the signals writes a checkpoint, and says how to go on.
TEST_F(TrainCommand, SignalsEndARunAsTheyShould) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    const std::string run = "run" + std::to_string(signal);
    std::thread sender([&] {
      while (!fs::exists(Path(run + "/metrics.jsonl")))
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      kill(child(), signal);
    });
    const Result result = Keylens(Train(run, {}));
    sender.join();
    EXPECT_EQ(result.status, 0) << signal << ' ' << result.err;
    EXPECT_THAT(result.err, HasSubstr("go on by: keylens train classifier "
                                      "--out " +
                                      Path(run) + " --resume\n"));
    EXPECT_TRUE(fs::exists(Path(run + "/checkpoint.safetensors")));
  }
}

TEST_F(TrainCommand, ADivergedRunKeepsItsModelAndGoesOn) {
  ASSERT_EQ(Keylens(Train("run", {"--steps", "20"})).status, 0);
  const std::string weights = WeightsOf("run");
  const std::string model = Contents(Path("run/model/model.safetensors"));
  const Result wild = Keylens(Resume("run", {"--steps", "1000", "--lr", "1e6",
                                             "--checkpoint-seconds", "1e-3"}));
  EXPECT_EQ(wild.status, 1);
  EXPECT_THAT(wild.err, HasSubstr("step 20 is kept"));
  EXPECT_EQ(WeightsOf("run"), weights);
  EXPECT_EQ(Contents(Path("run/model/model.safetensors")), model);
  const Result tame = Keylens(Resume("run", {"--steps", "25", "--lr", "1e-4"}));
  EXPECT_EQ(tame.status, 0) << tame.err;
}

}  // namespace
}  // namespace keylens
