#include "languages/german_english/corpus/sentences.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace keylens::german_english {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<Pair> Sentences(const Pair& message) {
  Counts counts;
  return MessageToSentences(message, counts);
}

TEST(SentencesTest, EndsSentencesWhereTheyEnd) {
  EXPECT_THAT(SplitSentences("Halt! Wer da? Ich bin es."),
              ElementsAre("Halt!", "Wer da?", "Ich bin es."));
  EXPECT_THAT(SplitSentences("\"Nein!\" Er ging. (Endlich.) 5 blieben."),
              ElementsAre("\"Nein!\"", "Er ging.", "(Endlich.)", "5 blieben."));
  EXPECT_THAT(SplitSentences(""), IsEmpty());
}

TEST(SentencesTest, GoesOnAfterOtherPoints) {
  for (const char* text :
       {"Well... I think so.", "Dr. Smith met Mr. A. Jones.",
        "Am 3. Mai kam z. B. Tom.", "Am 3. Mai kam z.B. Tom.",
        "he said! and left", "Nr. 5 lebt."}) {
    EXPECT_THAT(SplitSentences(text), ElementsAre(text));
  }
  EXPECT_THAT(SplitSentences("It was I. Then he came."),
              ElementsAre("It was I.", "Then he came."));
}

TEST(SentencesTest, PairsSentences) {
  EXPECT_THAT(Sentences({"Stop!\nWho is there?", "Halt! Wer ist da?"}),
              ElementsAre(Pair{"Stop!", "Halt!"},
                          Pair{"Who is there?", "Wer ist da?"}));
  EXPECT_THAT(Sentences({"Good. Now, go on!", "Gut, nun geht weiter!"}),
              ElementsAre(Pair{"Good. Now, go on!", "Gut, nun geht weiter!"}))
      << "not as many sentences: kept whole";
  EXPECT_THAT(Sentences({"One day.\n\nWe went. We came.",
                         "Eines Tages.\n\nWir gingen."}),
              ElementsAre(Pair{"One day.", "Eines Tages."},
                          Pair{"We went. We came.", "Wir gingen."}));
}

TEST(SentencesTest, TakesMarkupOut) {
  EXPECT_THAT(Sentences({"female^Go to <b>him</b>!", "Geh zu [b]ihm[/b]!"}),
              ElementsAre(Pair{"Go to him!", "Geh zu ihm!"}));
  EXPECT_THAT(Sentences({"`4Hello&quot;Tom&quot;!", "`4Hallo\\n„Tom“!"}),
              ElementsAre(Pair{"Hello\"Tom\"!", "Hallo \"Tom\"!"}));
  EXPECT_THAT(Sentences({"<p>One<br>man</p>", "<p>Ein Mann</p>"}),
              ElementsAre(Pair{"One man", "Ein Mann"}));
}

TEST(SentencesTest, DropsWhatIsUnfit) {
  Counts counts;
  EXPECT_THAT(
      MessageToSentences({"Give $name 5 gold", "Gebt $name 5 Gold"}, counts),
      IsEmpty());
  EXPECT_THAT(MessageToSentences({"5 men", "6 Mann"}, counts), IsEmpty());
  EXPECT_THAT(MessageToSentences({"ok", "ok"}, counts), IsEmpty());
  EXPECT_EQ(counts.Get("messages"), 3);
  EXPECT_EQ(counts.Get("markup"), 1);
  EXPECT_EQ(counts.Get("other numbers"), 1);
  EXPECT_EQ(counts.Get("the same on both sides"), 1);
  EXPECT_EQ(counts.Get("sentences"), 0);
}

}  // namespace
}  // namespace keylens::german_english
