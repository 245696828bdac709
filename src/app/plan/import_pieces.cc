#include "app/plan/import_pieces.h"

#include <algorithm>
#include <map>
#include <set>

#include "core/access/claim_part.h"
#include "core/text/left_aside.h"
#include "providers/registry/kinds.h"
#include "reconcilers/just_in_time.h"
#include "reconcilers/tombstones.h"

namespace bindery::app {
namespace {

/// The present, declarable grants of `role`.
std::vector<Grant> HeldIn(const reconcilers::Kind& kind, const std::string& role,
                          const reconcilers::Observation& seen) {
  const reconcilers::PrincipalRules* rules = kind.traits().principals;
  std::vector<Grant> held =
      rules == nullptr ? seen.grants : reconcilers::ListLiving(seen.grants, *rules);
  std::erase_if(held, [&](const Grant& grant) {
    return !reconcilers::CoversOn(&kind, role, grant) ||
           reconcilers::FindMarkedForm(kind.traits().just_in_time, grant);
  });
  return held;
}

std::size_t CountTombstones(const reconcilers::Kind& kind, const std::string& role,
                            const reconcilers::Observation& seen) {
  const reconcilers::PrincipalRules* rules = kind.traits().principals;
  if (rules == nullptr) return 0;
  return static_cast<std::size_t>(
      std::count_if(seen.grants.begin(), seen.grants.end(), [&](const Grant& grant) {
        return reconcilers::IsTombstone(grant, *rules) &&
               (role.empty() || reconcilers::CoversOn(&kind, role, grant));
      }));
}

}  // namespace

const reconcilers::Kind* FindMemberKind(const reconcilers::Kind& kind) {
  const std::string& member = kind.traits().member_kind;
  return member.empty() ? nullptr
                        : providers::KnownKinds().Find({kind.schema().token.api_version, member});
}

std::vector<ImportPiece> MakePieces(const reconcilers::Kind& kind, const std::string& role,
                                    const reconcilers::Observation& seen, BindingKey key) {
  std::set<std::string> conditions;
  for (const Grant& grant : HeldIn(kind, role, seen)) {
    conditions.insert(ConditionOfPart(grant.condition));
  }
  const reconcilers::Kind* member_kind = conditions.size() > 1 ? FindMemberKind(kind) : nullptr;
  if (member_kind == nullptr) return {{&kind, role}};
  std::vector<ImportPiece> pieces;
  if (key == BindingKey::kRoleAndCondition) {
    for (const std::string& condition : conditions) {
      pieces.push_back({&kind, ClaimPart{role, "", condition}.Text()});
    }
    return pieces;
  }
  for (std::string& part : member_kind->Roles(seen)) {
    if (RoleOfPart(part) == role) pieces.push_back({member_kind, std::move(part)});
  }
  return pieces;
}

bool AreCovered(const reconcilers::Kind& kind, const std::string& role,
                const std::vector<std::string>& parts, const reconcilers::Observation& seen) {
  const std::vector<Grant> held = HeldIn(kind, role, seen);
  return !held.empty() && std::all_of(held.begin(), held.end(), [&](const Grant& grant) {
    return std::any_of(parts.begin(), parts.end(), [&](const std::string& part) {
      return reconcilers::CoversOn(&kind, part, grant);
    });
  });
}

std::vector<std::string> ListLeftAside(const reconcilers::Kind& kind, const std::string& role,
                                       const reconcilers::Observation& seen) {
  std::vector<std::string> sentences;
  if (const std::size_t count = CountTombstones(kind, role, seen); count > 0) {
    sentences.push_back(DeletedLeftAside(count));
  }
  std::map<std::string, std::size_t> on_request;
  for (const Grant& grant : seen.grants) {
    const auto form = reconcilers::FindMarkedForm(kind.traits().just_in_time, grant);
    if (form && (role.empty() || reconcilers::CoversOn(&kind, role, grant)))
      ++on_request[form->service];
  }
  for (const auto& [service, count] : on_request) {
    sentences.push_back(OnRequestLeftAside(count, "grant", "with the mark of " + service));
  }
  return sentences;
}

}  // namespace bindery::app
