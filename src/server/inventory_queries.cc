#include "server/inventory_port.h"
#include "server/queries.h"

namespace bindery::server {
namespace {

Expected<InventoryPort*> FindPort(const ApiParts& parts) {
  if (parts.inventory != nullptr) return parts.inventory;
  return Fail(Code::kUnavailable,
              "this daemon does not answer for scans: ask the one that is at work");
}

}  // namespace

Expected<report::Coverage> GetCoverage(const QueryContext& asked) {
  const auto port = FindPort(asked.parts);
  if (!port) return Fail(port.error());
  return (*port)->MakeCoverage({GetText(asked.request, "scope"), GetText(asked.request, "provider"),
                                GetText(asked.request, "by")});
}

Expected<report::InventoryList> GetScans(const QueryContext& asked) {
  const auto port = FindPort(asked.parts);
  if (!port) return Fail(port.error());
  return (*port)->Scans();
}

}  // namespace bindery::server
