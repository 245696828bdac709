#include "controller/evidence/claim_ages.h"

#include <algorithm>

#include "reconcilers/kind.h"

namespace bindery::controller {

/// Of a store that was put back from a backup nothing is settled.
void ClaimAges::Load(ResourceEntry& entry, std::int64_t packed, std::int32_t settled) {
  const ClaimAge age = ClaimAge::Unpacked(packed);
  evidence_.KnowLook(age.look);
  if (age.look > settled || age.absent) {
    entry.evidence.age = age;
  } else if (evidence_.question().open()) {
    entry.evidence.age.look = std::max(evidence_.look(), 1);
  }
  if (entry.evidence.age.look > 0) unsettled_ = true;
}

void ClaimAges::NoteChanged(ResourceEntry& entry, bool fresh) {
  Note(entry, entry.evidence.age.fresh || fresh, /*absent=*/false);
}

void ClaimAges::DoubtAll() {
  for (auto& [name, entry] : claims_.resources()) {
    if (entry.evidence.age.look == 0) NoteChanged(entry, /*fresh=*/false);
  }
}

void ClaimAges::NoteAbsent(ResourceEntry& entry) {
  if (!entry.evidence.age.absent) Note(entry, entry.evidence.age.fresh, /*absent=*/true);
}

void ClaimAges::Note(ResourceEntry& entry, bool fresh, bool absent) {
  const std::int32_t look =
      entry.evidence.age.look > 0 ? entry.evidence.age.look : evidence_.look();
  entry.evidence.age = {look, fresh, absent, entry.evidence.age.urgent, evidence_.look(), 0};
  unsettled_ = true;
}

void ClaimAges::NoteMissing(const std::vector<std::string>& names) {
  if (names.empty()) return;
  const Claims::Resources& all = claims_.resources();
  const auto known = std::count_if(all.begin(), all.end(), [](const auto& item) {
    return item.second.accepted && !item.second.leaving();
  });
  const auto missing = std::count_if(names.begin(), names.end(), [&](const std::string& name) {
    return all.at(name).evidence.missing_scans == 0;
  });
  evidence_.question().Missed(static_cast<std::size_t>(missing), static_cast<std::size_t>(known));
}

std::vector<EvidenceVerdict> ClaimAges::Judge(const TargetEntry& target, const Now& now) const {
  std::vector<EvidenceVerdict> each = {evidence_.Judge(target.forgotten_age, now)};
  for (const ResourceEntry* entry : target.resources) {
    each.push_back(evidence_.Judge(entry->evidence.age, now));
  }
  return each;
}

void ClaimAges::Settle(const Now& now) {
  if (unsettled_ && evidence_.MayClear(now)) Clear(now);
  if (!unsettled_) evidence_.SettledByRules();
}

void ClaimAges::Clear(const Now& now) {
  unsettled_ = false;
  for (auto& [name, entry] : claims_.resources()) {
    if (entry.evidence.age.look == 0) continue;
    const bool settled = evidence_.Judge(entry.evidence.age, now).answer == EvidenceAnswer::kYes;
    // An absent manifest keeps its age: a holder of the manifest may still turn up.
    if (settled && !entry.evidence.age.absent) {
      entry.evidence.age = {};
    } else {
      unsettled_ = true;
    }
  }
  for (auto& [key, target] : claims_.targets()) {
    if (target.forgotten_age.look == 0) continue;
    const auto verdict = evidence_.Judge(target.forgotten_age, now);
    if (verdict.answer == EvidenceAnswer::kYes) {
      target.forgotten_age = {};
    } else {
      unsettled_ = true;
    }
  }
}

store::EvidenceRecord ClaimAges::Record() const {
  store::EvidenceRecord record = evidence_.Record();
  record.settled = record.look;
  if (!unsettled_) return record;
  for (const auto& [name, entry] : claims_.resources()) {
    if (entry.evidence.age.look > 0)
      record.settled = std::min(record.settled, entry.evidence.age.look - 1);
  }
  return record;
}

void ClaimAges::AnswerFor(const Target& target, const std::string& role) {
  TargetEntry* found = claims_.FindTarget(target);
  if (found == nullptr) return;
  for (ResourceEntry* entry : found->resources) {
    if (Overlap(entry->place.role.str(), role)) evidence_.question().AnswerFor(entry->evidence.age);
  }
}

void ClaimAges::WaiveSettling(const std::string& name) {
  const auto mark = [this](const std::string& one) {
    if (ResourceEntry* entry = claims_.FindResource(one); entry != nullptr) {
      entry->evidence.age.urgent = true;
    }
  };
  mark(name);
  for (const std::string& former : claims_.former().Of(name)) mark(former);
  unsettled_ = true;
}

}  // namespace bindery::controller
