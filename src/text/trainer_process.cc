#include "src/text/trainer_process.h"

#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string_view>

#include "src/base/error.h"
#include "src/base/program.h"

namespace keylens {
namespace {

namespace fs = std::filesystem;

constexpr const char* kProgram = "keylens-train-tokenizer";

// From an installed program, and from a program in the build tree, whose root
// is some folders further up.
fs::path FindTrainer(const std::string& name) {
  if (const auto installed = FindProgram(kProgram)) return *installed;
  for (fs::path folder = ProgramFolder(); folder.has_relative_path();
       folder = folder.parent_path()) {
    const fs::path built = folder / "src/text" / kProgram;
    if (access(built.c_str(), X_OK) == 0) return built;
  }
  throw Error(name + ": the tokenizer cannot be trained: " + kProgram +
              " is neither beside the program nor installed");
}

// A file in memory, which a process takes for its input or output: nothing is
// read while it runs, so that neither side ever waits for the other.
class MemoryFile {
 public:
  explicit MemoryFile(const std::string& name)
      : name_(name), descriptor_(memfd_create("keylens", MFD_CLOEXEC)) {
    if (descriptor_ < 0) Fail();
  }
  ~MemoryFile() { close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  int descriptor() const { return descriptor_; }

  void Write(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t written = write(descriptor_, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) Fail();
      bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    lseek(descriptor_, 0, SEEK_SET);
  }

  std::string Read() const {
    std::string bytes(static_cast<std::size_t>(lseek(descriptor_, 0, SEEK_END)),
                      '\0');
    std::size_t at = 0;
    while (at < bytes.size()) {
      const ssize_t count = pread(descriptor_, bytes.data() + at,
                                  bytes.size() - at, static_cast<off_t>(at));
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) Fail();
      at += static_cast<std::size_t>(count);
    }
    return bytes;
  }

 private:
  [[noreturn]] void Fail() const {
    throw Error(name_ +
                ": the tokenizer cannot be trained: " + std::strerror(errno));
  }

  const std::string& name_;
  int descriptor_;
};

// The exit status as waitpid gives it.
int Run(const fs::path& program, const MemoryFile& in, const MemoryFile& out,
        const MemoryFile& notes, const std::string& name) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in.descriptor(), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out.descriptor(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, notes.descriptor(), STDERR_FILENO);
  std::string argument = program.filename().string();
  char* const arguments[] = {argument.data(), nullptr};
  pid_t child = 0;
  const int failed = posix_spawn(&child, program.c_str(), &actions, nullptr,
                                 arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0)
    throw Error(name + ": " + program.string() + ": " + std::strerror(failed));
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR)
      throw Error(name + ": " + program.string() + ": " + std::strerror(errno));
  }
  return status;
}

std::string FirstLine(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

}  // namespace

std::string RunTokenizerTrainer(const std::string& request,
                                const std::string& name) {
  const fs::path program = FindTrainer(name);
  MemoryFile in(name);
  const MemoryFile out(name);
  const MemoryFile notes(name);
  in.Write(request);
  const int status = Run(program, in, out, notes, name);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return out.Read();
  std::string why = FirstLine(notes.Read());
  if (why.empty())
    why = WIFSIGNALED(status) ? strsignal(WTERMSIG(status))
                              : "the trainer gave no reason";
  throw Error(name + ": the tokenizer cannot be trained: " + why);
}

}  // namespace keylens
