#include "report/attributions.h"

#include <algorithm>

#include "attribution/attribute.h"
#include "report/drift_items.h"
#include "report/json_fields.h"
#include "report/observed_access.h"
#include "report/text_style.h"

namespace bindery::report {
namespace {

constexpr const char* kUnknown = "unknown";

Json AnswerJson(const attribution::Answer& answer) {
  const AuditEntry& entry = *answer.entry;
  Json json = {{"actor", entry.actor.empty() ? kUnknown : entry.actor}};
  if (!entry.impersonator.empty()) json["impersonator"] = entry.impersonator;
  json["time"] = TimeOrNull(entry.time);
  json["method"] = entry.method;
  json["how"] = attribution::ToString(answer.how);
  json["entry"] = entry.id;
  json["source"] = entry.source;
  return json;
}

}  // namespace

Expected<Attributions> Attributions::Read(const Store& store, bool wanted) {
  Attributions attributions(store, wanted);
  if (!wanted) return attributions;
  auto entries = store.AuditEntries();
  if (!entries) return Fail(entries.error());
  for (AuditEntry& entry : *entries) {
    attributions.entries_[entry.target].push_back(std::move(entry));
  }
  return attributions;
}

const std::vector<WallTime>& Attributions::OwnWrites(const Target& target) {
  const auto [writes, added] = own_writes_.try_emplace(target.Key());
  if (!added) return writes->second;
  const auto revisions = store_.Revisions(target, /*with_policy=*/false);
  if (!revisions) return writes->second;
  for (const RevisionRecord& revision : *revisions) {
    const bool ours = revision.origin == Origin::kWritten || revision.origin == Origin::kRollback;
    if (ours) writes->second.push_back(revision.time);
  }
  return writes->second;
}

Json Attributions::Of(const DriftRecord& record) {
  const Json unknown = {{"actor", kUnknown}};
  const auto found = entries_.find(record.target.name);
  if (found == entries_.end()) return unknown;
  const std::vector<AuditEntry>& entries = found->second;
  attribution::Question question{record.item, record.read_before, record.first_seen, {}, {}};
  question.normal = [&record](const std::string& principal) {
    return NormalPrincipalOf(record.target, principal);
  };
  if (std::any_of(entries.begin(), entries.end(), attribution::LooksLikeOurs)) {
    question.own_writes = OwnWrites(record.target);
  }
  const auto answer = attribution::Attribute(question, entries);
  return answer ? AnswerJson(*answer) : unknown;
}

void Attributions::AddTo(Json& json, const DriftRecord& record) {
  if (wanted_) json["attribution"] = Of(record);
}

std::string ActorOf(const Json& item) {
  const Json& attribution = ObjectMember(item, "attribution");
  const std::string impersonator = Shown(attribution, "impersonator");
  return (impersonator.empty() ? "" : impersonator + " as ") + Shown(attribution, "actor");
}

std::string MadeBy(const Json& item) {
  const Json& attribution = ObjectMember(item, "attribution");
  std::string text = ActorOf(item);
  if (const std::string time = MinuteOf(attribution, "time"); !time.empty()) text += " " + time;
  const std::string method = Shown(attribution, "method");
  return method.empty() ? text : text + " (" + method + ")";
}

bool AreAttributed(const Json& report) {
  const Json& items = ArrayMember(report, "items");
  return std::any_of(items.begin(), items.end(),
                     [](const Json& item) { return FindMember(item, "attribution") != nullptr; });
}

}  // namespace bindery::report
