#include "admission/placeless.h"

namespace bindery {

std::map<std::string, std::string> PlacelessByKind(const AdmissionInput& input,
                                                   const std::vector<Rejected>& rejected) {
  std::map<std::string, std::string> placeless;
  if (!input.targets_of) return placeless;
  for (const Rejected& one : rejected) {
    if (one.placement || one.manifest == nullptr || one.manifest->linked()) continue;
    const std::string kind = input.targets_of(*one.manifest->token);
    if (kind.empty()) continue;
    placeless.try_emplace(
        kind, "where \"" + one.name + "\" (" + one.source.Text() + ") belongs cannot be told now");
  }
  return placeless;
}

std::string MayHold(const InForce& missing, const std::map<std::string, std::string>& placeless) {
  if (!missing.held_by.empty()) return missing.held_by;
  const auto found = placeless.find(missing.placement.target.kind.str());
  return found == placeless.end() ? std::string() : found->second;
}

}  // namespace bindery
