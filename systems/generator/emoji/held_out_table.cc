#include "systems/generator/emoji/held_out_table.h"

#include <array>
#include <string>

namespace keylens {
namespace {

// A part, and the emoji that show it, one space between any two.
struct ListedPart {
  const char* what;
  std::u32string_view shown_by;
};

struct Listed {
  std::u32string_view sequence;
  const char* kind;
  std::array<ListedPart, 2> parts;
};

constexpr std::u32string_view kHearts = U"❤ 🧡 💛 💙 🤎 🖤 🤍";
constexpr std::u32string_view kCircles = U"🔴 🟡 🟢 🔵 🟣 ⚫ ⚪";
constexpr std::u32string_view kSquares = U"🟥 🟧 🟩 🟪 🟫 ⬛ ⬜";
constexpr std::u32string_view kHours = U"🕐 🕑 🕒 🕔 🕕 🕖 🕗 🕙 🕚 🕛";
constexpr std::u32string_view kHalfHours = U"🕜 🕞 🕟 🕠 🕡 🕣 🕤 🕦 🕧";
constexpr std::u32string_view kCats = U"😺 😸 😼 🙀 😿 😾";

constexpr auto kTable = std::to_array<Listed>({
    {U"💚", "colour and shape", {{{"green", U"🟢 🟩"}, {"heart", kHearts}}}},
    {U"💜",
     "colour and shape",
     {{{"purple", U"🟣 🟪"}, {"heart", kHearts}}}},
    {U"🟠",
     "colour and shape",
     {{{"orange", U"🧡 🟧"}, {"circle", kCircles}}}},
    {U"🟤",
     "colour and shape",
     {{{"brown", U"🤎 🟫"}, {"circle", kCircles}}}},
    {U"🟨",
     "colour and shape",
     {{{"yellow", U"💛 🟡"}, {"square", kSquares}}}},
    {U"🟦", "colour and shape", {{{"blue", U"💙 🔵"}, {"square", kSquares}}}},
    {U"📙", "colour and shape", {{{"orange", U"🧡 🟧"}, {"book", U"📗 📘"}}}},
    {U"🍏", "colour and shape", {{{"green", U"🟢 🟩"}, {"apple", U"🍎 🍐"}}}},
    {U"🔸",
     "colour and shape",
     {{{"small diamond", U"🔹"}, {"orange diamond", U"🔶 🧡"}}}},
    {U"◼",
     "colour and shape",
     {{{"medium square", U"◻ ◾"}, {"black square", U"⬛ ▪"}}}},
    {U"◽",
     "colour and shape",
     {{{"medium-small square", U"◾ ◻"}, {"white square", U"⬜ ▫"}}}},
    {U"🕓", "clock", {{{"four", U"🕟 🕒 🕔"}, {"o'clock", kHours}}}},
    {U"🕘", "clock", {{{"nine", U"🕤 🕗 🕙"}, {"o'clock", kHours}}}},
    {U"🕝", "clock", {{{"two", U"🕑 🕜 🕞"}, {"thirty", kHalfHours}}}},
    {U"🕢", "clock", {{{"seven", U"🕖 🕡 🕣"}, {"thirty", kHalfHours}}}},
    {U"🕥", "clock", {{{"ten", U"🕙 🕤 🕦"}, {"thirty", kHalfHours}}}},
    {U"😻", "animal and mood", {{{"heart-eyes", U"😍 🥰"}, {"cat", kCats}}}},
    {U"😽", "animal and mood", {{{"kissing", U"😚 😗"}, {"cat", kCats}}}},
    {U"👨‍👩‍👧‍👦",
     "family",
     {{{"a man and a woman",
        U"👨‍👩‍👦 👨‍👩‍👧 👨‍👩‍👧‍👧 "
        U"👨‍👩‍👦‍👦"},
       {"a girl and a boy",
        U"👨‍👨‍👧‍👦 👨‍👧‍👦 👩‍👧‍👦"}}}},
    {U"👩‍👩‍👧",
     "family",
     {{{"two women",
        U"👩‍👩‍👦 👩‍👩‍👧‍👦 "
        U"👩‍👩‍👧‍👧"},
       {"a girl", U"👨‍👩‍👧 👨‍👨‍👧 👩‍👧"}}}},
    {U"👨‍👦‍👦",
     "family",
     {{{"a man", U"👨‍👦 👨‍👧 👨‍👧‍👦"},
       {"two boys",
        U"👨‍👨‍👦‍👦 👩‍👩‍👦‍👦 "
        U"👩‍👦‍👦"}}}},
    {U"↙", "two directions", {{{"down", U"⬇ ↘"}, {"left", U"⬅ ↖"}}}},
    {U"🌖", "moon phase", {{{"waning", U"🌗 🌘"}, {"gibbous", U"🌔 🌕"}}}},
    {U"🌜", "moon phase", {{{"face", U"🌛 🌚 🌝"}, {"waning", U"🌗 🌘"}}}},
    {U"📬", "two states", {{{"open mailbox", U"📭"}, {"raised flag", U"📫"}}}},
});

std::vector<std::u32string> SplitAtSpaces(std::u32string_view list) {
  std::vector<std::u32string> words;
  while (true) {
    const size_t space = list.find(U' ');
    words.emplace_back(list.substr(0, space));
    if (space == std::u32string_view::npos) return words;
    list.remove_prefix(space + 1);
  }
}

}  // namespace

std::optional<HeldOut> FindInHeldOutTable(std::u32string_view sequence) {
  for (const Listed& listed : kTable) {
    if (listed.sequence != sequence) continue;
    HeldOut held_out{.kind = listed.kind, .parts = {}};
    for (const ListedPart& part : listed.parts) {
      held_out.parts.push_back({part.what, SplitAtSpaces(part.shown_by)});
    }
    return held_out;
  }
  return std::nullopt;
}

}  // namespace keylens
