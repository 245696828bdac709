#include "controller/gates/ignore_changes.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/access/canonical_json.h"
#include "manifests/documents/spec.h"
#include "manifests/schema/expression.h"
#include "reconcilers/principals.h"
#include "reconcilers/tombstones.h"

namespace bindery::controller {
namespace {

std::string GetConditionText(const Json& element) {
  const Json* condition = FindMember(element, "condition");
  if (condition == nullptr) return "";
  return StringMember(*condition, "expression") + "\n" + StringMember(*condition, "title") + "\n" +
         StringMember(*condition, "description");
}

/// The element for the same: what stands where in a list says nothing. Bindings are told apart by
/// role and condition, audit configurations by service and type. `any_condition`: the condition is
/// what is ignored.
const Json* OfTheSame(const char* role, const Json& list, const Json& element, bool any_condition) {
  const auto same = [&](const Json& other) {
    return StringMember(other, role) == StringMember(element, role) &&
           StringMember(other, "service") == StringMember(element, "service") &&
           StringMember(other, "logType") == StringMember(element, "logType");
  };
  const Json* of_role = nullptr;
  std::size_t count = 0;
  for (const Json& other : list) {
    if (!same(other)) continue;
    if (GetConditionText(other) == GetConditionText(element)) return &other;
    of_role = &other;
    ++count;
  }
  return any_condition && count == 1 ? of_role : nullptr;
}

/// A place in the declared state, and the same place in the live state; nullptr: missing in the
/// live state.
struct Place {
  Json* declared = nullptr;
  const Json* there = nullptr;
};

/// One step further down in both. `role`: the name of the role field in bindings.
Place Below(const Place& at, const manifests::PathStep& step, const char* role,
            bool any_condition) {
  Json& declared = *at.declared;
  if (step.index) {
    const bool lists = declared.is_array() && at.there->is_array();
    if (!lists || *step.index >= declared.size()) return {};
    Json& element = declared[*step.index];
    return {&element, OfTheSame(role, *at.there, element, any_condition)};
  }
  if (!declared.is_object() || !declared.contains(step.name)) return {};
  return {&declared[step.name], FindMember(*at.there, step.name)};
}

/// Gives the field at `path` its live value; if none exists, the field goes. A field whose parent
/// is missing, or that is not declared, keeps its declared form.
void TakeLive(const manifests::FieldPath& path, const char* role, const Json& live, Json& spec) {
  Place holder{&spec, &live};
  const bool any_condition =
      std::any_of(path.begin(), path.end(),
                  [](const manifests::PathStep& step) { return step.name == "condition"; });
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    holder = Below(holder, path[i], role, any_condition);
    if (holder.declared == nullptr || holder.there == nullptr) return;
  }
  const manifests::PathStep& last = path.back();
  if (last.index) {
    const Place element = Below(holder, last, role, any_condition);
    if (element.there != nullptr) *element.declared = *element.there;
  } else if (holder.declared->is_object()) {
    const Json* value = FindMember(*holder.there, last.name);
    if (value != nullptr) {
      (*holder.declared)[last.name] = *value;
    } else {
      holder.declared->erase(last.name);
    }
  }
}

/// The condition that most of the declared principals hold the role under.
std::optional<Condition> UsualCondition(const std::vector<Grant>& there,
                                        const std::vector<Grant>& declared) {
  std::set<std::string> principals;
  for (const Grant& grant : declared)
    principals.insert(reconcilers::NormalPrincipal(grant.principal));
  std::map<std::string, std::pair<std::size_t, const Grant*>> counts;
  for (const Grant& grant : there) {
    auto& [count, example] = counts[grant.condition ? CanonicalJson(ToJson(*grant.condition)) : ""];
    if (principals.contains(reconcilers::NormalPrincipal(grant.principal))) ++count;
    example = &grant;
  }
  const auto usual = std::max_element(
      counts.begin(), counts.end(),
      [](const auto& a, const auto& b) { return a.second.first < b.second.first; });
  return usual == counts.end() ? std::nullopt : usual->second.second->condition;
}

/// Takes out of `grants` what no manifest of the claim could declare beside the rest: those under
/// another condition. Deleted principals are left aside.
std::vector<Grant> TakeOddOnes(const reconcilers::Kind& kind, const reconcilers::Claim& claim,
                               std::vector<Grant>& grants) {
  const std::string& part = claim.declaration.role;
  if (const reconcilers::PrincipalRules* rules = kind.traits().principals) {
    grants = reconcilers::ListLiving(std::move(grants), *rules);
  }
  std::vector<Grant> of_role;
  for (const Grant& grant : grants) {
    if (reconcilers::CoversOn(&kind, part, grant)) of_role.push_back(grant);
  }
  const auto usual = UsualCondition(of_role, claim.declaration.grants);
  const auto odd = std::stable_partition(grants.begin(), grants.end(), [&](const Grant& grant) {
    return !reconcilers::CoversOn(&kind, part, grant) || grant.condition == usual;
  });
  std::vector<Grant> taken(std::make_move_iterator(odd), std::make_move_iterator(grants.end()));
  grants.erase(odd, grants.end());
  return taken;
}

/// `spec` is that of the manifest.
bool IgnoresAllMembersIn(const manifests::Manifest& manifest, const Json& spec) {
  return std::ranges::any_of(manifest.options.extra_options().ignore_changes,
                             [&](const std::string& text) {
                               const auto path = manifests::ParseFieldPath(text);
                               if (!path || path->size() != 1) return false;
                               const Json* field = FindMember(spec, path->front().name);
                               return field != nullptr && field->is_array();
                             });
}

/// What the claim declares with the fields it ignores as they are there. Where nothing is there to
/// keep, all of it is declared.
Expected<std::vector<Grant>> WithIgnored(const CheckJob& job, const DeclaredClaim& declared,
                                         const reconcilers::Claim& claim,
                                         const reconcilers::Observation& seen) {
  const reconcilers::Kind& kind = declared.kind == nullptr ? *job.kind : *declared.kind;
  std::vector<Grant> odd;
  Expected<Json> live = kind.Inputs(job.target.name, declared.role, seen);
  if (!live && live.error().code == Code::kFailedPrecondition) {
    reconcilers::Observation plain = seen;
    odd = TakeOddOnes(kind, claim, plain.grants);
    live = kind.Inputs(job.target.name, declared.role, plain);
  }
  if (!live && live.error().code != Code::kNotFound) return Fail(live.error());
  Expected<Json> spec = manifests::MakeSpec(*declared.manifest);
  if (!spec) return Fail(spec.error());
  const bool keeps_all = IgnoresAllMembersIn(*declared.manifest, *spec);
  for (const std::string& text : declared.manifest->options.extra_options().ignore_changes) {
    const auto path = manifests::ParseFieldPath(text);
    if (live && path && !path->empty()) TakeLive(*path, kind.traits().words.role, *live, *spec);
  }
  Expected<reconcilers::Declaration> made = kind.Declare(*spec, job.project);
  if (!made) return Fail(made.error());
  // The members of the role must not change: neither may members that no manifest could name.
  std::erase_if(made->grants, [&](const Grant& grant) {
    return !reconcilers::CoversOn(&kind, declared.role, grant);
  });
  if (keeps_all) made->grants.insert(made->grants.end(), odd.begin(), odd.end());
  return std::move(made->grants);
}

/// "grant roles/viewer to user:a@example.com is missing" of each difference, a few of them.
std::string DifferencesInWords(const std::vector<DriftItem>& drift) {
  constexpr std::size_t kShown = 5;
  std::string text;
  for (std::size_t i = 0; i < drift.size() && i < kShown; ++i) {
    const DriftItem& item = drift[i];
    text += (i == 0 ? "" : "; ") + RoleText(item.grant) + " of " + item.grant.principal +
            " is declared as \"" + item.desired + "\" and there as \"" + item.observed + "\"";
  }
  if (drift.size() > kShown) text += "; and " + std::to_string(drift.size() - kShown) + " more";
  return text;
}

/// Of what is to be taken over, and of what the first write would take away beside it: a write
/// replaces the whole policy.
std::vector<DriftItem> ListDifferences(const CheckJob& job, const reconcilers::Claim& claim,
                                       const reconcilers::Observation& seen,
                                       const reconcilers::Desired& desired) {
  reconcilers::Desired alone;
  alone.keep_undeclared = desired.keep_undeclared;
  alone.protected_principals = desired.protected_principals;
  alone.project_number = desired.project_number;
  alone.just_in_time = desired.just_in_time;
  alone.by_condition = desired.by_condition;
  alone.now = desired.now;
  alone.claims = desired.claims;
  for (reconcilers::Claim& other : alone.claims) {
    other.treatment = other.resource == claim.resource ? reconcilers::ManagementPolicy::kObserve
                                                       : reconcilers::ManagementPolicy::kPause;
  }
  reconcilers::TargetPlan plan = job.kind->Plan(alone, seen);
  // Differences that are only reported are outside of the claim.
  std::erase_if(plan.changes, [](const reconcilers::GrantChange& change) {
    return change.IsStoppedBy(reconcilers::Gate::kJustInTime);
  });
  return plan.drift();
}

ResourceStatus Mismatch(const std::vector<DriftItem>& drift) {
  return {ResourceState::kStalled, std::string(reason::kImportMismatch),
          "what is to be imported is not as declared, so nothing is written (" +
              DifferencesInWords(drift) +
              "): let the manifests say what is there, or take options.import out"};
}

bool IsKept(reconcilers::ManagementPolicy treatment) {
  return treatment == reconcilers::ManagementPolicy::kEnforce ||
         treatment == reconcilers::ManagementPolicy::kObserve;
}

}  // namespace

bool IgnoresAllMembers(const manifests::Manifest& manifest) {
  if (manifest.options.extra_options().ignore_changes.empty()) return false;
  const Expected<Json> spec = manifests::MakeSpec(manifest);
  return spec && IgnoresAllMembersIn(manifest, *spec);
}

void ApplyIgnoreChanges(const CheckJob& job, const reconcilers::Observation& seen,
                        reconcilers::Desired& desired) {
  if (desired.restore) return;
  const auto refuse = [&desired](reconcilers::Claim& claim, reconcilers::ManagementPolicy treatment,
                                 ResourceStatus status) {
    claim.treatment = treatment;
    desired.refused.emplace_back(claim.resource, std::move(status));
  };
  bool keeps_undeclared = false;
  for (std::size_t i = 0; i < job.declared.size(); ++i) {
    const DeclaredClaim& declared = job.declared[i];
    reconcilers::Claim& claim = desired.claims[i];
    if (declared.manifest == nullptr || declared.expired || !IsKept(claim.treatment)) continue;
    if (!declared.manifest->options.extra_options().ignore_changes.empty()) {
      Expected<std::vector<Grant>> kept = WithIgnored(job, declared, claim, seen);
      if (!kept) {
        // Nothing is written by halves, but all that differs is told.
        refuse(claim, reconcilers::ManagementPolicy::kObserve,
               {ResourceState::kStalled, std::string(ToString(kept.error().code)),
                "options.ignoreChanges: " + kept.error().message});
        continue;
      }
      claim.declaration.grants = std::move(*kept);
    }
    if (!declared.adopting) continue;
    const std::vector<DriftItem> drift = ListDifferences(job, claim, seen, desired);
    if (drift.empty()) continue;
    refuse(claim, reconcilers::ManagementPolicy::kPause, Mismatch(drift));
    // An undeclared grant may be the grant that the import looks for.
    keeps_undeclared = true;
  }
  const bool kept = desired.keep_undeclared && !desired.report_undeclared;
  if (!keeps_undeclared || kept) return;
  desired.keep_undeclared = true;
  desired.undeclared_in_doubt = true;
}

}  // namespace bindery::controller
