#ifndef KEYLENS_SYSTEMS_GENERATOR_EMOJI_ANNOTATIONS_H_
#define KEYLENS_SYSTEMS_GENERATOR_EMOJI_ANNOTATIONS_H_

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace keylens {

// What CLDR, Unicode's locale data, says about a character in one language.
struct Annotation {
  std::string short_name;             // "red heart"; empty when not given
  std::vector<std::string> keywords;  // "heart"; in the file's order
};

// By the characters in UTF-8, without variation selectors.
using Annotations = std::map<std::string, Annotation, std::less<>>;

// Adds the annotations of `xml`, the content of a file of CLDR's
// common/annotations or annotationsDerived, to `annotations`. Throws Error with
// `file_name` and the line for bytes that are not such a file.
void ReadAnnotations(std::string_view xml, const std::string& file_name,
                     Annotations& annotations);

}  // namespace keylens

#endif  // KEYLENS_SYSTEMS_GENERATOR_EMOJI_ANNOTATIONS_H_
