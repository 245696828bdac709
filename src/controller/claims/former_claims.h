#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace bindery::controller {

/// Between a manifest's name and the rest of the name of its former claim: no manifest's name can
/// hold it.
inline constexpr std::string_view kFormerClaim = " (before generation ";

/// The manifest that the resource is of: of a former claim the one that had it.
[[nodiscard]] std::string GetManifestName(const std::string& name);
/// The manifest of a former claim; empty for any other resource.
[[nodiscard]] std::string GetSuccessor(const std::string& name);

/// The names of the former claims: resources that hold the claim of a manifest from before the
/// manifest named a new target or role. Belongs to the loop thread.
class FormerClaims {
 public:
  /// A resource of the name exists. Keeps the name of a former claim.
  void Note(const std::string& name);
  void Erase(const std::string& name) { names_.erase(name); }
  /// The former claims of the manifest.
  [[nodiscard]] std::vector<std::string> Of(const std::string& name) const;
  [[nodiscard]] bool Any() const { return !names_.empty(); }

 private:
  std::set<std::string> names_;
};

}  // namespace bindery::controller
