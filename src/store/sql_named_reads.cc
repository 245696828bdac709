#include "store/sql_named_reads.h"

#include "store/reads.h"

namespace bindery::store {

Expected<std::optional<ResourceRecord>> SqlNamedReads::Resource(const std::string& name) const {
  return connections().Read("a resource",
                            [&](Connection& connection) { return FindResource(connection, name); });
}

Expected<std::vector<ResourceRecord>> SqlNamedReads::ResourcesOn(const Target& target) const {
  return connections().Read("resources of a target", [&](Connection& connection) {
    return ReadResourcesOn(connection, target);
  });
}

Expected<std::vector<TargetRecord>> SqlNamedReads::TargetsNamed(const std::string& name) const {
  return connections().Read(
      "targets", [&](Connection& connection) { return ReadTargetsNamed(connection, name); });
}

}  // namespace bindery::store
