#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cel/evaluation/time.h"
#include "cel/syntax/finding.h"

namespace bindery::google::conditions {

/// The context of a condition; an empty field is not checked.
struct CheckContext {
  std::string role;     ///< "roles/viewer"
  std::string service;  ///< Of the resource whose policy it is in: "backupdr.googleapis.com".
  /// Resources of all services inherit the policy: of a project, and what holds projects.
  bool inherited = false;
  /// What conditions call the resource: resource.name is this, or this and a part behind "/". With
  /// a
  /// "/" at the end only the beginning is known.
  std::string names_begin = {};
  /// Resources of the type take no condition on primitive roles. False: not known.
  bool basic_refused = false;
  std::optional<cel::Timestamp> now;
};

/// The errors and probable mistakes in a binding's condition, in the order of the places. Checks
/// and their names are those of the service's own linter. Never fails, whatever the text.
[[nodiscard]] std::vector<cel::Finding> CheckCondition(std::string_view expression,
                                                       const CheckContext& context = {});

}  // namespace bindery::google::conditions
