#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "core/base/clock.h"
#include "core/base/expected.h"
#include "store/ports/filters.h"
#include "store/ports/records.h"

namespace bindery::store {

/// The state of the last run, for a start and for previews that begin as one.
///
/// Threads: any. Each call sees the durable state at its beginning, all of one moment; two calls
/// may see different moments.
///
/// Errors: kUnavailable when the store cannot be read now, kInternal "…is damaged…" when its
/// content cannot be understood. A start fails with them: none of this is guessed.
class StartupReader {
 public:
  virtual ~StartupReader() = default;

  // There may be 100,000s of rows: each is given to `take`, on the caller's thread, in no
  // particular order, while more are read. What `take` leaves in a record is used again. Several
  // threads can read at once, and `take` may call the store. An error may come after some were
  // given.

  /// All targets, then all resources, of one moment.
  virtual Expected<void> ReadCatalog(
      const std::function<void(TargetRecord&&)>& take_target,
      const std::function<void(ResourceRecord&&)>& take_resource) const = 0;
  /// The manifest files on record.
  virtual Expected<void> ReadFiles(const std::function<void(FileRecord&&)>& take) const = 0;

  [[nodiscard]] virtual Expected<std::optional<GenerationRecord>> LastGeneration() const = 0;
  /// Earlier generations with different digests: the last of each digest.
  [[nodiscard]] virtual Expected<std::vector<GenerationRecord>> OlderGenerations() const = 0;
  /// Empty when none is on record.
  [[nodiscard]] virtual Expected<EvidenceRecord> Evidence() const = 0;
  [[nodiscard]] virtual Expected<std::vector<DriftRecord>> Drift(
      const DriftFilter& filter) const = 0;
  [[nodiscard]] virtual Expected<std::vector<HoldRecord>> Holds() const = 0;
  [[nodiscard]] virtual Expected<std::vector<IntentRecord>> OpenIntents() const = 0;
  /// What writes took away that began since then, or within seven days before the last such write,
  /// oldest first: also those without an outcome, not those known to have changed nothing. Kept for
  /// seven days at least.
  [[nodiscard]] virtual Expected<std::vector<RemovalRecord>> Removals(WallTime since) const = 0;
  [[nodiscard]] virtual Expected<std::vector<RollbackRecord>> Rollbacks() const = 0;
  /// With its policy; kNotFound if none exists of the id.
  [[nodiscard]] virtual Expected<RevisionRecord> Revision(std::int64_t id) const = 0;
};

}  // namespace bindery::store
