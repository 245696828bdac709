#pragma once

#include <concepts>
#include <string>
#include <string_view>

namespace bindery {

/// "grants", "policies", "days".
[[nodiscard]] inline std::string MakePlural(std::string_view noun) {
  constexpr std::string_view kVowels = "aeiou";
  const bool turns = noun.size() > 1 && noun.back() == 'y' &&
                     kVowels.find(noun[noun.size() - 2]) == std::string_view::npos;
  if (!turns) return std::string(noun) + "s";
  return std::string(noun.substr(0, noun.size() - 1)) + "ies";
}

/// "1 grant", "3 grants", "2 policies".
template <std::integral Number>
[[nodiscard]] std::string Count(Number count, std::string_view noun) {
  return std::to_string(count) + " " + (count == 1 ? std::string(noun) : MakePlural(noun));
}

}  // namespace bindery
