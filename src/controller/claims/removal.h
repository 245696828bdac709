#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/access/drift.h"
#include "core/access/grant.h"
#include "core/access/target.h"

namespace bindery::controller {

/// Why a grant would be taken away.
enum class RemovalCause {
  kManifest,  ///< The manifest that declared it is gone, or says less than before.
  kAdoption,  ///< It was there before a manifest began to declare its role or target.
  kExpiry,    ///< Its condition has ended (options.expired: remove).
  kRollback,  ///< An operator brings a recorded policy back.
  kForeign,   ///< Others added it where the directory has not changed.
};

[[nodiscard]] std::string_view ToString(RemovalCause cause);  ///< "manifest", "adoption", …
[[nodiscard]] RemovalCause RemovalCauseFromString(std::string_view text);

/// The grant was declared by the directory: the guard's fraction counts such grants.
[[nodiscard]] constexpr bool WasDeclared(RemovalCause cause) {
  return cause != RemovalCause::kAdoption && cause != RemovalCause::kForeign;
}

struct Removal {
  Grant grant;
  RemovalCause cause = RemovalCause::kManifest;
  Severity severity = Severity::kMedium;  ///< How bad it is to lose it.
};

/// The removals of a target's plan.
struct Removals {
  Target target;
  std::vector<Removal> grants = {};
  std::vector<std::string> resources = {};  ///< The manifests of the target, for people.
  std::string provider = {};
  std::int64_t declared = 0;  ///< How many grants the directory declared there before.
  std::int64_t narrowed = 0;  ///< Of the grants, those that manifests gave up that are still there.
  std::string ask = {};  ///< Why they need an approval whatever their number; empty: they do not.
};

/// The grants of the removals, each as CanonicalGrant().
[[nodiscard]] std::set<std::string> MakeGrantKeys(const Removals& removals);
/// Keeps only the `grants` that are wanted.
void KeepOnly(std::vector<Removal>& grants, const std::function<bool(const Grant&)>& wanted);

/// The removals of a write that count for the guard beyond the end of the write.
struct CountedRemovals {
  std::int64_t declared = 0;  ///< As WasDeclared().
  std::int64_t adopted = 0;
};

}  // namespace bindery::controller
