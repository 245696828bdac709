// Reports made of what scans showed.

#include <memory>

#include "app/run/scan_desk.h"
#include "inventory/coverage.h"

namespace bindery {

Expected<Coverage> CoverageFrom(const Store& store, const CatalogSettings& settings,
                                const CoverageAsked& asked, WallTime now) {
  CoverageQuery query{asked.scope, asked.provider};
  if (!asked.by.empty()) {
    query.by = ParseCoverageBy(asked.by);
    if (!query.by) {
      return Fail(Code::kInvalidArgument,
                  "\"by\" must be project, folder, kind, role, principal or severity, not \"" +
                      asked.by + "\"");
    }
  }
  return CoverageReport({store, store.inventory(), settings}, query, now);
}

Expected<std::shared_ptr<const UnmanagedGrants>> UnmanagedIn(const Store& store,
                                                             const CatalogSettings& settings,
                                                             WallTime now) {
  return ReadUnmanaged({store, store.inventory(), settings}, now);
}

}  // namespace bindery
