#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace bindery {

/// Between a manifest's name and the rest of the name of its former claim: no manifest's name can
/// hold it.
inline constexpr std::string_view kFormerClaim = " (before generation ";

/// The manifest that a former claim belonged to; empty for any other resource.
[[nodiscard]] std::string SuccessorOf(const std::string& name);

/// The names of the former claims: the resources that hold what a manifest claimed before it named
/// another target or role. Belongs to the loop thread.
class FormerClaims {
 public:
  /// There is a resource of the name. Keeps it when it is that of a former claim.
  void Note(const std::string& name);
  void Erase(const std::string& name) { names_.erase(name); }
  /// Those of the manifest.
  [[nodiscard]] std::vector<std::string> Of(const std::string& name) const;
  [[nodiscard]] bool Any() const { return !names_.empty(); }

 private:
  std::set<std::string> names_;
};

}  // namespace bindery
