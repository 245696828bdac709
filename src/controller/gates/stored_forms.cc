#include "controller/gates/stored_forms.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "core/access/claim_part.h"
#include "core/base/quoted.h"
#include "reconcilers/grant_comparison.h"
#include "reconcilers/tombstones.h"

namespace bindery::controller {
namespace {

using RoleKey = std::pair<std::string, std::optional<Condition>>;
using Members = std::vector<std::string>;

/// Between the names of a note. No name of a principal has a comma before a space.
constexpr std::string_view kBetween = ", ";

RoleKey NameRole(const Grant& grant) { return {grant.role, grant.condition}; }

bool IsOfRole(const Grant& grant, const Grant& other) { return NameRole(grant) == NameRole(other); }

Grant Under(const Grant& asked, const std::string& principal) {
  return {asked.role, principal, asked.condition};
}

bool DeclaresSame(const reconcilers::GrantComparison& compare, const reconcilers::Claim& claim,
                  const Grant& grant) {
  return compare.Holds(claim.declaration.grants, grant);
}

/// The policy holds the stored form, and not the requested form.
bool IsStoredIn(const reconcilers::PrincipalRules& rules, const reconcilers::Observation& seen,
                const reconcilers::StoredForm& form) {
  std::set<std::string> there;
  for (const Grant& grant : seen.grants) {
    if (IsOfRole(grant, form.asked)) there.insert(rules.normal(grant.principal));
  }
  return !there.contains(rules.normal(form.asked.principal)) &&
         std::all_of(form.stored.begin(), form.stored.end(), [&](const std::string& principal) {
           return there.contains(rules.normal(principal));
         });
}

/// A manifest in the directory declares the grant.
bool IsDeclared(const reconcilers::GrantComparison& compare,
                const std::vector<reconcilers::Claim>& claims, const Grant& grant) {
  return std::any_of(claims.begin(), claims.end(), [&](const reconcilers::Claim& claim) {
    return !reconcilers::IsGone(claim) && DeclaresSame(compare, claim, grant);
  });
}

/// The declarers of the requests of a group of forms.
struct Declarers {
  std::size_t living = 0;  ///< Forms of the group that a manifest in the directory declares.
  std::size_t forms = 0;   ///< All of the group.

  /// Each stored principal is declared, in any pairing.
  [[nodiscard]] bool AreAll() const { return living == forms; }
};

/// The declarers of forms with the same stored principals in one role.
Declarers ListDeclarers(const reconcilers::GrantComparison& compare,
                        const std::vector<reconcilers::StoredForm>& forms,
                        const reconcilers::StoredForm& form, const reconcilers::Desired& desired) {
  Declarers all;
  for (const reconcilers::StoredForm& other : forms) {
    if (other.stored != form.stored || !IsOfRole(other.asked, form.asked)) continue;
    ++all.forms;
    if (IsDeclared(compare, desired.claims, other.asked)) ++all.living;
  }
  return all;
}

/// The form, with the resources that declare its request.
reconcilers::StoredForm WithDeclarers(const reconcilers::GrantComparison& compare,
                                      const std::vector<reconcilers::StoredForm>& forms,
                                      const reconcilers::StoredForm& form,
                                      const reconcilers::Desired& desired) {
  // With what of a group is not declared any more, the declared state is unknown.
  const bool whole = form.was_there || form.stored.size() == 1 ||
                     ListDeclarers(compare, forms, form, desired).AreAll();
  reconcilers::StoredForm used = form;
  used.resources.clear();
  used.is_declared = false;
  for (const reconcilers::Claim& claim : desired.claims) {
    if (!DeclaresSame(compare, claim, form.asked) || !(whole || reconcilers::IsGone(claim)))
      continue;
    used.resources.push_back(claim.resource);
    used.is_declared = used.is_declared || !reconcilers::IsGone(claim);
  }
  return used;
}

/// Adds the stored form of one of the claim's grants.
void Replace(const reconcilers::GrantComparison& compare, const reconcilers::PrincipalRules& rules,
             const reconcilers::StoredForm& form, reconcilers::Claim& claim) {
  reconcilers::Declaration& declared = claim.declaration;
  std::erase_if(declared.grants,
                [&](const Grant& grant) { return compare.IsSame(grant, form.asked); });
  const ClaimPart part = ClaimPart::Of(declared.role);
  const bool one_member = !part.member.empty();
  const bool several = form.stored.size() > 1;
  // One of the members of the role is declared, and the rest belongs to further claims.
  if (form.was_there || (one_member && several && !reconcilers::IsGone(claim))) return;
  if (one_member) {
    // All members that may belong to the manifest go with the manifest. Members declared by further
    // manifests come back in the same write.
    const std::string member = several ? "" : rules.normal(form.stored.front());
    declared.leaves_others = declared.leaves_others || several;
    declared.role = ClaimPart{form.asked.role, member, std::string(part.condition)}.Text();
  }
  for (const std::string& principal : form.stored) {
    declared.grants.push_back(Under(form.asked, principal));
  }
}

/// The principals of each role and condition, in order.
std::map<RoleKey, Members> ByRole(const std::vector<Grant>& grants,
                                  const reconcilers::PrincipalRules& rules) {
  std::map<RoleKey, Members> roles;
  for (const Grant& grant : grants) {
    if (!reconcilers::IsTombstone(grant, rules)) roles[NameRole(grant)].push_back(grant.principal);
  }
  return roles;
}

/// The principals of one list inside and outside of the second list.
struct Parted {
  Members common;  ///< In their normal form.
  Members own;
};

Parted Part(const Members& members, const Members& others,
            const reconcilers::PrincipalRules& rules) {
  std::set<std::string> known;
  for (const std::string& other : others) known.insert(rules.normal(other));
  Parted parted;
  for (const std::string& member : members) {
    std::string normal = rules.normal(member);
    if (known.contains(normal)) {
      parted.common.push_back(std::move(normal));
    } else {
      parted.own.push_back(member);
    }
  }
  return parted;
}

/// The answer has the order of the request, and no order of its own.
bool KeepsOrder(const Members& asked, const Members& answered) {
  return asked.size() > 1 && asked == answered && !std::is_sorted(asked.begin(), asked.end());
}

/// Pairs the missing principals of a role with the new principals.
std::vector<reconcilers::StoredForm> PairUp(const Grant& any, const Members& missing,
                                            const Members& added, const Members& answered,
                                            bool ordered) {
  std::vector<reconcilers::StoredForm> learned;
  for (std::size_t i = 0; i < missing.size(); ++i) {
    reconcilers::StoredForm form{Under(any, missing[i]), {}};
    if (added.empty()) {
      form.was_there = true;
      form.stored = answered;
    } else if (ordered && added.size() == missing.size()) {
      form.stored = {added[i]};
    } else {
      form.stored = added;
    }
    learned.push_back(std::move(form));
  }
  return learned;
}

std::string MakeList(const Members& members) {
  std::string text;
  for (const std::string& member : members) text += (text.empty() ? "" : " or ") + Quoted(member);
  return text;
}

}  // namespace

void ApplyStoredForms(const reconcilers::Kind& kind,
                      const std::vector<reconcilers::StoredForm>& forms,
                      const reconcilers::Observation& seen, reconcilers::Desired& desired) {
  const reconcilers::PrincipalRules* rules = kind.traits().principals;
  if (forms.empty() || rules == nullptr) return;
  if (desired.restore) {
    desired.forms.insert(desired.forms.end(), forms.begin(), forms.end());
    for (reconcilers::StoredForm& form : desired.forms) form.is_declared = true;
    return;
  }
  const auto compare = reconcilers::GrantComparison::Of(&kind);
  std::vector<reconcilers::StoredForm> applied;
  for (const reconcilers::StoredForm& form : forms) {
    if (!IsStoredIn(*rules, seen, form)) continue;
    reconcilers::StoredForm used = WithDeclarers(compare, forms, form, desired);
    if (!used.resources.empty()) applied.push_back(std::move(used));
  }
  if (applied.empty()) return;
  desired.as_written = desired.claims;
  for (const reconcilers::StoredForm& form : applied) {
    for (reconcilers::Claim& claim : desired.claims) {
      const bool named = std::find(form.resources.begin(), form.resources.end(), claim.resource) !=
                         form.resources.end();
      if (named && DeclaresSame(compare, claim, form.asked)) {
        Replace(compare, *rules, form, claim);
      }
    }
  }
  std::move(applied.begin(), applied.end(), std::back_inserter(desired.forms));
}

std::vector<reconcilers::StoredForm> LearnForms(const WriteJob& job,
                                                const reconcilers::Observation& answered) {
  const reconcilers::PrincipalRules* rules = job.check->kind->traits().principals;
  if (rules == nullptr) return {};
  const reconcilers::Observation asked = job.check->kind->AfterWriting(job.plan, job.before);
  const auto compare = reconcilers::GrantComparison::Of(job.check->kind);
  const auto& claims = job.desired.as_written.empty() ? job.desired.claims : job.desired.as_written;
  const auto stored = ByRole(answered.grants, *rules);
  std::vector<reconcilers::StoredForm> learned;
  for (const auto& [key, members] : ByRole(asked.grants, *rules)) {
    const Grant any{key.first, "", key.second};
    const auto found = stored.find(key);
    const Members& there = found == stored.end() ? Members() : found->second;
    Parted missing = Part(members, there, *rules);
    if (missing.own.empty()) continue;
    const Parted added = Part(there, members, *rules);
    const bool ordered = missing.own.size() == 1 || KeepsOrder(missing.common, added.common);
    // Undeclared grants need no pairing; and a role that is missing as a whole was refused, not
    // renamed.
    const bool declared = std::all_of(
        missing.own.begin(), missing.own.end(),
        [&](const std::string& member) { return IsDeclared(compare, claims, Under(any, member)); });
    if (declared && !there.empty() && added.own.size() <= missing.own.size()) {
      std::ranges::move(PairUp(any, missing.own, added.own, there, ordered),
                        std::back_inserter(learned));
    }
  }
  return learned;
}

std::vector<reconcilers::StoredForm> Merged(const std::vector<reconcilers::StoredForm>& forms,
                                            const std::vector<reconcilers::StoredForm>& learned) {
  std::vector<reconcilers::StoredForm> merged = learned;
  for (const reconcilers::StoredForm& form : forms) {
    const bool known = std::any_of(
        learned.begin(), learned.end(),
        [&](const reconcilers::StoredForm& other) { return other.asked == form.asked; });
    if (!known) merged.push_back(form);
  }
  return merged;
}

std::vector<Grant> AskedAgain(const reconcilers::TargetPlan& plan,
                              const std::vector<reconcilers::StoredForm>& forms) {
  const std::vector<Grant> removes = plan.removes();
  std::vector<Grant> again;
  for (const reconcilers::StoredForm& form : forms) {
    const bool loses = std::any_of(removes.begin(), removes.end(),
                                   [&](const Grant& grant) { return IsOfRole(grant, form.asked); });
    if (form.was_there && loses) again.push_back(form.asked);
  }
  return again;
}

std::vector<reconcilers::StoredForm> WithoutRefused(std::vector<reconcilers::StoredForm> forms,
                                                    const Refusal& refusal) {
  const std::vector<Grant>& named = refusal.named;
  std::erase_if(forms, [&](const reconcilers::StoredForm& form) {
    const bool may_be =
        named.empty() || std::find(named.begin(), named.end(), form.asked) != named.end();
    return form.was_there && may_be;
  });
  return forms;
}

std::vector<Grant> AsAskedFor(const Grant& grant,
                              const std::vector<reconcilers::StoredForm>& forms) {
  std::vector<Grant> names = {grant};
  for (const reconcilers::StoredForm& form : forms) {
    const bool stored =
        std::find(form.stored.begin(), form.stored.end(), grant.principal) != form.stored.end();
    if (stored && !form.was_there && IsOfRole(form.asked, grant)) names.push_back(form.asked);
  }
  return names;
}

std::vector<Grant> AsAskedFor(const std::vector<Grant>& grants,
                              const std::vector<reconcilers::StoredForm>& forms) {
  if (forms.empty()) return grants;
  std::vector<Grant> names;
  for (const Grant& grant : grants) {
    std::vector<Grant> each = AsAskedFor(grant, forms);
    std::move(each.begin(), each.end(), std::back_inserter(names));
  }
  return names;
}

std::vector<DriftItem> NotesOfForms(const std::vector<reconcilers::StoredForm>& forms) {
  std::vector<DriftItem> notes;
  for (const reconcilers::StoredForm& form : forms) {
    if (form.was_there) continue;
    DriftItem note;
    note.drift_class = DriftClass::kStoredDifferently;
    note.severity = Severity::kLow;
    note.state = DriftState::kNoted;
    note.resource = form.resources.empty() ? "" : form.resources.front();
    note.grant = form.asked;
    note.desired = form.asked.principal;
    for (const std::string& principal : form.stored) {
      note.observed += std::string(note.observed.empty() ? "" : kBetween) + principal;
    }
    notes.push_back(std::move(note));
  }
  return notes;
}

reconcilers::StoredForm FindForm(const DriftItem& note) {
  reconcilers::StoredForm form{note.grant, {}};
  std::string_view rest = note.observed;
  while (!rest.empty()) {
    const auto end = rest.find(kBetween);
    form.stored.emplace_back(rest.substr(0, end));
    rest = end == std::string_view::npos ? "" : rest.substr(end + kBetween.size());
  }
  return form;
}

std::string FormText(const reconcilers::StoredForm& form) {
  const std::string asked = Quoted(form.asked.principal);
  if (form.was_there) {
    return "the service stores " + asked + " of " + form.asked.role +
           " as a principal that held the role before: write the name that the policy shows";
  }
  return "the service stores " + asked + " as " + MakeList(form.stored) + ": write " +
         MakeList(form.stored);
}

}  // namespace bindery::controller
