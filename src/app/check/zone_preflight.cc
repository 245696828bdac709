#include "app/check/zone_preflight.h"

#include "cel/evaluation/zone.h"

namespace bindery::app {

report::PreflightCheck PreflightOfZones() {
  const cel::ZoneData zones = cel::InstalledZones();
  if (!zones.available) {
    return {"time zones", zones.directory, report::CheckState::kWarning,
            "no time zone data: conditions that name a zone cannot be judged",
            "install the package tzdata"};
  }
  return {"time zones", zones.directory, report::CheckState::kOk,
          zones.version.empty() ? "version unknown" : "version " + zones.version, ""};
}

}  // namespace bindery::app
