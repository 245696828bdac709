#include "reconcilers/tombstones.h"

#include <algorithm>
#include <utility>

namespace bindery::reconcilers {
namespace {

bool Contains(const std::vector<Grant>& grants, const Grant& wanted) {
  return std::find(grants.begin(), grants.end(), wanted) != grants.end();
}

/// Who holds something in plain form once the plan is written.
std::set<std::string> LivingAfter(const TargetPlan& plan, const std::vector<Grant>& seen,
                                  const PrincipalRules& principals) {
  const std::vector<Grant> removes = plan.removes();
  std::set<std::string> living;
  for (const Grant& grant : seen) {
    if (IsTombstone(grant, principals) || Contains(removes, grant)) continue;
    living.insert(principals.normal(grant.principal));
  }
  for (const Grant& grant : plan.adds()) living.insert(principals.normal(grant.principal));
  return living;
}

bool Changes(const TargetPlan& plan, std::string_view part, const PrincipalRules& principals) {
  const auto covers = [&](const Grant* grant) {
    return grant != nullptr && Covers(part, *grant, principals.normal);
  };
  return std::any_of(plan.changes.begin(), plan.changes.end(), [&](const GrantChange& change) {
    return change.is_written() && (covers(change.added()) || covers(change.removed()));
  });
}

/// The write changes the role of the tombstone, and nobody keeps other members of the role.
bool IsOfWrittenRole(const Grant& tombstone, const TargetPlan& plan, const Desired& desired,
                     const PrincipalRules& principals) {
  bool declared = false;
  for (const Claim& claim : desired.claims) {
    const std::string& part = claim.declaration.role;
    declared = declared || RoleOfPart(part) == tombstone.role;
    const bool carried_out = claim.treatment == ManagementPolicy::kEnforce ||
                             claim.treatment == ManagementPolicy::kRemove;
    if (!carried_out || !Covers(part, tombstone, principals.normal)) continue;
    // Of a whole policy only the changes of the role count.
    const bool whole = IsWholePolicy(part);
    if (Changes(plan, whole ? std::string_view(tombstone.role) : part, principals)) return true;
  }
  // In an undeclared role the write removes the remaining members.
  return !declared && Changes(plan, tombstone.role, principals);
}

/// The principal is to have the role back, and not by the write: only beside the tombstone can
/// people be told why.
bool IsAwaited(const std::string& role, const std::string& principal, const TargetPlan& plan,
               const PrincipalRules& principals) {
  return std::any_of(plan.changes.begin(), plan.changes.end(), [&](const GrantChange& change) {
    return change.drift_class == DriftClass::kPrincipalDeleted && !change.is_written() &&
           change.grant.role == role && principals.normal(change.grant.principal) == principal;
  });
}

}  // namespace

bool IsTombstone(const Grant& grant, const PrincipalRules& principals) {
  return !principals.deleted(grant.principal).empty();
}

std::vector<Grant> ListLiving(std::vector<Grant> grants, const PrincipalRules& principals) {
  std::erase_if(grants, [&](const Grant& grant) { return IsTombstone(grant, principals); });
  return grants;
}

std::vector<Grant> ListTombstones(std::vector<Grant> grants, const PrincipalRules& principals) {
  std::erase_if(grants, [&](const Grant& grant) { return !IsTombstone(grant, principals); });
  return grants;
}

std::vector<Grant> TombstonesTakenBy(const TargetPlan& plan, const Desired& desired,
                                     const std::vector<Grant>& seen,
                                     const PrincipalRules& principals) {
  std::vector<Grant> taken = ListTombstones(seen, principals);
  if (taken.empty() || !plan.writes()) return {};
  const std::set<std::string> living = LivingAfter(plan, seen, principals);
  const std::vector<Grant> removes = plan.removes();
  std::erase_if(taken, [&](const Grant& grant) {
    if (Contains(removes, grant)) return true;
    const std::string plain = principals.deleted(grant.principal);
    if (living.contains(plain)) return false;
    return IsAwaited(grant.role, plain, plan, principals) ||
           !IsOfWrittenRole(grant, plan, desired, principals);
  });
  return taken;
}

std::vector<DriftItem> NotesOfTombstones(const Desired& desired, const std::vector<Grant>& seen,
                                         const PrincipalRules& principals) {
  std::vector<Grant> tombstones = ListTombstones(seen, principals);
  if (tombstones.empty()) return {};
  std::set<std::pair<std::string, std::string>> declared;
  std::set<std::string, std::less<>> roles;
  bool whole = !desired.keep_undeclared && !desired.claims.empty();
  for (const Claim& claim : desired.claims) {
    const std::string& part = claim.declaration.role;
    whole = whole || IsWholePolicy(part);
    roles.emplace(RoleOfPart(part));
    for (const Grant& grant : claim.declaration.grants) {
      declared.emplace(grant.role, principals.normal(grant.principal));
    }
  }
  std::vector<DriftItem> notes;
  for (Grant& grant : tombstones) {
    const bool shown = roles.contains(grant.role) || (whole && !IsSetting(grant.role));
    if (!shown || declared.contains({grant.role, principals.deleted(grant.principal)})) continue;
    DriftItem note;
    note.drift_class = DriftClass::kTombstone;
    note.severity = Severity::kLow;
    note.state = DriftState::kNoted;
    note.grant = std::move(grant);
    note.desired = "absent";
    note.observed = "a deleted principal, which holds nothing";
    notes.push_back(std::move(note));
  }
  return notes;
}

}  // namespace bindery::reconcilers
