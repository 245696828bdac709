// What the catalog knows of the evidence behind its claims.

#include <algorithm>

#include "controller/catalog.h"

namespace bindery {

void Catalog::SettleClaims(const Now& now) {
  if (!unsettled_ || !evidence_.MayClear(now)) return;
  unsettled_ = false;
  for (auto& [name, entry] : resources_) {
    if (entry.age == ClaimAge{}) continue;
    const bool settled = evidence_.Judge(entry.age, now).answer == RemovalEvidence::Answer::kYes;
    // What is absent keeps its age: something may still turn up that holds it.
    if (settled && !entry.age.absent) {
      entry.age = {};
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

void Catalog::MakeUrgent(const std::string& name) {
  const auto mark = [this](const std::string& one) {
    if (ResourceEntry* entry = FindResource(one); entry != nullptr) entry->age.urgent = true;
  };
  mark(name);
  for (const std::string& former : FormerClaimsOf(name)) mark(former);
  unsettled_ = true;
}

}  // namespace bindery
