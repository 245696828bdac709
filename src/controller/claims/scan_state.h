#pragma once

#include <set>
#include <string>

#include "core/access/target_key.h"

namespace bindery::controller {

/// The result of a scan for the next scan, and for judges of claims in between. Written by the
/// load, by scans and by a change of the settings.
struct ScanState {
  bool scanned = false;  ///< Before the first scan nothing is known of what the directory holds.
  /// The content of a file is unknown: nothing may be removed because no manifest declares it.
  bool unknown_content = true;
  bool sound = false;  ///< The last scan brought everything it found into force.
  /// Manifests were placed by outdated settings and must be placed again.
  bool placed_otherwise = false;
  bool awaits_forget = false;          ///< A manifest is kept out by what a protected one holds.
  std::set<TargetKey> contested_on;    ///< Targets with contested roles.
  std::set<std::string> unaccepted;    ///< Resources that did not come into force.
  std::set<std::string> missing_once;  ///< Resources whose manifest the last scan did not find.
  std::set<std::string> previews_seen;
};

}  // namespace bindery::controller
