#include "languages/german_english/corpus/mo_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "src/base/error.h"
#include "tests/german_english/mo_maker.h"

namespace keylens::german_english {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using namespace std::string_literals;

TEST(MoFileTest, ReadsMessagesInBothByteOrders) {
  for (const bool big_endian : {false, true}) {
    const std::string bytes =
        MakeMo({{"", "Language: de\n"},
                {"Hello!", "Hallo!"},
                {"menu\4Open", "Öffnen"},
                {"one bear\0%d bears"s, "ein Bär\0%d Bären"s},
                {"untranslated", ""}},
               big_endian);
    EXPECT_THAT(
        ParseMo(bytes, "de.mo"),
        ElementsAre(Pair{"Hello!", "Hallo!"}, Pair{"Open", "Öffnen"},
                    Pair{"one bear", "ein Bär"}, Pair{"%d bears", "%d Bären"}));
  }
}

TEST(MoFileTest, ReadsACatalogueWithoutMessages) {
  EXPECT_THAT(ParseMo(MakeMo({}), "de.mo"), testing::IsEmpty());
}

TEST(MoFileTest, RejectsWhatIsNoCatalogue) {
  const std::string good = MakeMo({{"Hello!", "Hallo!"}});
  std::string newer = good, far_table = good, far_text = good;
  newer[6] = 2;
  far_table[15] = 0x7F;
  far_text[28 + 7] = 0x7F;
  for (const std::string& bad :
       {""s, "msgid \"\""s, good.substr(0, 27), good.substr(0, 40),
        good.substr(0, good.size() - 4), newer, far_table, far_text,
        std::string(40, 'x')}) {
    EXPECT_THAT(
        [&] { ParseMo(bad, "de.mo"); },
        testing::Throws<Error>(testing::Property(
            &Error::what, HasSubstr("de.mo: not a GNU message catalogue: "))))
        << bad.size();
  }
}

}  // namespace
}  // namespace keylens::german_english
