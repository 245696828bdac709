// Reports made of what scans showed.

#include <memory>

#include "app/run/scan_desk.h"
#include "inventory/coverage.h"

namespace bindery::app {

Expected<report::Coverage> CoverageFrom(const store::Store& store,
                                        const controller::CatalogSettings& settings,
                                        const server::CoverageAsked& asked, WallTime now) {
  inventory::CoverageQuery query{asked.scope, asked.provider};
  if (!asked.by.empty()) {
    query.by = inventory::ParseCoverageBy(asked.by);
    if (!query.by) {
      return Fail(Code::kInvalidArgument,
                  "\"by\" must be project, folder, kind, role, principal or severity, not \"" +
                      asked.by + "\"");
    }
  }
  return inventory::CoverageReport({store, store.inventory(), settings}, query, now);
}

Expected<std::shared_ptr<const report::UnmanagedGrants>> UnmanagedIn(
    const store::Store& store, const controller::CatalogSettings& settings, WallTime now) {
  return inventory::ReadUnmanaged({store, store.inventory(), settings}, now);
}

}  // namespace bindery::app
