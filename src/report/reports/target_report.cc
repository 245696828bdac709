#include "report/reports/target_report.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "providers/registry/kinds.h"
#include "report/access/condition_judge.h"
#include "report/access/grant_classes.h"
#include "report/access/observed_access.h"
#include "report/access/stored_names.h"
#include "report/reports/revision_report.h"
#include "report/reports/target_lines.h"
#include "report/text/json_fields.h"
#include "report/values/attributions.h"

namespace bindery::report {
namespace {

Expected<store::TargetRecord> FindTarget(const std::vector<store::TargetRecord>& records,
                                         const TargetName& wanted) {
  const store::TargetRecord* found = nullptr;
  for (const store::TargetRecord& record : records) {
    const Target& target = record.target;
    if (target.kind.str() != wanted.kind || target.name != wanted.name) continue;
    const bool elsewhere = target.scope.str() != wanted.scope && record.provider != wanted.scope;
    if (!wanted.scope.empty() && elsewhere) continue;
    if (found != nullptr) {
      return Fail(Code::kInvalidArgument,
                  "several providers have \"" + wanted.name + "\": name one with provider=");
    }
    found = &record;
  }
  if (found == nullptr) {
    return Fail(Code::kNotFound,
                "there is no target \"" + wanted.name + "\" of the kind \"" + wanted.kind + "\"");
  }
  return *found;
}

/// The policy line by line, each with its declarer; and missing declared grants.
Expected<std::vector<PolicyLine>> PolicyLines(const store::ReportReader& store,
                                              const store::TargetRecord& record,
                                              const std::vector<store::ResourceRecord>& resources) {
  const GrantWords& words = providers::GetTraits(record.target).words;
  std::map<EqualGrantKey, PolicyLine> lines;
  if (record.observed && !record.policy_digest.empty()) {
    auto grants = GrantsUnder(
        store, {record.target, record.observed_at, record.policy_digest, 0, record.exists});
    if (!grants) return Fail(grants.error());
    for (Grant& grant : *grants) {
      PolicyLine line;
      EqualGrantKey key = MakeGrantKey(record.target, grant);
      line.grant = {std::move(grant), words};
      lines[std::move(key)] = std::move(line);
    }
  }
  for (const store::ResourceRecord& resource : resources) {
    if (!resource.accepted) continue;
    for (Grant& grant : DeclaredGrants(resource)) {
      const auto [found, is_new] = lines.try_emplace(MakeGrantKey(record.target, grant));
      PolicyLine& line = found->second;
      const bool missing = is_new || line.state == GrantPresence::kMissing;
      line.state = missing ? GrantPresence::kMissing : GrantPresence::kDeclared;
      if (is_new) line.grant = {std::move(grant), words};
      line.source = DeclaringManifest{resource.name, resource.source_file, resource.source_line};
    }
  }
  std::vector<PolicyLine> list;
  for (auto& [key, line] : lines) list.push_back(std::move(line));
  return list;
}

GrantPresence GetPresence(GrantClass grant_class) {
  switch (grant_class) {
    case GrantClass::kAccepted:
      return GrantPresence::kAccepted;
    case GrantClass::kJustInTime:
      return GrantPresence::kJustInTime;
    case GrantClass::kServiceAgent:
      return GrantPresence::kServiceAgent;
    case GrantClass::kTombstone:
      return GrantPresence::kDeleted;
    case GrantClass::kDeclared:
    case GrantClass::kUndeclared:
    case GrantClass::kUnmanaged:
      break;
  }
  return GrantPresence::kUndeclared;
}

/// Of grants that no manifest declares, some are no drift. As a coverage counts them.
void TellClasses(TargetGrants described, const ClassRules& rules, std::vector<PolicyLine>& lines) {
  if (described.kind == nullptr) return;
  for (const PolicyLine& line : lines) {
    const Grant& grant = line.grant.grant;
    const bool found = line.state != GrantPresence::kMissing;
    if (found && !StandsForEverybody(described.target, grant)) described.grants.push_back(grant);
  }
  std::map<Grant, GrantPresence> classes;
  for (const ClassedGrant& classed : ClassGrants(described, rules)) {
    classes.emplace(classed.grant, GetPresence(classed.grant_class));
  }
  for (PolicyLine& line : lines) {
    if (line.state != GrantPresence::kUndeclared) continue;
    const auto found = classes.find(line.grant.grant);
    if (found != classes.end()) line.state = found->second;
  }
}

/// A grant under another name of the service is declared.
void NameAsStored(const Target& target, const std::vector<store::DriftRecord>& drift,
                  std::vector<PolicyLine>& lines) {
  for (PolicyLine& line : lines) {
    if (line.state != GrantPresence::kUndeclared) continue;
    const store::DriftRecord* note = FindDeclaredName(target, line.grant.grant, drift);
    if (note == nullptr) continue;
    const auto asked = std::find_if(lines.begin(), lines.end(), [&](const PolicyLine& other) {
      return other.state == GrantPresence::kMissing &&
             MakeGrantKey(target, other.grant.grant) == MakeGrantKey(target, note->item.grant);
    });
    if (asked == lines.end()) continue;
    line.state = GrantPresence::kDeclared;
    line.source = asked->source;
  }
  std::erase_if(lines, [&](const PolicyLine& line) {
    return line.state == GrantPresence::kMissing &&
           FindStoredName(target, line.grant.grant, drift) != nullptr;
  });
}

/// Names the authors of the lines that differ.
void AttributeLines(const store::ReportReader& store, const DriftByGrant& drift,
                    std::vector<PolicyLine>& lines) {
  Attributions attributions(store, /*wanted=*/true);
  for (PolicyLine& line : lines) {
    if (line.state == GrantPresence::kDeclared) continue;
    if (const store::DriftRecord* record = drift.Find(line.grant.grant)) {
      line.attribution = attributions.Find(*record);
    }
  }
}

/// Names the authors of foreign revisions, by one of the changed grants. The revision before shows
/// when the change was not there yet, so that each entry of the logs is looked at for one revision.
void AttributeRevisions(const store::ReportReader& store, const Target& target,
                        std::vector<RevisionLine>& revisions) {
  // Some 30 ms on a page. The newest revisions come first.
  constexpr std::size_t kMostEntries = 4'000;
  Attributions attributions(store, /*wanted=*/true);
  for (std::size_t i = 0; i < revisions.size(); ++i) {
    if (attributions.entries_read() >= kMostEntries) break;
    RevisionLine& revision = revisions[i];
    if (!revision.actor.empty() || !revision.changes) continue;
    const bool added = !revision.changes->added.empty();
    const auto& grants = added ? revision.changes->added : revision.changes->removed;
    if (grants.empty()) continue;
    store::DriftRecord change;
    change.id = revision.id;
    change.target = target;
    change.item.drift_class = added ? DriftClass::kUndeclared : DriftClass::kMissing;
    change.item.grant = grants.front().grant;
    change.first_seen = revision.time;
    if (i + 1 < revisions.size()) change.read_before = revisions[i + 1].time;
    const auto found = attributions.Find(change);
    if (found && found->how) revision.actor = found->actor;
  }
}

void BoundLines(std::vector<PolicyLine>& lines, WallTime now) {
  ConditionJudge judge = ConditionJudge::At(now);
  for (PolicyLine& line : lines) {
    line.time_bounds = judge.Judge(line.grant.grant.condition).bounds;
  }
}

std::vector<DeclaringResource> DeclaringOn(const std::vector<store::ResourceRecord>& resources) {
  std::vector<DeclaringResource> list;
  for (const store::ResourceRecord& resource : resources) {
    const ResourceStatus& status = resource.status;
    list.push_back({resource.name, status.state == ResourceState::kReady, status.state,
                    status.reason, MakeSourceLine(resource.source_file, resource.source_line)});
  }
  return list;
}

Expected<TargetDetail> MakeTargetDetail(const store::ReportReader& store, const TargetName& wanted,
                                        WallTime now, const TargetRules& rules) {
  const auto targets = store.TargetsNamed(wanted.name);
  if (!targets) return Fail(targets.error());
  const auto record = FindTarget(*targets, wanted);
  if (!record) return Fail(record.error());
  const Target& target = record->target;
  const auto resources = store.ResourcesOn(target);
  if (!resources) return Fail(resources.error());
  const auto drift = ListUnresolvedDrift(store, target);
  if (!drift) return Fail(drift.error());
  auto lines = PolicyLines(store, *record, *resources);
  if (!lines) return Fail(lines.error());
  const DriftByGrant by_grant(target, *drift);
  NameAsStored(target, *drift, *lines);
  const auto accepted = ReadAcceptedDrift(store, rules.keeping.accepted.get());
  if (!accepted) return Fail(accepted.error());
  TellClasses(DescribeTarget(target, *resources, *drift), {rules.keeping, *accepted, now}, *lines);
  BoundLines(*lines, now);
  if (rules.attribution) AttributeLines(store, by_grant, *lines);
  TargetStanding standing;
  standing.resources = static_cast<std::uint32_t>(resources->size());
  for (const store::DriftRecord& each : *drift) standing.Take(each);
  TargetDetail detail;
  static_cast<TargetLine&>(detail) = LineOfTarget(*record, standing);
  detail.etag = record->etag;
  detail.digest = record->policy_digest;
  detail.ever_written = record->ever_written;
  detail.declares = DeclaringOn(*resources);
  detail.lines = std::move(*lines);
  constexpr std::size_t kRevisionsShown = 20;
  auto revisions = RevisionList(store, target, kRevisionsShown);
  if (!revisions) return Fail(revisions.error());
  detail.revisions = std::move(*revisions);
  if (rules.attribution) AttributeRevisions(store, target, detail.revisions);
  if (!record->policy_digest.empty()) {
    const auto body = store.Policy(record->policy_digest);
    if (!body) return Fail(body.error());
    detail.policy = ObjectFromText(*body);
  }
  return detail;
}

}  // namespace

Expected<TargetDetail> TargetReport(const store::ReportReader& store, const TargetName& wanted,
                                    WallTime now, const TargetRules& rules) {
  return store::MakeTogether(store, [&] { return MakeTargetDetail(store, wanted, now, rules); });
}

}  // namespace bindery::report
