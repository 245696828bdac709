#include "store/sql_named_reads.h"

#include <map>

#include "store/sql/policies.h"
#include "store/tables/read_ahead.h"
#include "store/tables/reads.h"

namespace bindery::store {
namespace {

Error NoPolicy(const std::string& digest) {
  return {Code::kNotFound, "there is no policy \"" + digest + "\""};
}

}  // namespace

Expected<std::optional<ResourceRecord>> SqlNamedReads::Resource(const std::string& name) const {
  return connections().Read("a resource",
                            [&](Connection& connection) { return FindResource(connection, name); });
}

Expected<std::vector<ResourceRecord>> SqlNamedReads::ResourcesOn(const Target& target) const {
  return connections().Read("resources of a target", [&](Connection& connection) {
    return ReadResourcesOn(connection, target);
  });
}

Expected<std::vector<ResourceRecord>> SqlNamedReads::ResourcesOnEach(
    const std::vector<Target>& targets) const {
  return connections().Read("resources of targets", [&](Connection& connection) {
    return ReadResourcesOnEach(connection, targets);
  });
}

Expected<std::string> SqlNamedReads::Policy(const std::string& digest) const {
  auto found = connections().Read(
      "a policy", [&](Connection& connection) { return ReadPolicy(connection, digest); });
  if (!found) return Fail(found.error());
  if (!*found) return Fail(NoPolicy(digest));
  return std::move(**found);
}

Expected<std::vector<std::string>> SqlNamedReads::Policies(
    const std::vector<std::string>& digests) const {
  const auto found = connections().Read("policies", [&](Connection& connection) {
    std::map<std::string, std::string> bodies;
    ReadPolicyBodies(connection, digests, [&bodies](std::string digest, std::string body) {
      bodies.insert_or_assign(std::move(digest), std::move(body));
    });
    return bodies;
  });
  if (!found) return Fail(found.error());
  std::vector<std::string> bodies;
  bodies.reserve(digests.size());
  for (const std::string& digest : digests) {
    const auto body = found->find(digest);
    if (body == found->end()) return Fail(NoPolicy(digest));
    bodies.push_back(body->second);
  }
  return bodies;
}

Expected<std::vector<TargetRecord>> SqlNamedReads::TargetsNamed(const std::string& name) const {
  return connections().Read(
      "targets", [&](Connection& connection) { return ReadTargetsNamed(connection, name); });
}

Expected<std::vector<ResourceRecord>> SqlNamedReads::ResourcesByName(std::size_t offset,
                                                                     std::size_t limit) const {
  return connections().Read("resources", [&](Connection& connection) {
    return ReadResourcesByName(connection, offset, limit);
  });
}

Expected<void> SqlNamedReads::EachResourceByName(
    const std::function<void(ResourceRecord&&)>& take) const {
  return ReadAhead<ResourceRecord>(
      [this](const NextRecord<ResourceRecord>& next) {
        return connections().ReadApart("resources", [&](Connection& connection) {
          store::EachResourceByName(connection, next);
        });
      },
      take);
}

}  // namespace bindery::store
