#include "store/sql_named_reads.h"

#include "store/tables/read_ahead.h"
#include "store/tables/reads.h"

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
