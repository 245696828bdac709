#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "attribution/attribute.h"
#include "core/access/audit_entry.h"
#include "core/access/target.h"
#include "core/base/clock.h"
#include "core/base/json.h"
#include "store/ports/history_reader.h"

namespace bindery::report {

/// Who made a difference, as the audit logs tell.
struct Attribution {
  /// As report::UnknownWord().
  [[nodiscard]] static std::string UnknownWord(const Json& json);

  std::string actor = "unknown";
  std::string impersonator;  ///< Who acted as the actor; empty: none.
  std::optional<WallTime> time;
  std::string method;
  std::optional<attribution::How> how;  ///< Not set: it cannot be told who it was.
  std::string entry;
  std::string source;
};

/// {"actor", "time", "method", "how", "entry", "source"} and "impersonator" if any; {"actor":
/// "unknown"} where it cannot be told.
[[nodiscard]] Json ToJson(const Attribution& attribution);
/// Reads the attribution; false when `json` is no object.
bool ReadJson(const Json& json, Attribution& attribution);

/// Who made the differences of a report, as the audit logs tell. Errors of the store while it is
/// asked leave an actor unknown. A finding about a difference is repeated, whatever has come
/// since.
class Attributions {
 public:
  /// `wanted` false: nothing is said of any difference. `store` must outlive the object.
  Attributions(const store::HistoryReader& store, bool wanted) : store_(store), wanted_(wanted) {}

  /// Nothing unless requested.
  [[nodiscard]] std::optional<Attribution> Find(const store::DriftRecord& record);

  /// How many entries of the logs were read for that until now.
  [[nodiscard]] std::size_t entries_read() const { return entries_read_; }

 private:
  /// The recorded state of the target that was asked for last: reports go through them in turn.
  struct History {
    Target target;
    std::vector<store::RevisionRecord> revisions;  ///< Without policies.
    std::vector<WallTime> own_writes;
    std::map<std::string, std::optional<std::vector<Grant>>> grants;  ///< By the policy's digest.
  };

  [[nodiscard]] Attribution Of(const store::DriftRecord& record);
  [[nodiscard]] std::optional<std::vector<AuditEntry>> ListEntries(
      const store::DriftRecord& record, std::optional<WallTime> read_before);
  [[nodiscard]] bool MayBeAnothers(const Target& target);
  [[nodiscard]] History* FindHistory(const Target& target);
  [[nodiscard]] const std::vector<Grant>* GrantsIn(History& history,
                                                   const store::RevisionRecord& revision) const;
  [[nodiscard]] std::optional<WallTime> ReadWithout(const store::DriftRecord& record,
                                                    History& history) const;
  [[nodiscard]] const std::vector<Grant>* GrantsUntil(History& history, WallTime time) const;
  [[nodiscard]] std::optional<Grant> FoundAs(const store::DriftRecord& record,
                                             History& history) const;

  const store::HistoryReader& store_;
  bool wanted_;
  std::size_t entries_read_ = 0;
  std::unordered_map<std::int64_t, Attribution> told_;  ///< By the difference.
  std::optional<History> history_;
  /// By the name of targets with a scope.
  std::optional<std::map<std::string, std::set<std::string>>> scopes_;
};

/// "ana@example.com 2026-11-21 11:30 (SetPolicy)": who, when and how an item was made,
/// printable; "unknown" where that cannot be told, empty where nothing is said of it.
[[nodiscard]] std::string MadeBy(const std::optional<Attribution>& attribution);

/// The actor alone, with the impersonator: "ana@example.com as deploy@…".
[[nodiscard]] std::string NameActor(const std::optional<Attribution>& attribution);

}  // namespace bindery::report
