#include "app/cli/option_checks.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace keylens::cli {
namespace {

// The whole text as a number; none where it is not one, or one that T has not.
template <typename T>
std::optional<T> Parsed(std::string_view text) {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  T number{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stop != end) return std::nullopt;
  return number;
}

// `wanted` completes "must be ...", and is what the help says.
CLI::Validator NumberThat(const std::function<bool(double)>& fits,
                          const std::string& wanted) {
  return CLI::Validator(
      [fits, wanted](const std::string& text) -> std::string {
        const std::optional<double> number = Parsed<double>(text);
        if (number && std::isfinite(*number) && fits(*number)) return "";
        return fmt::format("must be {}, not {}", wanted, text);
      },
      wanted);
}

}  // namespace

CLI::Validator WholeNumber(int64_t least, int64_t most) {
  const bool open = most == std::numeric_limits<int64_t>::max();
  const std::string range = open ? fmt::format("{} or more", least)
                                 : fmt::format("{} to {}", least, most);
  return CLI::Validator(
      [=](const std::string& text) -> std::string {
        const std::optional<int64_t> number = Parsed<int64_t>(text);
        if (number && *number >= least && *number <= most) return "";
        return fmt::format("must be a whole number, {}, not {}", range, text);
      },
      range);
}

CLI::Validator NumberWithin(double least, double most) {
  return NumberThat(
      [=](double number) { return number >= least && number <= most; },
      fmt::format("{} to {}", least, most));
}

CLI::Validator NumberAbove(double bound) {
  return NumberThat([=](double number) { return number > bound; },
                    fmt::format("above {}", bound));
}

CLI::Validator NumberFrom(double bound) {
  return NumberThat([=](double number) { return number >= bound; },
                    fmt::format("{} or more", bound));
}

CLI::Validator FiniteNumber() {
  return NumberThat(
      [](double number) {
        return std::abs(number) <= std::numeric_limits<float>::max();
      },
      "a finite number");
}

namespace {

// In place of one of CLI11's; none for the others.
std::optional<CLI::Validator> InPlaceOf(const std::string& description,
                                        bool whole) {
  if (description == CLI::PositiveNumber.get_description())
    return whole ? WholeNumber(1) : NumberAbove(0);
  if (description == CLI::NonNegativeNumber.get_description())
    return whole ? WholeNumber(0) : NumberFrom(0);
  return std::nullopt;
}

void TightenChecksOf(CLI::Option& option) {
  const std::string type = option.get_type_name();
  const bool whole = type.starts_with("INT") || type.starts_with("UINT");
  const bool fraction = type.starts_with("FLOAT");
  if (!whole && !fraction) return;
  try {
    for (int i = 0;; ++i) {
      CLI::Validator& check = *option.get_validator(i);
      const auto better = InPlaceOf(check.get_description(), whole);
      if (better) check = *better;
    }
  } catch (const CLI::OptionNotFound&) {  // how CLI11 says that i is the end
  }
  if (fraction) option.check(FiniteNumber().description(""));
}

}  // namespace

void TightenNumberChecks(CLI::App& app) {
  for (CLI::Option* option : app.get_options([](CLI::Option*) { return true; }))
    TightenChecksOf(*option);
  for (CLI::App* verb : app.get_subcommands([](CLI::App*) { return true; }))
    TightenNumberChecks(*verb);
}

}  // namespace keylens::cli
