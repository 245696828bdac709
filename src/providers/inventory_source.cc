#include "providers/inventory_source.h"

#include "providers/provider.h"

namespace bindery::providers {

void CheckScanPlan(const InventorySource& source, const std::string& scope,
                   ProviderSettings& settings) {
  constexpr std::string_view kScope = "scan.scope";
  if (settings.Faulty(kScope)) return;
  if (scope.empty()) {
    for (const std::string_view key : {"scan.interval", "scan.hints"}) {
      if (settings.Given(key)) settings.Add(key, "is only of use with scan.scope");
    }
    return;
  }
  const auto read = source.ReadScope(scope);
  if (!read) settings.Add(kScope, read.error().message);
}

}  // namespace bindery::providers
