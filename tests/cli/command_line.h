#ifndef KEYLENS_TESTS_CLI_COMMAND_LINE_H_
#define KEYLENS_TESTS_CLI_COMMAND_LINE_H_

#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "src/base/file.h"
#include "tests/temporary_path.h"

extern char** environ;

namespace keylens {

struct Result {
  int status = -1;  // exit status; -1 where a signal ended the program
  std::string out, err;
};

inline std::string Contents(const std::filesystem::path& path) {
  return std::filesystem::exists(path) ? ReadFile(path, 1 << 24) : "";
}

// A folder that the test starts with and may leave files in.
class CommandLine : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = TemporaryPath("folder");
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string Path(const std::string& name) const { return folder_ / name; }

  Result Keylens(std::vector<std::string> arguments) const {
    return Run(KEYLENS_PROGRAM, std::move(arguments));
  }

  Result Run(const std::string& program,
             std::vector<std::string> arguments) const {
    const std::filesystem::path out = TemporaryPath("out"),
                                err = TemporaryPath("err");
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    const int flags = O_WRONLY | O_CREAT | O_TRUNC;
    posix_spawn_file_actions_addopen(&files, 1, out.c_str(), flags, 0600);
    posix_spawn_file_actions_addopen(&files, 2, err.c_str(), flags, 0600);
    arguments.insert(arguments.begin(), program);
    std::vector<char*> argv;
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    pid_t child = 0;
    EXPECT_EQ(posix_spawn(&child, program.c_str(), &files, nullptr, argv.data(),
                          environ),
              0);
    child_ = child;
    posix_spawn_file_actions_destroy(&files);
    int status = 0;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    const Result result = {WIFEXITED(status) ? WEXITSTATUS(status) : -1,
                           Contents(out), Contents(err)};
    std::filesystem::remove(out);
    std::filesystem::remove(err);
    return result;
  }

  // The program that runs, or ran last: for another thread to send signals to.
  pid_t child() const { return child_; }

  // Expects one line on standard error that has `part` in it, nothing on
  // standard output, and nothing in the folder but what was there.
  void ExpectRefusal(const std::vector<std::string>& arguments, int status,
                     const std::string& part) const {
    const auto before = Names();
    const Result result = Keylens(arguments);
    EXPECT_EQ(result.status, status) << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1)
        << result.err;
    EXPECT_NE(result.err.find(part), std::string::npos) << result.err;
    EXPECT_EQ(Names(), before);
  }

  std::vector<std::string> Names() const {
    std::vector<std::string> names;
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(folder_)) {
      names.push_back(entry.path().filename());
    }
    std::sort(names.begin(), names.end());
    return names;
  }

 private:
  std::filesystem::path folder_;
  mutable std::atomic<pid_t> child_ = 0;
};

}  // namespace keylens

#endif  // KEYLENS_TESTS_CLI_COMMAND_LINE_H_
