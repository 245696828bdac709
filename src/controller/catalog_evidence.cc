// What the catalog knows of the evidence behind its claims.

#include <algorithm>

#include "controller/catalog.h"

namespace bindery {

/// The last look found another declaration than the one before. `fresh`: there was none. What it
/// gave up may be in anything that is unread since it was settled last.
void Catalog::NoteChanged(ResourceEntry& entry, bool fresh) {
  const std::int32_t look = entry.age.look > 0 ? entry.age.look : evidence_.look();
  entry.age = {look, entry.age.fresh || fresh, false, entry.age.urgent, evidence_.look(), 0};
  unsettled_ = true;
}

/// The last look did not find it: what may hold it instead is what that look could not read, or a
/// later one.
void Catalog::NoteAbsent(ResourceEntry& entry) {
  if (entry.age.absent) return;
  const std::int32_t look = entry.age.look > 0 ? entry.age.look : evidence_.look();
  entry.age = {look, entry.age.fresh, true, entry.age.urgent, evidence_.look(), 0};
  unsettled_ = true;
}

/// Tells the evidence how much is missing that was there before.
void Catalog::NoteMissed(const AdmissionResult& result) {
  if (result.missing.empty()) return;
  const auto known = std::count_if(resources_.begin(), resources_.end(), [](const auto& item) {
    return item.second.accepted && !item.second.leaving();
  });
  const auto missing = std::count_if(
      result.missing.begin(), result.missing.end(),
      [this](const std::string& name) { return resources_.at(name).missing_scans == 0; });
  evidence_.Missed(static_cast<std::size_t>(missing), static_cast<std::size_t>(known));
}

std::vector<RemovalEvidence::Verdict> Catalog::JudgeClaims(const TargetEntry& target,
                                                           const Now& now) const {
  std::vector<RemovalEvidence::Verdict> each = {evidence_.Judge(target.forgotten_age, now)};
  for (const ResourceEntry* entry : target.resources) {
    each.push_back(evidence_.Judge(entry->age, now));
  }
  return each;
}

/// What becomes of what it granted, as far as the directory decides that.
std::string Catalog::TextOfLeaving(const ResourceEntry& entry, const Now& now) const {
  const ResourceStatus& status = *entry.status;
  const bool goes = status.reason == reason::kDeleting && !entry.is_lookup() && !entry.untouched;
  const RemovalEvidence::Verdict verdict = evidence_.Judge(entry.age, now);
  if (!goes || verdict.answer == RemovalEvidence::Answer::kYes) return status.message;
  return "its manifest is gone; what it granted waits to be removed: " + verdict.why;
}

ResourceStatus Catalog::StatusOfFrozen(const std::string& name,
                                       const AdmissionResult& result) const {
  if (const auto held = result.held.find(name); held != result.held.end()) {
    return {ResourceState::kStalled, std::string(reason::kRemovalBlocked),
            "its manifest is missing, but " + held->second +
                ": it may declare it, so the last good manifest stays in force"};
  }
  const std::string& file = resources_.at(name).source().file.str();
  const std::string_view why =
      result.emptied.contains(file) ? " is empty" : " cannot be read in full";
  return {ResourceState::kStalled, std::string(reason::kManifestInvalid),
          "\"" + file + "\"" + std::string(why) + ": its last good manifest stays in force"};
}

void Catalog::SettleClaims(const Now& now) {
  if (!unsettled_ || !evidence_.MayClear(now)) return;
  unsettled_ = false;
  for (auto& [name, entry] : resources_) {
    if (entry.age.look == 0) continue;
    const bool settled = evidence_.Judge(entry.age, now).answer == RemovalEvidence::Answer::kYes;
    // What is absent keeps its age: something may still turn up that holds it.
    if (settled && !entry.age.absent) {
      entry.age = {};
    } else {
      unsettled_ = true;
    }
  }
  for (auto& [key, target] : targets_) {
    if (target.forgotten_age.look == 0) continue;
    const auto verdict = evidence_.Judge(target.forgotten_age, now);
    if (verdict.answer == RemovalEvidence::Answer::kYes) {
      target.forgotten_age = {};
    } else {
      unsettled_ = true;
    }
  }
}

EvidenceRecord Catalog::EvidenceNow() const {
  EvidenceRecord record = evidence_.Record();
  record.settled = record.look;
  if (!unsettled_) return record;
  for (const auto& [name, entry] : resources_) {
    if (entry.age.look > 0) record.settled = std::min(record.settled, entry.age.look - 1);
  }
  return record;
}

void Catalog::AnswerQuestionFor(const Target& target, const std::string& role) {
  TargetEntry* found = FindTarget(target);
  if (found == nullptr) return;
  for (ResourceEntry* entry : found->resources) {
    const bool claims = entry->role.str() == role || entry->role.str() == kWholePolicy;
    if (claims) evidence_.AnswerFor(entry->age);
  }
}

void Catalog::MakeUrgent(const std::string& name) {
  const auto mark = [this](const std::string& one) {
    if (ResourceEntry* entry = FindResource(one); entry != nullptr) entry->age.urgent = true;
  };
  mark(name);
  for (const std::string& former : FormerClaimsOf(name)) mark(former);
  unsettled_ = true;
}

}  // namespace bindery
