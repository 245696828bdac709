#include "reconcilers/lookup.h"

#include <utility>

#include "reconcilers/secrets.h"

namespace bindery::reconcilers {

Expected<Observation> Lookup::ParseResponse(const cloud::PolicyCall& read,
                                            const std::string& body) const {
  Expected<Result> result = MakeResult(read, body);
  if (!result) return Fail(std::move(result.error()));
  Observation seen;
  seen.exists = true;
  seen.document = WithoutSecrets(std::move(result->outputs), schema().outputs);
  seen.note = std::move(result->note);
  return seen;
}

Expected<Json> Lookup::OutputsWithSecrets(const cloud::PolicyCall& read,
                                          const std::string& /*target*/,
                                          const std::string& body) const {
  Expected<Result> result = MakeResult(read, body);
  if (!result) return Fail(std::move(result.error()));
  return std::move(result->outputs);
}

TargetPlan Lookup::Plan(const Desired& /*desired*/, const Observation& /*now*/) const { return {}; }

Expected<cloud::PolicyCall> Lookup::BuildSet(const cloud::Connection& /*connection*/,
                                             const std::string& /*target*/,
                                             const TargetPlan& /*plan*/, const Observation& /*now*/,
                                             std::chrono::milliseconds /*timeout*/) const {
  return Fail(Code::kUnimplemented, schema().token.kind + " is a lookup: nothing is ever written");
}

Expected<std::vector<std::string>> Lookup::MissingPermissions(
    const cloud::Connection& connection, const std::string& target, bool /*to_write*/,
    std::chrono::milliseconds timeout) const {
  const auto seen = Observe(connection, target, timeout);
  if (!seen) return Fail(seen.error());
  return std::vector<std::string>{};
}

Json Lookup::Outputs(const std::string& /*target*/, const Observation& now) const {
  return now.document;
}

std::vector<std::string> Lookup::Roles(const Observation& now) const {
  if (!now.exists) return {};
  return {std::string(kWholePolicy)};
}

}  // namespace bindery::reconcilers
