#include "languages/german_english/corpus/pair_check.h"

#include <gtest/gtest.h>

#include <string>

#include "languages/german_english/corpus/language_check.h"

namespace keylens::german_english {
namespace {

TEST(PairCheckTest, AcceptsTranslations) {
  for (const Pair& pair :
       {Pair{"I'm hungry.", "Ich habe Hunger."}, Pair{"Yes, I do.", "Ja."},
        Pair{"Tom", "Tom"}, Pair{"to die", "sterben"}, Pair{"Zürich", "Zürich"},
        Pair{"I live in Zürich.", "Ich wohne in Zürich."},
        Pair{"Hotel", "Hotel"}}) {
    EXPECT_EQ(WhyUnfit(pair), nullptr) << pair.english;
  }
}

TEST(PairCheckTest, SaysWhyAPairIsUnfit) {
  std::string many = "a";
  for (int i = 0; i < kMaxWords; ++i) many += " a";
  EXPECT_STREQ(WhyUnfit({"1", "2"}), "no letters");
  EXPECT_STREQ(WhyUnfit({"...", "Ja"}), "no letters");
  EXPECT_STREQ(WhyUnfit({"gr\uFFFDn", "grün"}), "not UTF-8");
  EXPECT_STREQ(WhyUnfit({many, many}), "too long");
  EXPECT_STREQ(WhyUnfit({"Hi.", "Das ist ein viel zu langer Satz dafür."}),
               "lengths differ");
  EXPECT_STREQ(WhyUnfit({"okay", "okay"}), "the same on both sides");
  EXPECT_STREQ(WhyUnfit({"Das ist nicht gut.", "Das ist gar nicht gut."}),
               "wrong language");
  EXPECT_STREQ(WhyUnfit({"This is what it is.", "This is what it was."}),
               "wrong language");
}

TEST(PairCheckTest, KnowsLanguagesByWordsAndLetters) {
  EXPECT_TRUE(IsInWrongLanguage({"Häuser", "houses"}));
  EXPECT_TRUE(IsInWrongLanguage({"und so weiter", "and so on"}));
  EXPECT_FALSE(IsInWrongLanguage({"houses", "Häuser"}));
  EXPECT_FALSE(IsInWrongLanguage({"Müller's dog", "Müllers Hund"}))
      << "a name, in the genitive";
  EXPECT_FALSE(IsInWrongLanguage({"computer", "Computer"}));
}

TEST(PairCheckTest, ComparesNumbers) {
  EXPECT_FALSE(HasOtherNumbers({"1,000 men", "1.000 Mann"}));
  EXPECT_FALSE(HasOtherNumbers({"one", "eins"}));
  EXPECT_TRUE(HasOtherNumbers({"5 men", "6 Mann"}));
}

TEST(PairCheckTest, FindsMarkup) {
  for (const char* text : {"<b>bold</b>", "$name", "{x}", "a|b", "50 %", "a_b",
                           "https://x.org", "www.x.org", "\\n"}) {
    EXPECT_TRUE(HasMarkup({text, "Text"})) << text;
    EXPECT_TRUE(HasMarkup({"Text", text})) << text;
  }
  EXPECT_FALSE(HasMarkup({"It's (really) \"so\" – 5!", "Ja; so: nein?"}));
}

}  // namespace
}  // namespace keylens::german_english
