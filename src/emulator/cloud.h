#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/clock.h"
#include "core/base/expected.h"
#include "core/base/mutex.h"
#include "emulator/datadog/listed_entries.h"
#include "emulator/datadog/principals.h"
#include "emulator/google/error.h"
#include "emulator/google/iam_resources.h"
#include "emulator/google/policy_rules.h"
#include "emulator/google/privileged_access.h"
#include "emulator/identities.h"
#include "emulator/rate_limit.h"
#include "emulator/seed.h"
#include "emulator/seeded_entries.h"
#include "emulator/storage.h"
#include "emulator/versioned.h"

namespace bindery::emulator {

/// Everything this cloud holds. In memory for reading; every change is in the store before the
/// function that makes it returns. Safe to call from any thread.
class Cloud {
 public:
  /// Opens the store at `path` (":memory:" for none) and reads it. `clock` must outlive the cloud.
  [[nodiscard]] static Expected<std::unique_ptr<Cloud>> Open(const std::string& path,
                                                             const Clock& clock);

  /// Adds missing entries and leaves the rest unchanged.
  [[nodiscard]] Expected<void> Add(std::vector<Entry> entries);
  /// Forgets everything else.
  [[nodiscard]] Expected<void> Replace(std::vector<Entry> entries);
  [[nodiscard]] std::vector<Entry> Entries();

  // Google. `key` is that of MakeKey(); NOT_FOUND when nothing with the key was seeded.
  [[nodiscard]] GoogleResult<Json> ReadPolicy(const std::string& key, int requested_version,
                                              Staleness staleness);
  [[nodiscard]] GoogleResult<Json> WritePolicy(const std::string& key, const PolicyWrite& write);
  [[nodiscard]] GoogleResult<Json> ReadDocument(const std::string& key);
  [[nodiscard]] bool Holds(const std::string& key);

  /// A name may have the project's number instead of its id.
  [[nodiscard]] std::string Canonical(const std::string& name);

  /// The answer of `act`, on the present state; its changes go into the storage.
  using PrivilegedCall = std::function<GoogleResult<Json>(PrivilegedAccess&, Storage&)>;
  [[nodiscard]] GoogleResult<Json> WithPrivilegedAccess(const PrivilegedCall& act);

  /// The answer of `read` about all resources, groups and grants.
  using AssetRead = std::function<GoogleResult<Json>(const IamResources&, const PrivilegedAccess&)>;
  [[nodiscard]] GoogleResult<Json> ReadAssets(const AssetRead& read);

  // Datadog. A policy that was never written, or deleted, has no bindings.
  [[nodiscard]] Json ReadRestriction(const std::string& id, Staleness staleness);
  /// `refuse` sees the present bindings and may veto; its text is returned.
  using Veto = std::function<std::optional<std::string>(const Json& present)>;
  [[nodiscard]] Expected<std::optional<std::string>> WriteRestriction(const std::string& id,
                                                                      Json bindings,
                                                                      const Veto& refuse);

  /// As ListedEntries::Now().
  [[nodiscard]] Json ReadListed(std::string_view section, Staleness staleness);
  /// An id that no entry of the section has had.
  [[nodiscard]] std::string NewListedId(std::string_view section, const std::string& name);
  /// `decide` sees the list of the section and the present value of the entry, null if none exists,
  /// and says what the value is to be; nothing: as it is. The entry as it is in an answer; null
  /// when it is deleted, or nothing was written.
  using Decision = std::function<std::optional<Json>(const Json& list, const Json* present)>;
  [[nodiscard]] Expected<Json> WriteListed(std::string_view section, const std::string& id,
                                           const Decision& decide);

  [[nodiscard]] Identities& identities() { return identities_; }
  [[nodiscard]] StandingLimits& limits() { return limits_; }
  /// What `read` answers of the roles, teams and users of Datadog.
  template <typename Read>
  [[nodiscard]] auto WithPrincipals(const Read& read) {
    const MutexLock lock(mutex_);
    const DatadogPrincipals& principals = datadog_principals_;
    return read(principals);
  }

 private:
  Cloud(std::unique_ptr<Storage> storage, const Clock& clock)
      : clock_(clock),
        identities_(clock),
        storage_(std::move(storage)),
        iam_(clock),
        privileged_(clock, iam_) {}

  void Take(const Entry& entry) REQUIRES(mutex_);
  void TakeSeeded(const Entry& entry) REQUIRES(mutex_);
  [[nodiscard]] bool Holds(const Entry& entry) const REQUIRES(mutex_);
  void TakeOptions(const Json& options) REQUIRES(mutex_);
  /// Takes overdue grants out of the policies; returns the failure.
  [[nodiscard]] std::optional<GoogleError> EndOverdueGrants() REQUIRES(mutex_);

  const Clock& clock_;
  Identities identities_;
  StandingLimits limits_;
  Mutex mutex_;
  std::unique_ptr<Storage> storage_ GUARDED_BY(mutex_);
  IamResources iam_ GUARDED_BY(mutex_);
  PrivilegedAccess privileged_ GUARDED_BY(mutex_);  ///< Refers to it.
  std::unordered_map<std::string, Versioned<Json>> restrictions_ GUARDED_BY(mutex_);
  ListedEntries listed_ GUARDED_BY(mutex_);
  DatadogPrincipals datadog_principals_ GUARDED_BY(mutex_);
  SeededEntries seeded_ GUARDED_BY(mutex_);
  // Sections and keys in the order of arrival.
  std::vector<std::pair<std::string, std::string>> order_ GUARDED_BY(mutex_);
};

}  // namespace bindery::emulator
