#include "store/ports/change.h"

namespace bindery::store {

bool StoreChange::empty() const {
  return !generation && !evidence && !problems && forget_resources.empty() &&
         upsert_snapshots.empty() && upsert_resources.empty() && standings.empty() &&
         upsert_targets.empty() && touch_targets.empty() && forget_targets.empty() &&
         revisions.empty() && drift.empty() && events.empty() && finished_intents.empty() &&
         upsert_holds.empty() && forget_rollbacks.empty() && upsert_rollbacks.empty() &&
         forget_files.empty() && upsert_files.empty() && !webhooks && webhook_progress.empty() &&
         audit_entries.empty() && forget_audit_files.empty() && upsert_audit_files.empty();
}

}  // namespace bindery::store
