#include "providers/inventory_source.h"

#include "providers/provider.h"

namespace bindery {

void CheckScanPlan(const InventorySource& source, const std::string& scope,
                   ProviderSettings& settings) {
  constexpr std::string_view kScope = "scan.scope";
  constexpr std::string_view kInterval = "scan.interval";
  if (settings.Faulty(kScope)) return;
  if (scope.empty()) {
    if (settings.Given(kInterval)) settings.Add(kInterval, "is only of use with scan.scope");
    return;
  }
  const auto read = source.ReadScope(scope);
  if (!read) settings.Add(kScope, read.error().message);
}

}  // namespace bindery
