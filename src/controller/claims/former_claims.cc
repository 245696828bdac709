#include "controller/claims/former_claims.h"

namespace bindery::controller {

std::string GetManifestName(const std::string& name) {
  return name.substr(0, name.find(kFormerClaim));
}

std::string GetSuccessor(const std::string& name) {
  const auto end = name.find(kFormerClaim);
  return end == std::string::npos ? std::string() : name.substr(0, end);
}

void FormerClaims::Note(const std::string& name) {
  if (name.find(kFormerClaim) != std::string::npos) names_.insert(name);
}

std::vector<std::string> FormerClaims::Of(const std::string& name) const {
  const std::string beginning = name + std::string(kFormerClaim);
  std::vector<std::string> names;
  for (auto it = names_.lower_bound(beginning); it != names_.end() && it->starts_with(beginning);
       ++it) {
    names.push_back(*it);
  }
  return names;
}

}  // namespace bindery::controller
