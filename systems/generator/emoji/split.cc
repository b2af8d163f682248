#include "systems/generator/emoji/split.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "systems/generator/emoji/emoji_list.h"
#include "systems/generator/emoji/held_out_table.h"

namespace keylens {
namespace {

constexpr char32_t kJoiner = 0x200D;
constexpr char32_t kFirstTone = 0x1F3FB;  // light; the fifth is dark
constexpr uint32_t kTones = 5;
constexpr std::array<char32_t, 3> kPeople = {0x1F9D1, 0x1F469, 0x1F468};
constexpr std::array<char32_t, 2> kGenderSigns = {0x2640, 0x2642};

bool IsTone(char32_t code) {
  return code >= kFirstTone && code < kFirstTone + kTones;
}

// FNV-1a over the code points, folded: spreads the choices evenly, and is the
// same everywhere.
uint32_t Spread(std::u32string_view sequence) {
  uint64_t hash = 0xCBF29CE484222325;
  for (const char32_t code : sequence) {
    hash = (hash ^ code) * 0x100000001B3;
  }
  return static_cast<uint32_t>(hash >> 32 ^ hash);
}

// A sequence taken apart.
struct Anatomy {
  std::u32string bare;        // without skin tones
  std::vector<size_t> tones;  // where in the sequence they stand
};

Anatomy TakeApart(std::u32string_view sequence) {
  Anatomy anatomy;
  for (size_t i = 0; i < sequence.size(); ++i) {
    if (IsTone(sequence[i])) {
      anatomy.tones.push_back(i);
    } else {
      anatomy.bare.push_back(sequence[i]);
    }
  }
  return anatomy;
}

// Where in `bare` its gender is written: at the front ("woman + joiner + fire
// engine"), or at the end ("runner + joiner + female sign"). `codes` are the
// genders that can stand there.
struct Gender {
  size_t at;
  std::vector<char32_t> codes;
};

std::optional<Gender> FindGender(std::u32string_view bare) {
  if (bare.size() < 3) return std::nullopt;
  if (std::ranges::count(kPeople, bare.front()) && bare[1] == kJoiner) {
    return Gender{0, {kPeople.begin(), kPeople.end()}};
  }
  if (std::ranges::count(kGenderSigns, bare.back())) {
    return Gender{bare.size() - 1, {kGenderSigns.begin(), kGenderSigns.end()}};
  }
  return std::nullopt;
}

uint32_t ToneAt(std::u32string_view sequence, size_t at) {
  return sequence[at] - kFirstTone;
}

// `sequence` with every other skin tone at `at`.
std::vector<std::u32string> OtherTones(std::u32string_view sequence,
                                       size_t at) {
  std::vector<std::u32string> others;
  for (uint32_t tone = 0; tone < kTones; ++tone) {
    if (tone == ToneAt(sequence, at)) continue;
    others.emplace_back(sequence).at(at) = kFirstTone + tone;
  }
  return others;
}

// Some emoji other than `sequence` in a skin tone, to show that the tone itself
// is in training.
std::vector<std::u32string> OthersInTone(char32_t tone,
                                         std::u32string_view sequence) {
  std::vector<std::u32string> others;
  for (const char32_t base : std::u32string_view(U"👋👍👶👂👧👴")) {
    others.push_back({base, tone});
  }
  std::erase(others, sequence);
  return others;
}

// Of each role one gender in one skin tone.
std::optional<HeldOut> InRole(const std::u32string& sequence,
                              const Anatomy& anatomy, const Gender& gender) {
  std::u32string role = anatomy.bare;
  role.erase(gender.at, 1);
  const uint32_t spread = Spread(role);
  const size_t at = anatomy.tones.front();
  const size_t genders = gender.codes.size();
  if (anatomy.bare[gender.at] != gender.codes[spread % genders] ||
      ToneAt(sequence, at) != spread / genders % kTones) {
    return std::nullopt;
  }
  Part same_tone{.what = "the role in this skin tone", .shown_by = {}};
  const size_t gender_at = gender.at == 0 ? 0 : sequence.size() - 1;
  for (const char32_t code : gender.codes) {
    if (code == anatomy.bare[gender.at]) continue;
    same_tone.shown_by.emplace_back(sequence).at(gender_at) = code;
  }
  return HeldOut{"role, gender and skin tone",
                 {{"the role and gender", OtherTones(sequence, at)},
                  std::move(same_tone),
                  {"the skin tone", OthersInTone(sequence[at], sequence)}}};
}

// Of every fourth hand, part of the body or person without a role one skin
// tone.
std::optional<HeldOut> InTone(const std::u32string& sequence,
                              const Anatomy& anatomy) {
  constexpr uint32_t kOneIn = 4;
  const uint32_t spread = Spread(anatomy.bare);
  const size_t at = anatomy.tones.front();
  if (spread % kOneIn != 0 ||
      ToneAt(sequence, at) != spread / kOneIn % kTones) {
    return std::nullopt;
  }
  return HeldOut{"gesture or person and skin tone",
                 {{"the gesture or person", OtherTones(sequence, at)},
                  {"the skin tone", OthersInTone(sequence[at], sequence)}}};
}

// Of every pair of people two pairs of skin tones, which do not share a
// tone on the same side.
std::optional<HeldOut> InPair(const std::u32string& sequence,
                              const Anatomy& anatomy) {
  constexpr uint32_t kPairs = 2;
  const uint32_t spread = Spread(anatomy.bare);
  const size_t left = anatomy.tones[0], right = anatomy.tones[1];
  const uint32_t row =
      (ToneAt(sequence, left) + kTones - spread % kTones) % kTones;
  const uint32_t column = (spread / kTones + 2 * row) % kTones;
  if (row >= kPairs || ToneAt(sequence, right) != column) return std::nullopt;
  return HeldOut{"two people and two skin tones",
                 {{"the left one's skin tone", OtherTones(sequence, right)},
                  {"the right one's skin tone", OtherTones(sequence, left)}}};
}

}  // namespace

std::optional<HeldOut> FindHeldOut(std::u32string_view sequence) {
  const std::u32string bare = WithoutVariationSelectors(sequence);
  if (std::optional<HeldOut> listed = FindInHeldOutTable(bare)) return listed;
  const Anatomy anatomy = TakeApart(bare);
  if (anatomy.tones.size() == 2) return InPair(bare, anatomy);
  if (anatomy.tones.size() != 1) return std::nullopt;
  if (const auto gender = FindGender(anatomy.bare)) {
    return InRole(bare, anatomy, *gender);
  }
  return InTone(bare, anatomy);
}

}  // namespace keylens
