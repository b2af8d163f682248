#ifndef KEYLENS_SRC_TEXT_TRAINER_PROCESS_H_
#define KEYLENS_SRC_TEXT_TRAINER_PROCESS_H_

#include <string>

namespace keylens {

// Runs keylens-train-tokenizer on a request (see trainer_protocol.h) and
// returns the bytes of the model. Throws Error, starting with `name`, with the
// program's own words where it fails, and where it is not found: beside this
// program, in ../libexec/keylens of an installed one, or in the build tree.
std::string RunTokenizerTrainer(const std::string& request,
                                const std::string& name);

}  // namespace keylens

#endif  // KEYLENS_SRC_TEXT_TRAINER_PROCESS_H_
