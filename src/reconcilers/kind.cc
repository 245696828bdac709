#include "reconcilers/kind.h"

#include <utility>

namespace bindery {

Expected<Observation> Kind::Observe(const Connection& connection, const std::string& target,
                                    std::chrono::milliseconds timeout) const {
  Expected<PolicyCall> read = Reading(connection, target, timeout);
  if (!read) return Fail(std::move(read.error()));
  Expected<std::string> body = Send(*read, *connection.transport, *connection.authorizer);
  if (!body) return Fail(std::move(body.error()));
  return Understand(*read, *body);
}

std::string Kind::IdOf(const std::string& target, const std::string& role) const {
  const bool whole = role.empty() || role == kWholePolicy || schema_.read_only;
  return whole ? target : target + " " + role;
}

Expected<Json> Kind::Reveal(const PolicyCall& read, const std::string& target,
                            const std::string& body) const {
  const Expected<Observation> seen = Understand(read, body);
  if (!seen) return Fail(seen.error());
  return Outputs(target, *seen);
}

}  // namespace bindery
