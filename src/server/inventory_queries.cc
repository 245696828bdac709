#include "server/inventory_port.h"
#include "server/queries.h"

namespace bindery::server {
namespace {

Expected<InventoryPort*> PortOf(const ApiParts& parts) {
  if (parts.inventory != nullptr) return parts.inventory;
  return Fail(Code::kUnavailable,
              "this daemon does not answer for scans: ask the one that is at work");
}

}  // namespace

Expected<Coverage> GetCoverage(const QueryContext& asked) {
  const auto port = PortOf(asked.parts);
  if (!port) return Fail(port.error());
  return (*port)->CoverageOf({TextOf(asked.request, "scope"), TextOf(asked.request, "provider"),
                              TextOf(asked.request, "by")});
}

Expected<InventoryList> GetScans(const QueryContext& asked) {
  const auto port = PortOf(asked.parts);
  if (!port) return Fail(port.error());
  return (*port)->Scans();
}

}  // namespace bindery::server
