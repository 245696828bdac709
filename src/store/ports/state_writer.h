#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "core/base/clock.h"
#include "core/base/expected.h"
#include "store/ports/change.h"
#include "store/ports/records.h"

namespace bindery::store {

/// Puts on record what was decided and seen: for the loop, the runner of writes, the webhooks and
/// the audit feed.
///
/// Threads: any. Changes are carried out in sequence, in the order in which they were given,
/// whichever function gave them; several may become durable at once. A change is carried out as a
/// whole or not at all, and one that fails leaves the others alone. A read that begins after a
/// change was told to be done finds it.
///
/// Errors: kFailedPrecondition when the store was opened for reading only, and those named at a
/// function: nothing of the change is on record. Any other (kUnavailable, kResourceExhausted,
/// kPermissionDenied, kInternal): the store cannot take writes now, and whether the change is on
/// record is not known.
class StateWriter {
 public:
  virtual ~StateWriter() = default;

  /// Carries out `change` and blocks until it is durable. kAlreadyExists when the change would give
  /// a (kind, scope, target, role) to two accepted resources; within a change claims may move
  /// freely. kInternal when the change names a policy by digest that neither this change nor an
  /// earlier change stored.
  virtual Expected<void> Apply(StoreChange change) = 0;

  /// The same without blocking; `done` is called on the writer's thread, once, in the order of the
  /// changes; on the caller's thread when the store is open for reading only. It must be quick, and
  /// must not wait for the store to write (Apply, Flush, Retain); reading is fine. An empty change
  /// waits for its turn too.
  virtual void Submit(StoreChange change, std::function<void(Expected<void>)> done) = 0;

  /// Records the intent of a write. `done`, called like the callback of Submit, gets the intent's
  /// id after the commit.
  virtual void BeginWrite(IntentRecord intent,
                          std::function<void(Expected<std::int64_t>)> done) = 0;

  /// Whether the recorded state may be carried out now: not once another writer of the store may
  /// have taken over, as after the program stood still. Asked right before each write to a cloud.
  [[nodiscard]] virtual Expected<void> MayAct() const { return {}; }

  /// Blocks until all submitted before is durable.
  virtual Expected<void> Flush() = 0;

  /// Deletes events and resolved drift older than `before`, all but the newest `revisions` of each
  /// target, and policies nothing names any more. The first foreign revision of a target stays.
  /// Also of the age: entries of audit logs about targets without drift on record, finished intents
  /// (those that Removals() tells of only when older than seven days), withdrawn and released
  /// holds, generations but the newest 10,000. Blocks until that is durable.
  virtual Expected<void> Retain(WallTime before, std::size_t revisions) = 0;
};

}  // namespace bindery::store
