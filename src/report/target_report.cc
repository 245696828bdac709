#include "report/target_report.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "providers/kinds.h"
#include "report/attributions.h"
#include "report/condition_judge.h"
#include "report/json_fields.h"
#include "report/observed_access.h"

namespace bindery {
namespace {

constexpr std::size_t kAllDrift = 1'000'000;

/// What else is known of a target, besides its own record.
struct Standing {
  std::size_t resources = 0;
  std::size_t open = 0;
  std::size_t held = 0;
  std::optional<Severity> worst;
};

bool Contains(const std::string& where, const std::string& text) {
  const auto same = [](unsigned char a, unsigned char b) {
    return std::tolower(a) == std::tolower(b);
  };
  return std::search(where.begin(), where.end(), text.begin(), text.end(), same) != where.end();
}

Expected<std::vector<DriftRecord>> UnresolvedDrift(const ReportReader& store) {
  DriftFilter filter;
  filter.unresolved_only = true;
  filter.limit = kAllDrift;
  return store.Drift(filter);
}

Expected<std::map<Target, Standing>> Standings(const ReportReader& store,
                                               const std::vector<ResourceRecord>& resources) {
  std::map<Target, Standing> standings;
  for (const ResourceRecord& resource : resources) ++standings[resource.target].resources;
  const auto drift = UnresolvedDrift(store);
  if (!drift) return Fail(drift.error());
  for (const DriftRecord& record : *drift) {
    if (record.item.state == DriftState::kAccepted) continue;
    Standing& standing = standings[record.target];
    ++(record.item.state == DriftState::kHeld ? standing.held : standing.open);
    standing.worst = std::max(standing.worst.value_or(record.item.severity), record.item.severity);
  }
  return standings;
}

Json TargetJson(const TargetRecord& record, const Standing& standing) {
  return {{"target", record.target.name},
          {"kind", record.target.kind},
          {"provider", record.provider},
          {"scope", record.target.scope},
          {"resources", standing.resources},
          {"grants", record.grants},
          {"observed", record.observed},
          {"exists", record.exists},
          {"observedAt", report::TimeOrNull(record.observed_at)},
          {"open", standing.open},
          {"held", standing.held},
          {"severity", standing.worst ? Json(ToString(*standing.worst)) : Json()}};
}

Expected<TargetRecord> FindTarget(const std::vector<TargetRecord>& records,
                                  const TargetName& wanted) {
  const TargetRecord* found = nullptr;
  for (const TargetRecord& record : records) {
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

/// Equal grants have equal keys.
using EqualGrantKey = std::tuple<std::string, std::string, std::optional<Condition>>;

EqualGrantKey KeyOf(const Target& target, const Grant& grant) {
  return {grant.role, report::NormalPrincipalOf(target, grant.principal), grant.condition};
}

struct ReportedGrant {
  Grant grant;
  const char* state = "undeclared";
  Json source = nullptr;
};

/// The policy line by line, each with who declares it; and what is declared and not there.
Expected<std::vector<ReportedGrant>> Lines(const ReportReader& store, const TargetRecord& record,
                                           const std::vector<ResourceRecord>& resources) {
  std::map<EqualGrantKey, ReportedGrant> lines;
  if (record.observed && !record.policy_digest.empty()) {
    auto grants = report::GrantsUnder(
        store, {record.target, record.observed_at, record.policy_digest, 0, record.exists});
    if (!grants) return Fail(grants.error());
    for (Grant& grant : *grants) {
      EqualGrantKey key = KeyOf(record.target, grant);
      lines[std::move(key)] = {std::move(grant)};
    }
  }
  for (const ResourceRecord& resource : resources) {
    if (!resource.accepted || resource.target != record.target) continue;
    for (Grant& grant : report::DeclaredGrants(resource)) {
      const auto [line, is_new] = lines.try_emplace(KeyOf(record.target, grant));
      line->second.state =
          is_new || line->second.state == std::string_view("missing") ? "missing" : "declared";
      if (is_new) line->second.grant = std::move(grant);
      line->second.source = {{"resource", resource.name},
                             {"file", resource.source_file},
                             {"line", resource.source_line}};
    }
  }
  std::vector<ReportedGrant> list;
  for (auto& [key, line] : lines) list.push_back(std::move(line));
  return list;
}

/// Says of the lines that differ who made it so.
Expected<void> AttributeLines(const ReportReader& store, const Target& target,
                              const std::vector<ReportedGrant>& lines, Json& list) {
  report::Attributions attributions(store, /*wanted=*/true);
  auto drift = UnresolvedDrift(store);
  if (!drift) return Fail(drift.error());
  std::erase_if(*drift, [&](const DriftRecord& record) { return record.target != target; });
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].state == std::string_view("declared")) continue;
    if (const DriftRecord* record = report::DriftOf(target, lines[i].grant, *drift)) {
      attributions.AddTo(list[i], *record);
    }
  }
  return {};
}

Json LinesJson(const Target& target, const std::vector<ReportedGrant>& lines, WallTime now) {
  report::ConditionJudge judge = report::ConditionJudge::At(now);
  Json list = Json::array();
  for (const ReportedGrant& line : lines) {
    list.push_back({{"grant", ToJson(line.grant, TraitsOf(target).words)},
                    {"state", line.state},
                    {"source", line.source},
                    {"timeBounds", judge.Judge(line.grant.condition).time_bounds}});
  }
  return list;
}

Json DeclaringJson(const Target& target, const std::vector<ResourceRecord>& resources) {
  Json list = Json::array();
  for (const ResourceRecord& resource : resources) {
    if (resource.target != target) continue;
    list.push_back({{"name", resource.name},
                    {"ready", resource.status.state == ResourceState::kReady},
                    {"state", ToString(resource.status.state)},
                    {"reason", resource.status.reason},
                    {"source", report::SourceJson(resource.source_file, resource.source_line)}});
  }
  return list;
}

}  // namespace

Expected<Json> TargetsReport(const ReportReader& store, const std::string& text,
                             const ListPage& page) {
  auto targets = store.Targets();
  if (!targets) return Fail(targets.error());
  const auto resources = store.Resources();
  if (!resources) return Fail(resources.error());
  auto standings = Standings(store, *resources);
  if (!standings) return Fail(standings.error());
  std::sort(targets->begin(), targets->end(),
            [](const TargetRecord& a, const TargetRecord& b) { return a.target < b.target; });
  Json list = Json::array();
  for (const TargetRecord& record : *targets) {
    const bool wanted = text.empty() || Contains(record.target.name, text) ||
                        Contains(record.target.kind, text) || Contains(record.provider, text);
    if (wanted) list.push_back(TargetJson(record, (*standings)[record.target]));
  }
  Json report = {{"targets", std::move(list)}};
  KeepPage(report, "targets", page);
  return report;
}

Expected<Json> TargetReport(const ReportReader& store, const TargetName& wanted, WallTime now,
                            bool attribution) {
  const auto targets = store.Targets();
  if (!targets) return Fail(targets.error());
  const auto record = FindTarget(*targets, wanted);
  if (!record) return Fail(record.error());
  const auto resources = store.Resources();
  if (!resources) return Fail(resources.error());
  auto standings = Standings(store, *resources);
  if (!standings) return Fail(standings.error());
  auto lines = Lines(store, *record, *resources);
  if (!lines) return Fail(lines.error());
  Json policy = nullptr;
  if (!record->policy_digest.empty()) {
    const auto body = store.Policy(record->policy_digest);
    if (!body) return Fail(body.error());
    policy = report::ObjectFromText(*body);
  }
  Json json = TargetJson(*record, (*standings)[record->target]);
  json["etag"] = record->etag;
  json["digest"] = record->policy_digest;
  json["everWritten"] = record->ever_written;
  json["declares"] = DeclaringJson(record->target, *resources);
  json["lines"] = LinesJson(record->target, *lines, now);
  if (attribution) {
    auto done = AttributeLines(store, record->target, *lines, json["lines"]);
    if (!done) return Fail(done.error());
  }
  json["policy"] = std::move(policy);
  return json;
}

}  // namespace bindery
