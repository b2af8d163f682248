#ifndef KEYLENS_SRC_BASE_FOREIGN_FILE_H_
#define KEYLENS_SRC_BASE_FOREIGN_FILE_H_

#include <string>
#include <string_view>

namespace keylens {

// What a file is that cannot be read as what it should be, judged by its first
// bytes, and what to do: "a Git LFS pointer, not the file itself; fetch it with
// `git lfs pull`". Downloads go wrong in few ways, and a reader that only says
// that a number in its header is odd sends people looking in the wrong place.
//
// Empty where nothing is recognised. To be asked after the reader has failed:
// some of these beginnings are good ones of other formats.
std::string ForeignFileText(std::string_view bytes);

}  // namespace keylens

#endif  // KEYLENS_SRC_BASE_FOREIGN_FILE_H_
