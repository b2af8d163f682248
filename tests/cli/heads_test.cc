// `keylens heads` refuses what is no model of ours.

#include <gtest/gtest.h>

#include "src/base/file.h"
#include "tests/cli/command_line.h"

namespace keylens {
namespace {

using HeadsCommand = CommandLine;

TEST_F(HeadsCommand, NeedsAModelOfOurs) {
  ExpectRefusal({"heads", "--model", Path("none"), "--data", Path("q.npy")}, 1,
                "none: no such model folder");
  MakeFolder(Path("model"));
  WriteFileAtomically(Path("model/config.json"), R"({"_class_name": "Other"})");
  ExpectRefusal({"heads", "--model", Path("model"), "--data", Path("q.npy")}, 1,
                "model: a model of the kind 'Other'");
}

}  // namespace
}  // namespace keylens
