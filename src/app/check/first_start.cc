#include "app/check/first_start.h"

namespace bindery::app {

void WarnOfFirstStart(const config::Config& config, telemetry::Logger& log) {
  if (config.reconcile.mode == Mode::kObserve) return;
  for (const auto& [name, provider] : config.providers) {
    if (provider.embedded) continue;
    log.Warn(
        "first start on a real cloud: members, and with undeclaredRoles: remove also roles, "
        "that no manifest declares are removed from the targets that manifests name; "
        "reconcile.mode: observe only reports them",
        {{"provider", name}});
  }
}

}  // namespace bindery::app
