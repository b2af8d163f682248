#ifndef KEYLENS_SYSTEMS_TRANSLATOR_SCORES_ANSWERS_H_
#define KEYLENS_SYSTEMS_TRANSLATOR_SCORES_ANSWERS_H_

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace keylens::translator {

// A German text and the English ones that are right.
struct Question {
  std::string german;
  std::vector<std::string> answers;
};

// A file of lines `German TAB answer|answer...`. Throws Error, naming the file
// and the line, for a line without a TAB, German or an answer, and for a file
// that cannot be read or is empty.
std::vector<Question> ReadQuestions(const std::filesystem::path& path);
std::vector<Question> ParseQuestions(std::string_view text,
                                     const std::string& name);

// The words of an answer: lower case, without punctuation, and with those
// contractions spelled out that can be read in one way only ("I'm", "don't",
// "let's"; not "he's").
std::string ComparableText(std::string_view answer);

// Whether `translation` has the words of one of the answers.
bool IsRight(const Question& question, std::string_view translation);

}  // namespace keylens::translator

#endif  // KEYLENS_SYSTEMS_TRANSLATOR_SCORES_ANSWERS_H_
