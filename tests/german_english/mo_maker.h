#ifndef KEYLENS_TESTS_GERMAN_ENGLISH_MO_MAKER_H_
#define KEYLENS_TESTS_GERMAN_ENGLISH_MO_MAKER_H_

#include <string>
#include <utility>
#include <vector>

namespace keylens::german_english {

// The bytes of a .mo file with these messages (id, translation), in order.
std::string MakeMo(
    const std::vector<std::pair<std::string, std::string>>& messages,
    bool big_endian = false);

}  // namespace keylens::german_english

#endif  // KEYLENS_TESTS_GERMAN_ENGLISH_MO_MAKER_H_
