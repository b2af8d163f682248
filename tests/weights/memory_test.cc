#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "src/base/error.h"
#include "src/weights/weight_source.h"
#include "tests/temporary_path.h"

namespace keylens {
namespace {

namespace fs = std::filesystem;

// Kilobytes of memory that are the process's own, not pages of files.
int64_t AnonymousKilobytes() {
  std::ifstream status("/proc/self/status");
  std::string word;
  while (status >> word) {
    if (word != "RssAnon:") continue;
    int64_t kilobytes = 0;
    status >> kilobytes;
    return kilobytes;
  }
  ADD_FAILURE() << "no RssAnon";
  return 0;
}

constexpr int64_t kRows = 1 << 15;
constexpr int64_t kColumns = 1 << 12;

// 256 MiB of float16, as a file with holes: it takes no room on the disk.
fs::path LargeFile() {
  const fs::path path = TemporaryPath("large.safetensors");
  const std::string json =
      R"({"w":{"dtype":"F16","shape":[32768,4096],"data_offsets":[0,268435456]}})";
  const uint64_t length = json.size();
  std::string header(8, '\0');
  std::memcpy(header.data(), &length, 8);
  std::ofstream(path, std::ios::binary) << header << json;
  fs::resize_file(path, header.size() + json.size() + kRows * kColumns * 2);
  return path;
}

TEST(Memory, AModelCostsPagesOfItsFileAndNoCopy) {
  const fs::path path = LargeFile();
  const int64_t before = AnonymousKilobytes();
  const auto source = OpenSafetensors(path);
  const WeightView view = source->Find("w").value();
  ASSERT_EQ(view.bytes.size(), std::size_t{1} << 28);
  // All of it is read, a row at a time, as packing does.
  std::vector<float> row(kColumns);
  float sum = 0;
  for (int64_t i = 0; i < kRows; ++i) {
    CopyAsFloat(view, i * kColumns, row);
    sum += row[0];
  }
  EXPECT_EQ(sum, 0);
  EXPECT_LT(AnonymousKilobytes() - before, 4096);  // of 262,144
  fs::remove(path);
}

TEST(Memory, AFileThatShrinksUnderTheMappingIsAnError) {
  const fs::path path = LargeFile();
  const auto source = OpenSafetensors(path);
  fs::resize_file(path, 4096);
  EXPECT_THROW(source->Find("w"), Error);
  EXPECT_THROW(OpenSafetensors(path), Error);
  fs::remove(path);
}

}  // namespace
}  // namespace keylens
