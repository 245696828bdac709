#include "reconcilers/principals.h"

#include <algorithm>
#include <cctype>

namespace bindery::reconcilers {

std::string NormalPrincipal(const std::string& principal) {
  std::string lower(principal);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

bool SameHolder(const Grant& left, const Grant& right) {
  return left.role == right.role &&
         NormalPrincipal(left.principal) == NormalPrincipal(right.principal);
}

bool HasAnyPrefix(std::string_view text, std::span<const std::string_view> prefixes) {
  return std::ranges::any_of(prefixes,
                             [text](std::string_view prefix) { return text.starts_with(prefix); });
}

}  // namespace bindery::reconcilers
