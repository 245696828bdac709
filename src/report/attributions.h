#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/audit_entry.h"
#include "core/expected.h"
#include "core/json.h"
#include "store/store.h"

namespace bindery::report {

/// Who made the differences of a report, as the audit logs tell. Errors of the store while it is
/// asked leave an actor unknown.
class Attributions {
 public:
  /// `wanted` false: nothing is said of any difference. `store` must outlive it.
  [[nodiscard]] static Expected<Attributions> Read(const Store& store, bool wanted);

  /// Adds "attribution" to the JSON of what a difference is shown with: {"actor", "time", "method",
  /// "how", "entry", "source"} and "impersonator" where there is one; {"actor": "unknown"} where it
  /// cannot be told.
  void AddTo(Json& json, const DriftRecord& record);

 private:
  Attributions(const Store& store, bool wanted) : store_(store), wanted_(wanted) {}

  [[nodiscard]] Json Of(const DriftRecord& record);
  [[nodiscard]] const std::vector<WallTime>& OwnWrites(const Target& target);

  const Store& store_;
  bool wanted_;
  std::map<std::string, std::vector<AuditEntry>> entries_;   ///< By the target's name.
  std::map<std::string, std::vector<WallTime>> own_writes_;  ///< By the target's key.
};

/// "ana@example.com 2026-11-21 11:30 (SetIamPolicy)": who, when and how an item was made,
/// printable; "unknown" where that cannot be told, empty where nothing is said of it.
[[nodiscard]] std::string MadeBy(const Json& item);

/// The actor alone, with who acted as it: "ana@example.com as deploy@…".
[[nodiscard]] std::string ActorOf(const Json& item);

/// Something is said of the items of a report.
[[nodiscard]] bool AreAttributed(const Json& report);

}  // namespace bindery::report
