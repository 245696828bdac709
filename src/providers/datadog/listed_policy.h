#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "manifests/schema/schema.h"
#include "reconcilers/kind.h"
#include "reconcilers/policy_diff.h"

namespace bindery::datadog {

/// A kind on something without a policy of its own, found in a list by its name, whose parts are
/// grants: a dataset, a restriction query of logs. Its document has "bindings", as
/// the reports, the history and a rollback of every kind read a document.
class ListedPolicy : public reconcilers::Kind {
 public:
  /// `rules`: the comparison; lives as long as the program. `check`: the possible names.
  ListedPolicy(const manifests::KindSchema& schema, reconcilers::KindTraits traits,
               const reconcilers::DiffRules& rules,
               std::optional<manifests::CheckFailure> (*check)(std::string_view))
      : reconcilers::Kind(schema, std::move(traits)), rules_(rules), check_(check) {}

  /// The whole object named by the first field.
  [[nodiscard]] Expected<reconcilers::Declaration> Declare(
      const Json& spec, const std::string& default_project) const final;
  [[nodiscard]] reconcilers::TargetPlan Plan(const reconcilers::Desired& desired,
                                             const reconcilers::Observation& now) const final;
  /// No operation tells the caller's write permissions. A read shows that the keys are good and
  /// that the caller may see the list.
  [[nodiscard]] Expected<std::vector<std::string>> MissingPermissions(
      const cloud::Connection& connection, const std::string& target, bool to_write,
      std::chrono::milliseconds timeout) const final;
  [[nodiscard]] Json Outputs(const std::string& target,
                             const reconcilers::Observation& now) const final;
  [[nodiscard]] Expected<reconcilers::ResourceId> ParseId(
      const std::string& id, const std::string& default_project) const final;
  [[nodiscard]] std::vector<std::string> Roles(const reconcilers::Observation& now) const final;

 protected:
  /// Each once.
  [[nodiscard]] std::vector<Grant> Distinct(std::vector<Grant> grants) const;
  /// The bindings of a document with these grants.
  [[nodiscard]] Json MakeBindings(const std::vector<Grant>& grants) const;
  /// The bindings of `now` after `plan` is written.
  [[nodiscard]] Json BindingsAfter(const reconcilers::TargetPlan& plan,
                                   const reconcilers::Observation& now) const;

 private:
  const reconcilers::DiffRules& rules_;
  std::optional<manifests::CheckFailure> (*check_)(std::string_view);
};

/// What the rows of such kinds have in common.
[[nodiscard]] reconcilers::KindTraits ListedPolicyTraits(
    const reconcilers::PrincipalRules& principals, const GrantSeverities& severities);

}  // namespace bindery::datadog
