#ifndef KEYLENS_SRC_BASE_PROGRAM_H_
#define KEYLENS_SRC_BASE_PROGRAM_H_

#include <filesystem>
#include <optional>
#include <string>

namespace keylens {

// The folder of the program that runs.
std::filesystem::path ProgramFolder();

// A program that belongs to the one that runs: beside it, or in the folder that
// programs are installed in for other programs to start. None where there is no
// such program.
std::optional<std::filesystem::path> FindProgram(const std::string& name);

}  // namespace keylens

#endif  // KEYLENS_SRC_BASE_PROGRAM_H_
