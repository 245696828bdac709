#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/clock.h"
#include "core/base/json.h"
#include "emulator/google/containers.h"
#include "emulator/google/error.h"
#include "emulator/google/groups.h"
#include "emulator/google/iam_policy.h"
#include "emulator/google/policy_rules.h"
#include "emulator/google/projects.h"
#include "emulator/seed.h"
#include "emulator/versioned.h"

namespace bindery::emulator {

/// Google's resources, by the keys of MakeKey(): documents and allow policies, the rules of the
/// policies, and the projects. Every written policy has a later etag than all former policies,
/// deleted ones included. Not thread-safe.
class IamResources {
 public:
  /// `clock` must outlive the object.
  explicit IamResources(const Clock& clock) : clock_(clock) {}

  /// Whether entries of the section are kept here.
  [[nodiscard]] static bool Keeps(std::string_view section);

  void Put(const Entry& entry);
  void AddPrincipal(Principal principal) { principals_.Add(std::move(principal)); }
  [[nodiscard]] Projects& projects() { return projects_; }
  [[nodiscard]] const Projects& projects() const { return projects_; }
  [[nodiscard]] Containers& containers() { return containers_; }
  [[nodiscard]] const Containers& containers() const { return containers_; }
  [[nodiscard]] Groups& groups() { return groups_; }
  [[nodiscard]] const Groups& groups() const { return groups_; }
  /// "projects/ID" or "projects/NUMBER", a folder or an organization, as Resource Manager describes
  /// it. Nothing: it is missing.
  [[nodiscard]] std::optional<Json> Describe(const std::string& name) const;
  /// The container that a resource of the name is in. A name that tells none, as a bucket's, is in
  /// the only project of the cloud; empty: there are several.
  [[nodiscard]] std::string GetContainer(std::string_view name) const;
  void SetRules(IamRules rules) { rules_ = std::move(rules); }
  /// Forgets the resources, the principals, the projects and the groups.
  void Clear();

  /// Gives an etag to each policy of entries that have none.
  void GiveEtags(std::vector<Entry>& entries);

  [[nodiscard]] bool Holds(const std::string& key) const { return resources_.contains(key); }
  /// Of all resources, sorted.
  [[nodiscard]] std::vector<std::string> Keys() const;
  /// The resource in the form of a seed. Requires: it exists.
  [[nodiscard]] Entry ToEntry(const std::string& key) const;
  /// The same with the given policy.
  [[nodiscard]] Entry ToEntry(const std::string& key, const Policy& policy) const;

  // NOT_FOUND when nothing with the key was put.
  [[nodiscard]] GoogleResult<Json> ReadDocument(const std::string& key) const;
  [[nodiscard]] GoogleResult<Json> ReadPolicy(const std::string& key, int requested_version,
                                              Staleness staleness) const;
  /// The policy after a write. The policy changes only by SetPolicy().
  [[nodiscard]] GoogleResult<Policy> Changed(const std::string& key, const PolicyWrite& write);

  /// The policy as it is now; null when nothing with the key was put. Until the next change.
  [[nodiscard]] const Policy* Find(const std::string& key) const;
  /// For a policy written now.
  [[nodiscard]] EtagMicros NextEtag();
  /// For an existing resource; the policy in the writer's form.
  [[nodiscard]] Json SetPolicy(const std::string& key, Policy policy);

 private:
  struct Resource {
    std::string section;
    Json document;
    Versioned<Policy> policy;
  };

  const Clock& clock_;
  std::unordered_map<std::string, Resource> resources_;
  Principals principals_;
  IamRules rules_;
  Projects projects_;
  Containers containers_;
  Groups groups_;
  EtagMicros last_etag_ = 0;
};

}  // namespace bindery::emulator
