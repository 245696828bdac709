#include "reconcilers/kind.h"

#include <utility>

namespace bindery::reconcilers {

Expected<Observation> Kind::Observe(const cloud::Connection& connection, const std::string& target,
                                    std::chrono::milliseconds timeout) const {
  Expected<cloud::PolicyCall> read = BuildGet(connection, target, timeout);
  if (!read) return Fail(std::move(read.error()));
  Expected<std::string> body = cloud::Send(*read, *connection.transport, *connection.authorizer);
  if (!body) return Fail(std::move(body.error()));
  return ParseResponse(*read, *body);
}

Expected<cloud::PolicyCall> Kind::ReadEtag(const cloud::Connection& /*connection*/,
                                           const std::string& /*target*/,
                                           std::chrono::milliseconds /*timeout*/) const {
  return Fail(Code::kUnimplemented, "its etag cannot be read alone");
}

Observation Kind::AfterWriting(const TargetPlan& plan, Observation now) const {
  if (traits_.principals == nullptr) return now;
  const auto normal = traits_.principals->normal;
  Json* holder = &now.document;
  for (const std::string& member : traits_.bindings_in) holder = &(*holder)[member];
  Json& bindings = (*holder)["bindings"];
  if (!bindings.is_array()) bindings = Json::array();
  bindings = EditBindings(
      bindings, traits_.binding_words, plan.adds(), plan.removes(),
      [normal](const std::string& a, const std::string& b) { return normal(a) == normal(b); });
  now.grants = DistinctGrants(ListGrants(bindings, traits_.binding_words), normal);
  now.exists = !now.grants.empty();
  return now;
}

std::vector<Grant> Kind::GrantsIn(const Json& /*spec*/) const { return {}; }

Expected<Json> Kind::OutputsWithSecrets(const cloud::PolicyCall& read, const std::string& target,
                                        const std::string& body) const {
  const Expected<Observation> seen = ParseResponse(read, body);
  if (!seen) return Fail(seen.error());
  return Outputs(target, *seen);
}

bool CoversOn(const Kind* kind, std::string_view part, const Grant& grant) {
  const PrincipalRules* rules = kind == nullptr ? nullptr : kind->traits().principals;
  if (rules != nullptr) return Covers(part, grant, rules->normal);
  return Covers(part, grant, [](const std::string& principal) { return principal; });
}

}  // namespace bindery::reconcilers
