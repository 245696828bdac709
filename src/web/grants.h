#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/access/grant.h"
#include "core/base/json.h"
#include "report/codec/time_bounds.h"
#include "report/values/drift_values.h"
#include "report/values/revision_values.h"
#include "web/html.h"

namespace bindery::web {

[[nodiscard]] Html PrincipalName(std::string_view principal);
/// The role of a grant, with the condition below.
[[nodiscard]] Html RoleCell(const Grant& grant);
/// The same in one line: of a condition the title alone, with its expression as the title.
[[nodiscard]] Html RoleLine(const Grant& grant);
/// The same, and the expression on request.
[[nodiscard]] Html RoleFold(const Grant& grant, const std::string& id);
/// "ends 2026-12-01 00:00 UTC" and the like; empty when time does not bound it.
[[nodiscard]] std::string BoundsText(const std::optional<report::TimeBounds>& bounds);
/// The same in the height of a row.
[[nodiscard]] Html BoundsCell(const std::optional<report::TimeBounds>& bounds);

/// Grants that came and went as a list of lines with + and -, in words for screen readers.
[[nodiscard]] Html MakeDiff(const report::GrantChanges& changes);

/// Declared grants that end soon, the first to end first, of `count`; nothing where none does.
[[nodiscard]] Html ExpiringSection(const std::vector<report::ExpiringGrants>& expiring,
                                   std::int64_t count);

/// JSON for people, indented.
[[nodiscard]] Html JsonBlock(const Json& value, std::string_view label);

}  // namespace bindery::web
