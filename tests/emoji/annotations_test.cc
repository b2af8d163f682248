#include "systems/generator/emoji/annotations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "src/base/error.h"

namespace keylens {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Property;
using ::testing::SizeIs;

constexpr std::string_view kXml =
    R"(<?xml version="1.0" encoding="UTF-8" ?>
<!DOCTYPE ldml SYSTEM "../../common/dtd/ldml.dtd">
<!-- cp values have no variation selectors -->
<ldml>
  <identity><language type="en"/></identity>
  <annotations>
    <annotation cp="❤">heart | emotion | red  heart</annotation>
    <annotation cp="❤" type="tts">red heart</annotation>
    <annotation cp="&amp;">and &amp; or | ampersand</annotation>
    <annotation cp="🚀" type="tts">rocket</annotation>
  </annotations>
</ldml>
)";

TEST(AnnotationsTest, ReadsNamesAndKeywords) {
  Annotations annotations;
  ReadAnnotations(kXml, "en.xml", annotations);
  ASSERT_THAT(annotations, SizeIs(3));
  EXPECT_EQ(annotations["❤"].short_name, "red heart");
  EXPECT_THAT(annotations["❤"].keywords,
              ElementsAre("heart", "emotion", "red  heart"));
  EXPECT_EQ(annotations["&"].short_name, "");
  EXPECT_THAT(annotations["&"].keywords, ElementsAre("and & or", "ampersand"));
  EXPECT_EQ(annotations["🚀"].short_name, "rocket");
}

TEST(AnnotationsTest, AddsToWhatIsThere) {
  Annotations annotations;
  ReadAnnotations(kXml, "en.xml", annotations);
  ReadAnnotations("<ldml><annotation cp='🚀'>space | flight</annotation></ldml>",
                  "more.xml", annotations);
  EXPECT_EQ(annotations["🚀"].short_name, "rocket");
  EXPECT_THAT(annotations["🚀"].keywords, ElementsAre("space", "flight"));
}

TEST(AnnotationsTest, RefusesWhatIsNoXml) {
  for (const std::string_view xml :
       {kXml.substr(0, kXml.size() / 2), std::string_view("hello"),
        std::string_view("<a></b>"), std::string_view("")}) {
    Annotations annotations;
    EXPECT_THAT(
        [&] { ReadAnnotations(xml, "en.xml", annotations); },
        testing::Throws<Error>(Property(
            &Error::what, HasSubstr("en.xml: not a CLDR annotation file: "))))
        << xml;
  }
}

}  // namespace
}  // namespace keylens
