#include "controller/placing/given_up.h"

#include "reconcilers/principals.h"

namespace bindery::controller {
namespace {

/// The claim belonged to the manifest until now, or makes way: admission lets no two claims of one
/// part stay.
bool MakesWay(const ResourceEntry& entry, const admission::Placement& placement) {
  const std::string& role = entry.place.role.str();
  return entry.evidence.missing_scans > 0 ? Overlap(role, placement.role) : role == placement.role;
}

/// Adds the declared grants of the manifest in force within the part, and its given-up grants.
void AddGrants(const ResourceEntry& entry, const reconcilers::Kind* kind,
               const admission::Placement& placement, const Placer& placer, GivenUp& given_up) {
  const GivenUp& before = *entry.progress.given_up;
  given_up.untold = given_up.untold || before.untold;
  given_up.grants.insert(before.grants.begin(), before.grants.end());
  if (entry.is_lookup()) return;
  const Expected<reconcilers::Declaration> declared =
      placer.Declare(*entry.kind, *entry.manifest, entry.place.provider.str());
  if (!declared) {
    given_up.untold = true;
    return;
  }
  for (const Grant& grant : declared->grants) {
    if (reconcilers::CoversOn(kind, placement.role, grant))
      given_up.grants.insert(AccessKey(grant));
  }
}

/// Adds the stored names of the grants.
void AddStoredNames(const TargetEntry& target, std::set<std::string>& grants) {
  for (const reconcilers::StoredForm& form : *target.drift.forms) {
    if (form.was_there || !grants.contains(AccessKey(form.asked))) continue;
    for (const std::string& principal : form.stored) {
      grants.insert(AccessKey({form.asked.role, principal, form.asked.condition}));
    }
  }
}

}  // namespace

std::string AccessKey(const Grant& grant) {
  const std::string condition = grant.condition ? grant.condition->expression : "";
  return grant.role + "|" + reconcilers::NormalPrincipal(grant.principal) + "|" + condition;
}

GivenUp GivenUpBy(const admission::Admitted& admitted, const Claims& claims, const Placer& placer) {
  GivenUp given_up;
  const TargetEntry* target = claims.FindTarget(admitted.placement.target);
  if (target == nullptr) return given_up;
  const reconcilers::Kind* kind = placer.FindKindFor(*admitted.manifest->token);
  for (const ResourceEntry* entry : target->resources) {
    if (MakesWay(*entry, admitted.placement))
      AddGrants(*entry, kind, admitted.placement, placer, given_up);
  }
  if (given_up.grants.empty()) return given_up;
  const Expected<reconcilers::Declaration> now =
      placer.Declare(*kind, *admitted.manifest, admitted.placement.provider);
  if (!now) return given_up;
  std::set<std::string> kept;
  for (const Grant& grant : now->grants) kept.insert(AccessKey(grant));
  AddStoredNames(*target, given_up.grants);
  AddStoredNames(*target, kept);
  std::erase_if(given_up.grants, [&](const std::string& key) { return kept.contains(key); });
  return given_up;
}

bool KeepHeld(SparseBox<GivenUp>& given_up, const std::vector<Grant>& held) {
  if (given_up->empty()) return false;
  GivenUp left{{}, given_up->untold};
  for (const Grant& grant : held) {
    std::string key = AccessKey(grant);
    if (given_up->grants.contains(key)) left.grants.insert(std::move(key));
  }
  given_up.Set(std::move(left));
  return given_up->empty();
}

bool Holds(const GivenUp& given_up, const Grant& grant) {
  return !given_up.grants.empty() && given_up.grants.contains(AccessKey(grant));
}

}  // namespace bindery::controller
