#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "controller/claims/resource_entry.h"
#include "controller/clock/now.h"
#include "controller/gates/engine_work.h"
#include "core/access/event.h"

namespace bindery::controller {

/// Decides whether the etag of a policy is enough for a check, and learns the services with
/// unreliable etags.
///
/// Invariants: the etag is enough only where the last full read found everything as declared, and
/// nothing that was declared changed since (TargetEntry::last_synced_digest). Every
/// full_read_every-th check reads the whole policy. A service is known by provider and kind of
/// policy: once a policy of it changed under the same etag, or several answers in a row were no
/// etag, all of its policies are read in full until the process ends. Belongs to the loop thread.
class EtagTrust {
 public:
  /// As EngineSettings::full_read_every.
  void SetFullReadEvery(int checks) { full_read_every_ = checks; }

  /// The check may begin with the etag. Requires: TargetEntry::last_synced_digest is known.
  [[nodiscard]] bool MayAsk(const TargetEntry& target, Priority priority) const;

  /// The etags of its service are known to move with each change, and were not seen to stand still.
  [[nodiscard]] bool Trusts(const TargetEntry& target) const;

  /// Takes a check that succeeded into account. An event when the service is not trusted from now
  /// on.
  [[nodiscard]] std::optional<Event> Note(TargetEntry& target, const CheckResult& result,
                                          const Now& now);
  /// A policy of the service changed, and its etag did not. The same.
  [[nodiscard]] std::optional<Event> NoteStoodStill(const TargetEntry& target, const Now& now);

  /// A check that did not begin with the etag found everything as declared. The time of the first
  /// full read afterwards depends on the target, so that full reads do not fall into one pass.
  void Spread(TargetEntry& target) const;

 private:
  /// Provider and kind of policy.
  using Service = std::pair<std::string, std::string>;

  [[nodiscard]] std::optional<Event> Distrust(const TargetEntry& target, const char* reason,
                                              const std::string& why, const Now& now);

  int full_read_every_ = 1;
  std::set<Service> distrusted_;
  std::map<Service, int> unusable_;  ///< Answers in a row that were no etag.
};

}  // namespace bindery::controller
