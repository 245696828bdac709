#pragma once

#include <string>

#include "core/access/grant.h"
#include "core/base/expected.h"
#include "core/base/json.h"

namespace bindery::app {

/// A manifest that declares audit configurations.
struct AuditManifest {
  std::string text;  ///< Of the whole file.
  std::string name;  ///< metadata.name
  const Json& spec;
  /// As PrincipalRules::normal.
  std::string (*normal)(const std::string&) = nullptr;
};

// The text of a file with one change of a declared audit configuration. `unit` as in reports: role
// "auditConfigs/SERVICE", member "DATA_READ" or "DATA_READ exempts MEMBER". Errors as in
// manifest_edit.h. Pure.

/// With the log type, or with the exemption and its log type.
[[nodiscard]] Expected<std::string> WithAuditUnit(const AuditManifest& manifest, const Grant& unit);

/// Without the log type and its exemptions, or without the exemption. Requires: the manifest
/// declares something else besides.
[[nodiscard]] Expected<std::string> WithoutAuditUnit(const AuditManifest& manifest,
                                                     const Grant& unit);

/// The exemption belongs to the log type: both are units.
[[nodiscard]] bool IsExemptionFrom(const Grant& exemption, const Grant& log_type);

}  // namespace bindery::app
