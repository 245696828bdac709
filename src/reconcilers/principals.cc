#include "reconcilers/principals.h"

#include <algorithm>
#include <cctype>

namespace bindery {

std::string NormalPrincipal(const std::string& principal) {
  std::string lower(principal);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

}  // namespace bindery
