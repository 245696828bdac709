#pragma once

#include <string>
#include <vector>

#include "reconcilers/kind.h"

namespace bindery::reconcilers {

/// A kind that is only read: it has results and no grants, is never written, and never differs from
/// its declaration while found. Its observation is its outputs, with secrets hidden, so that no
/// secret goes further.
class Lookup : public Kind {
 public:
  using Kind::Kind;

  [[nodiscard]] Expected<Observation> ParseResponse(const cloud::PolicyCall& read,
                                                    const std::string& body) const final;
  [[nodiscard]] Expected<Json> OutputsWithSecrets(const cloud::PolicyCall& read,
                                                  const std::string& target,
                                                  const std::string& body) const final;
  [[nodiscard]] TargetPlan Plan(const Desired& desired, const Observation& now) const final;
  [[nodiscard]] Expected<cloud::PolicyCall> BuildSet(const cloud::Connection& connection,
                                                     const std::string& target,
                                                     const TargetPlan& plan, const Observation& now,
                                                     std::chrono::milliseconds timeout) const final;
  /// Runs the lookup: no other call proves the permission.
  [[nodiscard]] Expected<std::vector<std::string>> MissingPermissions(
      const cloud::Connection& connection, const std::string& target, bool to_write,
      std::chrono::milliseconds timeout) const final;
  [[nodiscard]] Json Outputs(const std::string& target, const Observation& now) const final;
  [[nodiscard]] std::vector<std::string> Roles(const Observation& now) const final;

 protected:
  struct Result {
    Json outputs;      ///< All of the schema's, in its order, secrets included.
    std::string note;  ///< As Observation::note.
  };
  [[nodiscard]] virtual Expected<Result> MakeResult(const cloud::PolicyCall& read,
                                                    const std::string& body) const = 0;
};

}  // namespace bindery::reconcilers
