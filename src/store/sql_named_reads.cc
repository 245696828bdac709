#include "store/sql_named_reads.h"

#include <map>

#include "store/sql/policies.h"
#include "store/tables/drift_snapshot.h"
#include "store/tables/inventories.h"
#include "store/tables/read_ahead.h"
#include "store/tables/reads.h"

namespace bindery::store {
namespace {

Error NoPolicy(const std::string& digest) {
  return {Code::kNotFound, "there is no policy \"" + digest + "\""};
}

}  // namespace

Expected<void> SqlNamedReads::ReadTogether(const std::function<void()>& read) const {
  return connections().ReadTogether(read);
}

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

Expected<std::vector<ObservedResource>> SqlNamedReads::ResourcesNamed(
    const std::vector<std::string>& names) const {
  return connections().Read(
      "resources", [&](Connection& connection) { return ReadResourcesNamed(connection, names); });
}

Expected<std::vector<RevisionRecord>> SqlNamedReads::NewestRevisions(const Target& target,
                                                                     std::size_t most) const {
  return connections().Read("revisions", [&](Connection& connection) {
    return ReadRevisions(connection, target, {.with_policy = true, .most = most});
  });
}

Expected<std::vector<DriftEntry>> SqlNamedReads::DriftNumbered(
    const std::vector<std::int64_t>& ids) const {
  return connections().Read("drift", [&](Connection& connection) {
    std::vector<DriftEntry> entries;
    EachDriftNumbered(connection, ids, [&](const DriftEntry& entry) { entries.push_back(entry); });
    return entries;
  });
}

Expected<std::vector<ManifestProblemRecord>> SqlNamedReads::ProblemsAbout(
    const std::string& resource, const std::string& file) const {
  return connections().Read("manifest problems", [&](Connection& connection) {
    return ReadProblemsAbout(connection, resource, file);
  });
}

Expected<std::map<std::string, std::size_t>> SqlNamedReads::CountProblems() const {
  return connections().Read("manifest problems", store::CountProblems);
}

Expected<void> SqlNamedReads::EachResourceByName(
    const std::function<void(ObservedResource&&)>& take) const {
  return ReadAhead<ObservedResource>(
      [this](const NextRecord<ObservedResource>& next) {
        return connections().ReadApart("resources", [&](Connection& connection) {
          store::EachResourceByName(connection, next);
        });
      },
      take);
}

Expected<void> SqlNamedReads::EachScannedPlace(
    const std::function<void(ScannedPlace&&)>& take) const {
  return connections().ReadApart("places of scans", [&](Connection& connection) {
    store::EachScannedPlace(connection, take);
  });
}

}  // namespace bindery::store
