#include "store/store.h"

#include "store/opening.h"
#include "store/sqlite_store.h"

namespace bindery {
namespace {

Expected<std::unique_ptr<Store>> OpenReadOnly(const std::filesystem::path& path,
                                              const Clock& clock) {
  auto reader = store::OpenForReading(path);
  if (!reader) return Fail(reader.error());
  return std::make_unique<store::SqliteStore>(path, std::move(*reader), clock);
}

}  // namespace

bool StoreChange::empty() const {
  return !generation && !evidence && !problems && forget_resources.empty() &&
         upsert_snapshots.empty() && upsert_resources.empty() && upsert_targets.empty() &&
         touch_targets.empty() && forget_targets.empty() && revisions.empty() && drift.empty() &&
         events.empty() && finished_intents.empty() && upsert_holds.empty() &&
         forget_rollbacks.empty() && upsert_rollbacks.empty() && forget_files.empty() &&
         upsert_files.empty() && !webhooks && webhook_progress.empty() && audit_entries.empty() &&
         forget_audit_files.empty() && upsert_audit_files.empty();
}

Expected<std::unique_ptr<Store>> Store::Open(const std::filesystem::path& path, Access access,
                                             const Clock& clock) {
  if (access == Access::kReadOnly) return OpenReadOnly(path, clock);

  auto lock = store::LockFile::Take(path.string(), "stop it first, or give this one another store");
  if (!lock) return Fail(lock.error());
  auto opened = store::OpenForWriting(path, clock);
  if (!opened) return Fail(opened.error());
  auto reader = store::OpenForReading(path);
  if (!reader) return Fail(reader.error());
  return std::make_unique<store::SqliteStore>(
      path, std::move(*lock), std::move(opened->recovered_from), std::move(opened->connection),
      std::move(*reader), clock);
}

}  // namespace bindery
