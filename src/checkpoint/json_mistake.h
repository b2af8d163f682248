#ifndef KEYLENS_SRC_CHECKPOINT_JSON_MISTAKE_H_
#define KEYLENS_SRC_CHECKPOINT_JSON_MISTAKE_H_

#include <nlohmann/json.hpp>
#include <string>

namespace keylens {

// What is wrong with a JSON text, to follow a file's name and a colon: the
// library's own messages are for programmers.
//
//   "is no JSON (line 3, column 7)", "has no entry \"text\"",
//   "must be an object, not an array", "an entry must be a string, not a
//   number"
std::string JsonMistake(const nlohmann::json::exception& error);

}  // namespace keylens

#endif  // KEYLENS_SRC_CHECKPOINT_JSON_MISTAKE_H_
