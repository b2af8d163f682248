#ifndef KEYLENS_SRC_BASE_NOTE_SINK_H_
#define KEYLENS_SRC_BASE_NOTE_SINK_H_

#include <functional>
#include <string>

namespace keylens {

// Where a library sends what a person should know of and what does not stop the
// work: one line without its end, which names the file. It may be empty: then
// nobody wants to know.
using NoteSink = std::function<void(const std::string&)>;

}  // namespace keylens

#endif  // KEYLENS_SRC_BASE_NOTE_SINK_H_
