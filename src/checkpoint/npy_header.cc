#include "src/checkpoint/npy_header.h"

#include <charconv>
#include <cstddef>
#include <set>

#include "src/base/error.h"
#include "src/checkpoint/header_text.h"

namespace keylens {
namespace {

constexpr std::size_t kMaxRank = 64;  // numpy's own

// {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }: the keys in any
// order, each once, and white space anywhere.
class HeaderParser {
 public:
  HeaderParser(std::string_view text, const std::string& file)
      : text_(text), file_(file) {}

  NpyHeader Parse() {
    Expect('{');
    while (!Take('}')) {
      Entry();
      if (Take('}')) break;
      Expect(',');
    }
    if (keys_.size() != 3)
      Fail("descr, fortran_order and shape are not all there");
    SkipSpace();
    if (at_ != text_.size()) Fail("something follows its last brace");
    return header_;
  }

 private:
  void Entry() {
    const std::string key = Text();
    Expect(':');
    if (!keys_.insert(key).second)
      Fail("the key " + QuotedName(key) + " twice");
    if (key == "descr") {
      Descr();
    } else if (key == "fortran_order") {
      header_.fortran_order = Boolean();
    } else if (key == "shape") {
      Shape();
    } else {
      Fail("the unknown key " + QuotedName(key));
    }
  }

  void Descr() {
    if (Take('[')) {
      throw Error(file_ +
                  ": an array of records, where numbers are needed; save one "
                  "field");
    }
    header_.descr = Text();
  }

  bool Boolean() {
    if (TakeWord("True")) return true;
    if (TakeWord("False")) return false;
    Fail("fortran_order is neither True nor False");
  }

  void Shape() {
    Expect('(');
    while (!Take(')')) {
      if (header_.shape.size() == kMaxRank) Fail("a shape of too many axes");
      header_.shape.push_back(Size());
      if (Take(')')) break;
      Expect(',');
    }
  }

  int64_t Size() {
    SkipSpace();
    int64_t size = 0;
    const char* first = text_.data() + at_;
    const auto [end, error] =
        std::from_chars(first, text_.data() + text_.size(), size);
    if (error != std::errc() || size < 0)
      Fail("a shape with something else than sizes");
    at_ += static_cast<std::size_t>(end - first);
    Take('L');  // a long integer of Python 2
    return size;
  }

  std::string Text() {
    SkipSpace();
    const char quote = at_ < text_.size() ? text_[at_] : ' ';
    if (quote != '\'' && quote != '"') Fail("no text where one is needed");
    const std::size_t end = text_.find(quote, at_ + 1);
    if (end == std::string_view::npos) Fail("a text without an end");
    std::string text(text_.substr(at_ + 1, end - at_ - 1));
    at_ = end + 1;
    return text;
  }

  void SkipSpace() {
    constexpr std::string_view kSpace = " \t\r\n";
    while (at_ < text_.size() &&
           kSpace.find(text_[at_]) != std::string_view::npos)
      ++at_;
  }

  bool Take(char c) {
    SkipSpace();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  bool TakeWord(std::string_view word) {
    SkipSpace();
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }

  void Expect(char c) {
    if (!Take(c)) Fail(std::string("no '") + c + "' where one is needed");
  }

  [[noreturn]] void Fail(const std::string& what) const {
    throw Error(file_ + ": its npy header is damaged: " + what);
  }

  std::string_view text_;
  const std::string& file_;
  std::size_t at_ = 0;
  std::set<std::string> keys_;
  NpyHeader header_;
};

}  // namespace

NpyHeader ParseNpyHeader(std::string_view text, const std::string& file) {
  return HeaderParser(text, file).Parse();
}

}  // namespace keylens
