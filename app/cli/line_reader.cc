#include "app/cli/line_reader.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "src/base/error.h"
#include "src/base/text_encoding.h"

namespace keylens::cli {

bool LineReader::TakeLine(std::string& line) {
  if (encoding_ == Encoding::kUtf16) return false;  // not read whole yet
  std::size_t end = buffer_.find('\n', taken_);
  const bool whole = end != std::string::npos;
  if (!whole) {
    if (!ended_ || taken_ == buffer_.size()) return false;
    end = buffer_.size();
  }
  line = buffer_.substr(taken_, end - taken_);
  if (line.ends_with('\r')) line.pop_back();
  taken_ = whole ? end + 1 : end;
  return true;
}

bool LineReader::InputIsThere() const {
  pollfd input = {descriptor_, POLLIN, 0};
  return poll(&input, 1, 0) > 0;
}

void LineReader::Fill() {
  buffer_.erase(0, std::exchange(taken_, 0));
  char bytes[1 << 16];
  const ssize_t count = read(descriptor_, bytes, sizeof(bytes));
  if (count < 0 && errno == EINTR) return;
  if (count < 0) {
    throw Error(std::string("standard input: cannot be read (") +
                std::strerror(errno) + ")");
  }
  if (count == 0) ended_ = true;
  buffer_.append(bytes, static_cast<std::size_t>(count));
  DecodeUtf16();
}

// The first bytes tell; a mark at the beginning of UTF-8 is left to NormalForm.
void LineReader::DecodeUtf16() {
  if (encoding_ == Encoding::kUnknown && (buffer_.size() >= 2 || ended_))
    encoding_ = IsUtf16(buffer_) ? Encoding::kUtf16 : Encoding::kBytes;
  if (encoding_ != Encoding::kUtf16 || !ended_) return;
  buffer_ = DecodedText(std::move(buffer_));
  encoding_ = Encoding::kBytes;
}

std::vector<std::string> LineReader::Next(std::size_t most) {
  std::vector<std::string> lines;
  std::string line;
  while (lines.size() < most) {
    if (TakeLine(line)) {
      lines.push_back(std::move(line));
    } else if (ended_ || (!lines.empty() && !InputIsThere())) {
      break;
    } else {
      Fill();
    }
  }
  return lines;
}

}  // namespace keylens::cli
