#pragma once

#include <string>
#include <vector>

#include "providers/google/clients/iam_policy_client.h"
#include "providers/google/rows/iam_kinds.h"
#include "providers/google/rows/iam_rows.h"
#include "reconcilers/kind.h"
#include "reconcilers/policy_diff.h"

namespace bindery::google {

/// The common part of all kinds on a resource with an allow policy: reading, comparing and writing.
/// The kinds differ in their row, and by their shape in the part of the policy that one manifest
/// declares.
class AllowPolicyKind : public reconcilers::Kind {
 public:
  [[nodiscard]] Expected<reconcilers::Declaration> Declare(
      const Json& spec, const std::string& default_project) const final;
  [[nodiscard]] Expected<cloud::PolicyCall> BuildGet(const cloud::Connection& connection,
                                                     const std::string& target,
                                                     std::chrono::milliseconds timeout) const final;
  [[nodiscard]] Expected<cloud::PolicyCall> ReadEtag(const cloud::Connection& connection,
                                                     const std::string& target,
                                                     std::chrono::milliseconds timeout) const final;
  [[nodiscard]] Expected<reconcilers::Observation> ParseResponse(
      const cloud::PolicyCall& call, const std::string& body) const final;
  [[nodiscard]] reconcilers::TargetPlan Plan(const reconcilers::Desired& desired,
                                             const reconcilers::Observation& now) const final;
  [[nodiscard]] std::optional<std::string> CanonicalName(
      const std::string& text, const std::string& default_project) const final;
  [[nodiscard]] std::map<Grant, reconcilers::Reason> Refuse(const reconcilers::TargetPlan& plan,
                                                            const reconcilers::Observation& now,
                                                            const std::string& own,
                                                            const TimeSpan& time) const final;
  [[nodiscard]] Expected<cloud::PolicyCall> BuildSet(const cloud::Connection& connection,
                                                     const std::string& target,
                                                     const reconcilers::TargetPlan& plan,
                                                     const reconcilers::Observation& now,
                                                     std::chrono::milliseconds timeout) const final;
  [[nodiscard]] reconcilers::Observation AfterWriting(const reconcilers::TargetPlan& plan,
                                                      reconcilers::Observation now) const final;
  [[nodiscard]] Json Outputs(const std::string& target,
                             const reconcilers::Observation& now) const final;
  [[nodiscard]] Expected<std::vector<std::string>> MissingPermissions(
      const cloud::Connection& connection, const std::string& target, bool to_write,
      std::chrono::milliseconds timeout) const final;
  [[nodiscard]] std::string BaseUrl(const cloud::Connection& connection,
                                    const std::string& target) const final;
  [[nodiscard]] std::string QuotaProject(const std::string& target) const final;

 protected:
  AllowPolicyKind(const IamRow& row, IamShape shape);

  /// Says of a spec which part of the policy it claims; the target is filled in already.
  virtual void Claim(const Json& spec, reconcilers::Declaration& declared) const = 0;

  [[nodiscard]] const IamRow& row() const { return row_; }
  /// Without grants that look like just-in-time access: no manifest is made of these.
  [[nodiscard]] std::vector<Grant> Lasting(std::vector<Grant> grants) const;

 private:
  [[nodiscard]] IamPolicyClient::Endpoint GetEndpoint(const cloud::Connection& connection) const;

  const IamRow& row_;         ///< How manifests name the resource.
  const IamRow& policy_row_;  ///< How its policy is asked for.
  const reconcilers::DiffRules rules_;
};

/// The condition of a spec; nothing where it has none.
[[nodiscard]] std::optional<Condition> ConditionIn(const Json& spec);

}  // namespace bindery::google
