#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "core/access/grant.h"
#include "core/access/target.h"
#include "core/base/clock.h"
#include "core/base/expected.h"
#include "core/base/interned.h"
#include "reconcilers/principals.h"
#include "report/codec/source_line.h"
#include "store/ports/report_reader.h"

namespace bindery::report {

/// The policy of one target, at its last reading, or at a recorded time.
struct ObservedPolicy {
  Target target;
  WallTime observed_at;
  std::string digest;         ///< Names the stored policy; empty where there was none to store.
  std::int64_t revision = 0;  ///< Of the history; 0: as last read.
  bool exists = true;
  /// Of a policy that only a scan shows: its bindings. Null: bindery read the policy.
  const std::string* scanned = nullptr;
  /// The kind by whose rules grants are judged on a resource without a kind.
  Interned judged_as = {};

  /// The target, for questions about the rules of its kind.
  [[nodiscard]] Target GetRules() const {
    return judged_as.empty() ? target : Target{judged_as, target.scope, target.name};
  }
};

/// The policy that a revision has.
[[nodiscard]] ObservedPolicy RecordPolicy(store::RevisionRecord&& revision);

/// The last reading of every recorded target; with `at` the revision in force then, of every former
/// target. By target. Without unread targets and lookups.
[[nodiscard]] Expected<std::vector<ObservedPolicy>> ObservedPolicies(
    const store::ReportReader& store, std::optional<WallTime> at);

/// The holders of grants under the policy. A policy that restricts nobody is one grant of every
/// relation ("*") to KindTraits::opens_to.
[[nodiscard]] Expected<std::vector<Grant>> GrantsUnder(const store::HistoryReader& store,
                                                       const ObservedPolicy& policy);
/// The same of many policies, in their order, with fewer questions to the store.
[[nodiscard]] Expected<std::vector<std::vector<Grant>>> GrantsUnderEach(
    const store::HistoryReader& store, const std::vector<const ObservedPolicy*>& policies);
/// The same for the text of a policy of the target.
[[nodiscard]] std::vector<Grant> GrantsOfPolicy(const Target& target, const std::string& body);

/// The grant of a policy that restricts nobody.
[[nodiscard]] bool StandsForEverybody(const Target& target, const Grant& grant);

/// The spelling in which equal principals of such targets are equal.
[[nodiscard]] std::string NormalizePrincipal(const Target& target, const std::string& principal);

/// The same principal holds the same role, under whatever condition.
[[nodiscard]] bool SameHolder(const Target& target, const Grant& one, const Grant& other);

/// Equal grants have equal keys.
using EqualGrantKey = std::tuple<std::string, std::string, std::optional<Condition>>;
/// Null: principals are equal in one spelling only.
[[nodiscard]] EqualGrantKey MakeGrantKey(const reconcilers::PrincipalRules* rules,
                                         const Grant& grant);
[[nodiscard]] EqualGrantKey MakeGrantKey(const Target& target, const Grant& grant);

/// The differences of one target by grant, for policies with thousands of lines. Uses the target
/// and the differences.
class DriftByGrant {
 public:
  DriftByGrant(const Target& target, const std::vector<store::DriftRecord>& drift);

  /// The difference that the grant is part of, as declared or as observed; nullptr: none.
  [[nodiscard]] const store::DriftRecord* Find(const Grant& grant) const;

 private:
  const Target& target_;
  std::map<EqualGrantKey, const store::DriftRecord*> first_;  ///< Of equal grants.
  /// The last changed condition of each role and principal; the keys have no condition.
  std::map<EqualGrantKey, const store::DriftRecord*> changed_;
};

/// The differences that stand, of one target or of all.
[[nodiscard]] Expected<std::vector<store::DriftRecord>> ListUnresolvedDrift(
    const store::ReportReader& store, const Target& target);

/// What the manifest in force declares.
[[nodiscard]] std::vector<Grant> DeclaredGrants(const store::ResourceRecord& resource);

/// The source of a grant: the declaring manifest in force, or the service of just-in-time access.
class GrantSources {
 public:
  /// Of the resources, and of differences on their targets.
  [[nodiscard]] static GrantSources Among(const std::vector<store::ResourceRecord>& resources,
                                          const std::vector<store::DriftRecord>& drift);

  /// The grants of just-in-time access on all targets.
  [[nodiscard]] static Expected<GrantSources> OnRequest(const store::ReportReader& store);
  /// At least the same on the targets.
  [[nodiscard]] static Expected<GrantSources> OnRequest(const store::ReportReader& store,
                                                        const std::set<Target>& targets);
  /// Takes the manifests on the targets, in the place of those so far.
  [[nodiscard]] Expected<void> TurnTo(const store::ReportReader& store,
                                      const std::set<Target>& targets);

  /// Nothing when no manifest declares exactly the grant.
  [[nodiscard]] std::optional<DeclaringManifest> Of(const Target& target, const Grant& grant) const;
  /// "just-in-time access until … by …: …" of what the last reading of the target showed; else
  /// empty.
  [[nodiscard]] std::string AccessOnRequest(const Target& target, const Grant& grant) const;

 private:
  void Take(const store::ResourceRecord& resource);
  void TakeDrift(const store::DriftRecord& record);

  std::unordered_map<std::string, DeclaringManifest> sources_;  ///< By target and grant.
  std::unordered_map<std::string, std::string> on_request_;     ///< The same.
};

}  // namespace bindery::report
