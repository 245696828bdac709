#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "manifests/schema/schema.h"

namespace bindery::datadog {

// What the values of Datadog manifests must look like. All pure; nothing means fine.

/// A type of resource with restriction policies, and its relations, weakest first.
struct RestrictableType {
  std::string_view type;
  std::vector<std::string> relations;
};
/// The types documented in August 2026. The service adds types every few months: further types are
/// not wrong.
[[nodiscard]] const std::vector<RestrictableType>& RestrictableTypes();

/// `<resource_type>:<resource_id>`, split at the first colon. A warning for what the service would
/// accept without any effect.
[[nodiscard]] std::optional<manifests::CheckFailure> CheckResourceId(std::string_view text);

/// A relation by itself: a word.
[[nodiscard]] std::optional<manifests::CheckFailure> CheckRelation(std::string_view text);

/// A warning when the resource's type is known and has no such relation.
[[nodiscard]] std::optional<manifests::CheckFailure> CheckRelationName(std::string_view resource_id,
                                                                       std::string_view relation);

/// The whole name of a role: one line, without surrounding blanks.
[[nodiscard]] std::optional<manifests::CheckFailure> CheckRoleName(std::string_view text);

/// The handle of a team: one word.
[[nodiscard]] std::optional<manifests::CheckFailure> CheckTeamHandle(std::string_view text);

/// The e-mail address of a user.
[[nodiscard]] std::optional<manifests::CheckFailure> CheckUserEmail(std::string_view text);

/// `<type>:<id>` with type role, team, user or org.
[[nodiscard]] std::optional<manifests::CheckFailure> CheckPrincipal(std::string_view text);

/// The whole name of a dataset: one line, without surrounding blanks.
[[nodiscard]] std::optional<manifests::CheckFailure> CheckDatasetName(std::string_view text);

/// `<type>:<id>` with type role or team.
[[nodiscard]] std::optional<manifests::CheckFailure> CheckDatasetPrincipal(std::string_view text);

/// A product whose data can be restricted. A warning for a product that was not documented in
/// August 2026.
[[nodiscard]] std::optional<manifests::CheckFailure> CheckDatasetProduct(std::string_view text);

/// `tag:value` or `@attribute:value`.
[[nodiscard]] std::optional<manifests::CheckFailure> CheckDatasetFilter(std::string_view text);

/// The whole text of a restriction query of logs: one line, without surrounding blanks.
[[nodiscard]] std::optional<manifests::CheckFailure> CheckLogsQuery(std::string_view text);

/// The id of a role alone, without "role:".
[[nodiscard]] std::optional<manifests::CheckFailure> CheckRoleId(std::string_view text);

}  // namespace bindery::datadog
