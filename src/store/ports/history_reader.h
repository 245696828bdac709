#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/base/clock.h"
#include "core/base/expected.h"
#include "store/ports/filters.h"
#include "store/ports/records.h"

namespace bindery::store {

/// The policies of targets, now and before, and what the audit logs tell of them.
///
/// Threads: any. Each call sees the durable state at its beginning, all of one moment; two calls
/// may see different moments.
///
/// Errors: kUnavailable when the store cannot be read now, kInternal "…is damaged…" when its
/// content cannot be understood; others are named where they come from.
class HistoryReader {
 public:
  virtual ~HistoryReader() = default;

  [[nodiscard]] virtual Expected<std::vector<TargetRecord>> Targets() const = 0;
  /// Oldest first; `with_policy` false leaves RevisionRecord::policy empty.
  [[nodiscard]] virtual Expected<std::vector<RevisionRecord>> Revisions(const Target& target,
                                                                        bool with_policy) const = 0;
  /// For every target the newest revision that is no later than `at`, without policies; forgotten
  /// targets included.
  /// Each is given to `take`, which may call the store.
  virtual Expected<void> ReadRevisionsInForce(
      WallTime at, const std::function<void(RevisionRecord&&)>& take) const = 0;
  /// For each of the targets, each named once, the oldest revision on record, without policies: in
  /// no particular order.
  [[nodiscard]] virtual Expected<std::vector<RevisionRecord>> FirstRevisions(
      const std::vector<Target>& targets) const = 0;
  /// With its policy; kNotFound if none exists of the id.
  [[nodiscard]] virtual Expected<RevisionRecord> Revision(std::int64_t id) const = 0;
  /// The JSON text of a stored policy; kNotFound if none exists of the digest.
  [[nodiscard]] virtual Expected<std::string> Policy(const std::string& digest) const = 0;
  /// The same of many digests, a text for each, with fewer questions to the store.
  [[nodiscard]] virtual Expected<std::vector<std::string>> Policies(
      const std::vector<std::string>& digests) const = 0;
  /// What the audit logs tell of a target, oldest first. kResourceExhausted when that is more than
  /// can well be held in memory.
  [[nodiscard]] virtual Expected<std::vector<AuditEntry>> AuditEntries(
      const AuditFilter& filter) const = 0;
};

}  // namespace bindery::store
