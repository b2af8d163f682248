#ifndef KEYLENS_APP_CLI_LINE_READER_H_
#define KEYLENS_APP_CLI_LINE_READER_H_

#include <cstddef>
#include <string>
#include <vector>

namespace keylens::cli {

// Lines from a file descriptor, as many as are there: whoever writes line by
// line gets an answer after each, and whoever writes fast gets batches.
class LineReader {
 public:
  explicit LineReader(int descriptor) : descriptor_(descriptor) {}

  // The next lines, without their ends ("\n" or "\r\n"): at least one, unless
  // the input has ended, and at most `most`. Waits only while there is no whole
  // line, or, of UTF-16, not the whole input. What follows the last "\n" is a
  // line if it is not empty. Throws Error where the input cannot be read.
  std::vector<std::string> Next(std::size_t most);

 private:
  bool TakeLine(std::string& line);
  bool InputIsThere() const;
  void Fill();
  void DecodeUtf16();

  int descriptor_;
  std::string buffer_;
  std::size_t taken_ = 0;  // bytes of the buffer that were given out
  bool ended_ = false;
  enum class Encoding { kUnknown, kBytes, kUtf16 };
  Encoding encoding_ = Encoding::kUnknown;
};

}  // namespace keylens::cli

#endif  // KEYLENS_APP_CLI_LINE_READER_H_
