#include "systems/generator/data/captions.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

namespace keylens::generator {
namespace {

std::vector<std::string> Parts(const std::string& caption) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  while (begin <= caption.size()) {
    const std::size_t comma =
        std::min(caption.find(", ", begin), caption.size());
    parts.push_back(caption.substr(begin, comma - begin));
    begin = comma + 2;
  }
  return parts;
}

std::string Joined(const std::vector<std::string>& parts,
                   std::string_view separator) {
  std::string text;
  for (const std::string& part : parts) {
    if (!text.empty()) text += separator;
    text += part;
  }
  return text;
}

std::string Reordered(const std::string& caption, Random& random) {
  std::vector<std::string> parts = Parts(caption);
  for (std::size_t i = parts.size(); i > 1; --i) {
    std::swap(parts[i - 1], parts[random.Below(i)]);
  }
  return Joined(parts, random.Below(2) == 0 ? ", " : " ");
}

std::string WithoutPunctuation(std::string caption) {
  std::replace_if(
      caption.begin(), caption.end(),
      [](char c) { return c == ',' || c == ':' || c == '-' || c == '.'; }, ' ');
  return caption;
}

std::string WithArticle(const std::string& caption) {
  constexpr std::string_view kVowels = "aeiouAEIOU";
  const bool vowel =
      !caption.empty() && kVowels.find(caption[0]) != std::string_view::npos;
  return (vowel ? "an " : "a ") + caption;
}

const std::string& AnyKeyword(const CaptionedPicture& picture, Random& random) {
  return picture.keywords[random.Below(picture.keywords.size())];
}

std::string Varied(const CaptionedPicture& picture, Random& random) {
  switch (random.Below(picture.keywords.empty() ? 4 : 6)) {
    case 0:
      return WithArticle(picture.text);
    case 1:
      return WithoutPunctuation(picture.text);
    case 2:
    case 3:
      return Reordered(picture.text, random);
    case 4:
      return picture.text + ", " + AnyKeyword(picture, random);
    default:
      return AnyKeyword(picture, random) + " " + AnyKeyword(picture, random);
  }
}

}  // namespace

std::string TrainingCaption(const CaptionedPicture& picture, double dropout,
                            Random& random) {
  constexpr double kVariedShare = 0.2;
  if (random.Uniform() < dropout) return "";
  if (random.Uniform() >= kVariedShare) return picture.text;
  return Varied(picture, random);
}

std::string MotifOf(const std::string& caption) {
  return caption.substr(0, caption.find_first_of(",:"));
}

}  // namespace keylens::generator
