#ifndef KEYLENS_APP_CLI_PROMPT_NOTES_H_
#define KEYLENS_APP_CLI_PROMPT_NOTES_H_

#include <string>

#include "systems/generator/pipeline.h"

namespace keylens::cli {

// What to tell of a prompt before it is drawn, one line each; empty where there
// is nothing to tell. Long texts are shortened.

// Where it is cut, as the model reads no more.
std::string CutNote(const generator::TokenizedPrompt& prompt);

// The words of the prompt and of the negative prompt that the model does not
// know.
std::string UnknownNote(const generator::TokenizedPrompt& prompt,
                        const generator::TokenizedPrompt& negative);

}  // namespace keylens::cli

#endif  // KEYLENS_APP_CLI_PROMPT_NOTES_H_
