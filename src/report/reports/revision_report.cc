#include "report/reports/revision_report.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "providers/registry/kinds.h"
#include "report/access/observed_access.h"
#include "report/reports/reports.h"
#include "report/text/json_fields.h"

namespace bindery::report {
namespace {

/// By role, principal in its normal form, and condition.
using Grants = std::map<std::tuple<std::string, std::string, std::optional<Condition>>, Grant>;

Grants ByKey(const Target& target, std::vector<Grant> grants) {
  Grants keyed;
  for (Grant& grant : grants) {
    auto key =
        std::make_tuple(grant.role, NormalizePrincipal(target, grant.principal), grant.condition);
    keyed.emplace(std::move(key), std::move(grant));
  }
  return keyed;
}

/// The grants of `after` that `before` lacks.
std::vector<GrantLine> Beyond(const Target& target, const Grants& after, const Grants& before) {
  std::vector<GrantLine> list;
  for (const auto& [key, grant] : after) {
    if (!before.contains(key)) list.push_back({grant, providers::GetTraits(target).words});
  }
  return list;
}

GrantChanges ChangesBetween(const Target& target, const Grants& before, const Grants& after) {
  return {Beyond(target, after, before), Beyond(target, before, after)};
}

Grants GrantsOfRevision(const store::RevisionRecord& record) {
  return ByKey(record.target, GrantsOfPolicy(record.target, record.policy));
}

/// The resources that a rollback suspends: all on the target that no operator has suspended yet.
Expected<std::vector<std::string>> Suspends(const store::ReportReader& store,
                                            const Target& target) {
  std::vector<std::string> names;
  auto resources = store.ResourcesOn(target);
  if (!resources) return Fail(resources.error());
  for (store::ResourceRecord& record : *resources) {
    // A former claim, "name (before generation 2)", goes with the resource of the name.
    const bool own = record.name.find(' ') == std::string::npos;
    if (own && record.accepted && !record.suspended) names.push_back(std::move(record.name));
  }
  return names;
}

/// The changes of writing the policy back now.
Expected<std::optional<RollbackPreview>> Rollback(const store::ReportReader& store,
                                                  const store::RevisionRecord& record) {
  const auto targets = store.TargetsNamed(record.target.name);
  if (!targets) return Fail(targets.error());
  for (const store::TargetRecord& target : *targets) {
    if (target.target != record.target || !target.observed || target.policy_digest.empty()) {
      continue;
    }
    auto now = GrantsUnder(
        store, {target.target, target.observed_at, target.policy_digest, 0, target.exists});
    if (!now) return Fail(now.error());
    return RollbackPreview{ChangesBetween(record.target, ByKey(record.target, std::move(*now)),
                                          GrantsOfRevision(record)),
                           target.observed_at};
  }
  return std::nullopt;
}

}  // namespace

RevisionLine LineOfRevision(const store::RevisionRecord& record,
                            const store::RevisionRecord* before) {
  RevisionLine line = {record.id,     record.time,  record.origin, record.etag,
                       record.digest, record.actor, std::nullopt};
  if (before != nullptr) {
    line.changes =
        ChangesBetween(record.target, GrantsOfRevision(*before), GrantsOfRevision(record));
  }
  return line;
}

Expected<std::vector<RevisionLine>> RevisionList(const store::ReportReader& store,
                                                 const Target& target, std::size_t most) {
  // With the one before the last to show.
  const auto records = store.NewestRevisions(target, most + 1);
  if (!records) return Fail(records.error());
  std::vector<RevisionLine> list;
  for (std::size_t i = records->size(); i-- > 0 && list.size() < most;) {
    list.push_back(LineOfRevision(records->at(i), i == 0 ? nullptr : &records->at(i - 1)));
  }
  return list;
}

Expected<RevisionDetail> RevisionReport(const store::ReportReader& store, const std::string& name,
                                        std::int64_t id) {
  const auto resource = FindResource(store, name);
  if (!resource) return Fail(resource.error());
  if (providers::IsLookup(resource->token)) {
    return Fail(
        Code::kFailedPrecondition,
        "\"" + name + "\" is a lookup: nothing is written for it, and no revisions are kept");
  }
  const auto records = store.Revisions(resource->target, true);
  if (!records) return Fail(records.error());
  const auto found =
      std::find_if(records->begin(), records->end(),
                   [id](const store::RevisionRecord& record) { return record.id == id; });
  if (found == records->end()) {
    return Fail(Code::kNotFound,
                "\"" + name + "\" has no revision " + std::to_string(id) + " on record");
  }
  const store::RevisionRecord* before = found == records->begin() ? nullptr : &*std::prev(found);
  RevisionDetail detail = {resource->name, resource->token.kind, resource->target.name, {}, {}, {}};
  static_cast<RevisionLine&>(detail.revision) = LineOfRevision(*found, before);
  detail.revision.policy = ObjectFromText(found->policy);
  if (before != nullptr) detail.revision.previous = before->id;
  auto rollback = Rollback(store, *found);
  if (!rollback) return Fail(rollback.error());
  detail.rollback = std::move(*rollback);
  auto suspends = Suspends(store, resource->target);
  if (!suspends) return Fail(suspends.error());
  detail.suspends = std::move(*suspends);
  return detail;
}

}  // namespace bindery::report
