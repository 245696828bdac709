#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "access/places.h"
#include "access/role_permissions.h"
#include "core/access/grant.h"
#include "core/base/expected.h"
#include "reconcilers/principals.h"
#include "report/access/access_report.h"
#include "report/access/access_values.h"
#include "report/access/condition_judge.h"
#include "report/access/heir_judge.h"
#include "report/access/observed_access.h"
#include "report/access/role_access.h"
#include "report/codec/list_slice.h"

namespace bindery::report {

/// A policy, looked at for what the policy stands on, or for a target that inherits the policy.
struct PolicyView {
  const ObservedPolicy* policy = nullptr;
  const Target* heir = nullptr;  ///< Null: the target of the policy.
  HeirJudge* judge = nullptr;    ///< Set with `heir`.
};

/// The parts that an answer is made from.
struct AccessQuestion {
  const AccessQuery& query;
  std::vector<std::string> principals;  ///< Who is asked about; empty strings: anybody.
  std::string principals_note;
  ConditionJudge judge;
  RoleAccess roles;
  const access::RolePermissions* permissions;  ///< Set if the question is about a permission.
  const access::Places& places;
  ListPage page;
  /// Whether somebody is one of the holders, by holders, rules and principal: each worked out once.
  std::map<std::tuple<const KnownHolders*, const reconcilers::PrincipalRules*, std::string>,
           std::optional<Judgement>>
      holding = {};
};

/// An answer, and the grant behind the answer.
struct FoundAnswer {
  AccessAnswer answer;
  const ObservedPolicy* policy = nullptr;
  std::string role;  ///< Of the grant as it is in the policy.
};

/// The findings on the way to the answers.
struct AccessFindings {
  std::size_t before = 0;  ///< Certain answers before the page: counted alone.
  std::vector<FoundAnswer> certain;
  std::vector<FoundAnswer> others;
  std::set<std::string> roles;  ///< Held on the targets looked at, by anyone.
  std::map<Verdict, std::int64_t> counts;
  std::size_t targets = 0;  ///< With an answer.

  [[nodiscard]] std::size_t Answers() const {
    std::int64_t all = 0;
    for (const auto& [verdict, count] : counts) all += count;
    return static_cast<std::size_t>(all);
  }
  /// The answers in memory.
  [[nodiscard]] std::size_t Held() const { return certain.size() + others.size(); }
};

/// Judges the grants of one policy by the question.
[[nodiscard]] Expected<void> AddAnswers(AccessQuestion& question, const PolicyView& view,
                                        const std::vector<Grant>& grants, AccessFindings& findings);

/// Says of the answer which manifest declares the grant, or which service gave the grant.
void AddSource(const GrantSources& sources, FoundAnswer& found);

}  // namespace bindery::report
