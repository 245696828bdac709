#pragma once

#include <set>
#include <string>
#include <vector>

#include "controller/engine/scan_intake.h"
#include "controller/outbox/requesters.h"
#include "controller/removals/removal_control.h"
#include "controller/work/work_schedule.h"
#include "store/ports/change.h"

namespace bindery::controller {

/// Carries out what people ask for: check now, suspend, roll back, forget, approve and deny.
///
/// Invariants: a command that returns an error changed nothing, but for the hold on record, which
/// Approve and Deny bring up to date in any case. No command touches the cloud by itself. Belongs
/// to the loop thread; all arguments outlive the object.
class OperatorCommands {
 public:
  /// The parts of the object.
  struct Parts {
    Catalog& catalog;
    Outbox& outbox;
    WorkSchedule& schedule;
    RemovalControl& removals;
    Rollbacks& rollbacks;
    ScanIntake& scans;
  };
  explicit OperatorCommands(const Parts& parts) : parts_(parts) {}

  using Reply = Requesters::Reply;
  /// Checks the targets of the resources now; replies once for each name. kNotFound: unknown
  /// name.
  [[nodiscard]] Expected<void> Reconcile(const std::vector<std::string>& names, const Now& now,
                                         const Reply& reply);
  /// Records the requester of a check of the resources. Requires: the resources are known.
  void CheckRequested(const std::vector<std::string>& names, const std::string& actor,
                      const Now& now);
  /// From now on what these resources do not declare any more is removed without waiting for the
  /// directory to settle, and what their services refused is tried with the next check. kNotFound:
  /// unknown name.
  [[nodiscard]] Expected<void> MakeUrgent(const std::vector<std::string>& names,
                                          const std::string& actor, const Now& now);
  [[nodiscard]] Expected<void> Suspend(const std::vector<std::string>& names, bool suspend,
                                       const std::string& actor, const Now& now);
  /// Writes a recorded policy back and suspends the target's resources.
  [[nodiscard]] Expected<void> Rollback(const std::string& name,
                                        const store::RevisionRecord& revision,
                                        const std::string& actor, const Now& now, Reply reply);
  /// kFailedPrecondition for a lookup, of which no revisions are kept.
  [[nodiscard]] Expected<void> MayRollBack(const std::string& name) const;
  /// Forgets resources with deleted manifests, and their former claims, without touching the cloud.
  /// kFailedPrecondition while a manifest exists, and where the next check of the target would
  /// remove the no longer declared grants.
  [[nodiscard]] Expected<void> Forget(const std::vector<std::string>& names,
                                      const std::string& actor, const Now& now);
  using Decided = RemovalHolds::Decided;
  /// Lets through what waits under the digest, or was denied; a unique beginning of it is enough.
  [[nodiscard]] Expected<Decided> Approve(const std::string& digest, const std::string& actor,
                                          const Now& now);
  /// The removals under the digest do not happen, until the directory changes on these targets, or
  /// an operator approves the removals.
  [[nodiscard]] Expected<Decided> Deny(const std::string& digest, const std::string& actor,
                                       const Now& now);

 private:
  [[nodiscard]] Expected<void> MayForget(const std::string& name,
                                         const std::set<std::string>& all) const;
  void SetSuspended(const std::vector<std::string>& names, bool suspend, const std::string& actor,
                    store::StoreChange& change, const Now& now);
  void CheckAll(const std::vector<Target>& targets, const Now& now);

  Parts parts_;
};

}  // namespace bindery::controller
