#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "manifests/schema.h"

namespace bindery {

// What the values of manifests must look like. All pure; nothing means fine.

/// A check that refuses the empty text and one of white space only.
[[nodiscard]] std::optional<CheckFailure> CheckNotBlank(std::string_view text);

/// metadata.name: up to 253 lower-case letters, digits, '-' and '.', a letter or digit at both
/// ends.
[[nodiscard]] std::optional<CheckFailure> CheckManifestName(std::string_view text);

/// options.provider: the name of a provider of the configuration.
[[nodiscard]] std::optional<CheckFailure> CheckProviderName(std::string_view text);

/// options.interval: a duration from 1s to 365d.
[[nodiscard]] std::optional<CheckFailure> CheckInterval(std::string_view text);

/// options.customTimeouts: a duration from 1s to 24h.
[[nodiscard]] std::optional<CheckFailure> CheckTimeout(std::string_view text);

/// options.ignoreChanges: a path such as "bindings[0].principals".
[[nodiscard]] std::optional<CheckFailure> CheckFieldPath(std::string_view text);

/// A member of an IAM binding, in any form Google Cloud accepts from a writer.
[[nodiscard]] std::optional<CheckFailure> CheckMember(std::string_view text);

/// One spelling for members that Google Cloud takes for the same: e-mail addresses and domains in
/// lower case. For comparison only, never to be written.
[[nodiscard]] std::string MemberNormalForm(std::string_view member);

/// "roles/viewer", "projects/p/roles/custom", "organizations/1/roles/custom".
[[nodiscard]] std::optional<CheckFailure> CheckRole(std::string_view text);

/// One part of a resource name, such as an id or a location; a project may hold a colon.
[[nodiscard]] std::optional<CheckFailure> CheckNamePart(std::string_view text, bool is_project);

/// Whether a role is one of the basic three, which take no condition.
[[nodiscard]] bool IsBasicRole(std::string_view role);

/// "projects/P/locations/L/COLLECTION/ID", or the part from "locations/" on.
[[nodiscard]] std::optional<CheckFailure> CheckIamResourceName(std::string_view text,
                                                               std::string_view collection);

/// A type of resource that takes restriction policies, and its relations, weakest first.
struct RestrictableType {
  std::string_view type;
  std::vector<std::string> relations;
};
/// Those the service documented in August 2026. It adds some every few months: others are not
/// wrong.
[[nodiscard]] const std::vector<RestrictableType>& RestrictableTypes();

/// `<resource_type>:<resource_id>`, split at the first colon. A warning for what the service would
/// accept without any effect.
[[nodiscard]] std::optional<CheckFailure> CheckResourceId(std::string_view text);

/// A relation by itself: a word.
[[nodiscard]] std::optional<CheckFailure> CheckRelation(std::string_view text);

/// A warning when the resource's type is known and has no such relation.
[[nodiscard]] std::optional<CheckFailure> CheckRelationOf(std::string_view resource_id,
                                                          std::string_view relation);

/// `<type>:<id>` with type role, team, user or org.
[[nodiscard]] std::optional<CheckFailure> CheckPrincipal(std::string_view text);

}  // namespace bindery
