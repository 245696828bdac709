#include "report/values/attributions.h"

#include <algorithm>

#include "attribution/attribute.h"
#include "core/text/time_text.h"
#include "report/access/observed_access.h"
#include "report/codec/json_codec.h"
#include "report/text/text_style.h"
#include "report/values/drift_items.h"

namespace bindery::report {
namespace {

Attribution MakeAttribution(const attribution::Answer& answer) {
  const AuditEntry& entry = *answer.entry;
  Attribution made;
  if (!entry.actor.empty()) made.actor = entry.actor;
  made.impersonator = entry.impersonator;
  if (entry.time != WallTime{}) made.time = entry.time;
  made.method = entry.method;
  made.how = answer.how;
  made.entry = entry.id;
  made.source = entry.source;
  return made;
}

/// Maximum entries searched for one difference.
constexpr std::size_t kMostEntries = 1'000;

bool Holds(const store::DriftRecord& record, const std::vector<Grant>& grants) {
  const Grant& wanted = record.item.grant;
  return std::any_of(grants.begin(), grants.end(), [&](const Grant& grant) {
    return grant.condition == wanted.condition && SameHolder(record.target, grant, wanted);
  });
}

bool IsOurs(const store::RevisionRecord& revision) {
  return revision.origin == Origin::kWritten || revision.origin == Origin::kRollback;
}

/// As AuditEntry::target. Several services can have resources of one name; the kinds of such
/// resources hold a colon.
std::string AuditedName(const Target& target) {
  return target.kind.str().find(':') == std::string::npos ? target.name : target.Key();
}

}  // namespace

Attributions::History* Attributions::FindHistory(const Target& target) {
  if (history_ && history_->target == target) return &*history_;
  history_.reset();
  auto revisions = store_.Revisions(target, /*with_policy=*/false);
  if (!revisions) return nullptr;
  history_.emplace();
  history_->target = target;
  history_->revisions = std::move(*revisions);
  for (const store::RevisionRecord& revision : history_->revisions) {
    if (IsOurs(revision)) history_->own_writes.push_back(revision.time);
  }
  return &*history_;
}

const std::vector<Grant>* Attributions::GrantsIn(History& history,
                                                 const store::RevisionRecord& revision) const {
  const auto [known, is_new] = history.grants.try_emplace(revision.digest);
  if (is_new) {
    auto grants = GrantsUnder(store_, {history.target, revision.time, revision.digest, revision.id,
                                       !revision.digest.empty()});
    if (grants) known->second = std::move(*grants);
  }
  return known->second ? &*known->second : nullptr;
}

/// The last reading, if it was without the difference: else a manifest made it a difference, or
/// nobody looked for any, and it came about before.
std::optional<WallTime> Attributions::ReadWithout(const store::DriftRecord& record,
                                                  History& history) const {
  const DriftClass drift_class = record.item.drift_class;
  if (!record.read_before || drift_class == DriftClass::kTargetMissing) return record.read_before;
  const auto in_force = std::find_if(
      history.revisions.rbegin(), history.revisions.rend(),
      [&](const store::RevisionRecord& revision) { return revision.time <= *record.read_before; });
  if (in_force == history.revisions.rend()) return std::nullopt;
  const std::vector<Grant>* grants = GrantsIn(history, *in_force);
  const bool without =
      grants != nullptr && Holds(record, *grants) != (drift_class == DriftClass::kUndeclared);
  return without ? record.read_before : std::nullopt;
}

/// The last policy until then not written by bindery; null: none available.
const std::vector<Grant>* Attributions::GrantsUntil(History& history, WallTime time) const {
  const auto found = std::find_if(history.revisions.rbegin(), history.revisions.rend(),
                                  [&](const store::RevisionRecord& revision) {
                                    return revision.time <= time && !IsOurs(revision);
                                  });
  return found == history.revisions.rend() ? nullptr : GrantsIn(history, *found);
}

/// The state of a grant with a changed condition at the time of the finding. Nothing when the state
/// has changed since: the difference keeps its time when the condition changes again.
std::optional<Grant> Attributions::FoundAs(const store::DriftRecord& record,
                                           History& history) const {
  const Grant& declared = record.item.grant;
  const std::vector<Grant>* first = GrantsUntil(history, record.first_seen);
  const std::vector<Grant>* last = GrantsUntil(history, record.last_seen);
  if (first == nullptr || last == nullptr) return std::nullopt;
  const auto found = std::find_if(first->begin(), first->end(), [&](const Grant& grant) {
    return grant.condition != declared.condition && SameHolder(record.target, grant, declared) &&
           std::find(last->begin(), last->end(), grant) != last->end();
  });
  return found == first->end() ? std::nullopt : std::optional(*found);
}

/// Audit logs name targets without the provider that a restriction policy's name needs.
bool Attributions::MayBeAnothers(const Target& target) {
  if (target.scope.empty()) return false;
  if (!scopes_) {
    const auto targets = store_.Targets();
    if (!targets) return true;
    scopes_.emplace();
    for (const store::TargetRecord& record : *targets) {
      if (!record.target.scope.empty()) {
        (*scopes_)[record.target.name].insert(record.target.scope);
      }
    }
  }
  const auto scopes = scopes_->find(target.name);
  return scopes != scopes_->end() && scopes->second.size() > 1;
}

/// Nothing when they cannot be read, or are too many.
std::optional<std::vector<AuditEntry>> Attributions::ListEntries(
    const store::DriftRecord& record, std::optional<WallTime> read_before) {
  store::AuditFilter filter{
      AuditedName(record.target), {}, record.first_seen + attribution::kClocks};
  if (read_before) filter.from = *read_before - attribution::kClocks;
  filter.limit = kMostEntries + 1;
  auto entries = store_.AuditEntries(filter);
  if (entries) entries_read_ += entries->size();
  if (!entries || entries->size() > kMostEntries) return std::nullopt;
  return std::move(*entries);
}

Attribution Attributions::Of(const store::DriftRecord& record) {
  // Of most targets nothing is on record.
  const auto any = store_.AuditEntries(
      {AuditedName(record.target), {}, record.first_seen + attribution::kClocks, 1});
  if (!any || any->empty() || MayBeAnothers(record.target)) return {};
  History* history = FindHistory(record.target);
  if (history == nullptr) return {};
  attribution::Question question{record.item, {}, {}, record.first_seen, {}, history->own_writes};
  if (record.item.drift_class == DriftClass::kConditionChanged) {
    question.observed = FoundAs(record, *history);
    if (!question.observed) return {};
  }
  question.read_before = ReadWithout(record, *history);
  question.normal = [&record](const std::string& principal) {
    return NormalizePrincipal(record.target, principal);
  };
  const auto entries = ListEntries(record, question.read_before);
  if (!entries) return {};
  const auto answer = attribution::Attribute(question, *entries);
  return answer ? MakeAttribution(*answer) : Attribution();
}

std::optional<Attribution> Attributions::Find(const store::DriftRecord& record) {
  if (!wanted_) return std::nullopt;
  const auto [told, is_new] = told_.try_emplace(record.id);
  if (is_new) told->second = Of(record);
  return told->second;
}

std::string Attribution::UnknownWord(const Json& json) {
  const std::string how = StringMember(json, "how");
  const std::vector known = {ToString(attribution::How::kExact),
                             ToString(attribution::How::kPolicy)};
  const bool is_known = how.empty() || std::ranges::find(known, how) != known.end();
  return is_known ? std::string() : "how: " + NotAmong(how, known);
}

Json ToJson(const Attribution& attribution) {
  Json json = {{"actor", attribution.actor}};
  if (!attribution.how) return json;
  if (!attribution.impersonator.empty()) json["impersonator"] = attribution.impersonator;
  json["time"] = MakeJson(attribution.time);
  json["method"] = attribution.method;
  json["how"] = attribution::ToString(*attribution.how);
  json["entry"] = attribution.entry;
  json["source"] = attribution.source;
  return json;
}

bool ReadJson(const Json& json, Attribution& attribution) {
  if (!json.is_object()) return false;
  attribution.actor = StringMember(json, "actor");
  attribution.impersonator = StringMember(json, "impersonator");
  if (const auto time = ParseRfc3339(StringMember(json, "time"))) attribution.time = *time;
  attribution.method = StringMember(json, "method");
  const bool exact = StringMember(json, "how") == ToString(attribution::How::kExact);
  const bool told = FindMember(json, "how") != nullptr;
  if (told) attribution.how = exact ? attribution::How::kExact : attribution::How::kPolicy;
  attribution.entry = StringMember(json, "entry");
  attribution.source = StringMember(json, "source");
  return true;
}

std::string NameActor(const std::optional<Attribution>& attribution) {
  if (!attribution) return "";
  const std::string impersonator = Printable(attribution->impersonator);
  return (impersonator.empty() ? "" : impersonator + " as ") + Printable(attribution->actor);
}

std::string MadeBy(const std::optional<Attribution>& attribution) {
  if (!attribution) return "";
  const std::string time = FormatMinute(attribution->time);
  const std::string method = Printable(attribution->method);
  return NameActor(attribution) + (time.empty() ? "" : " " + time) +
         (method.empty() ? "" : " (" + method + ")");
}

}  // namespace bindery::report
