#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "manifests/schema/schema.h"

namespace bindery::google {

// What the values of Google manifests must look like. All pure; nothing means fine.

/// A member of an IAM binding, in any form Google Cloud accepts from a writer.
[[nodiscard]] std::optional<manifests::CheckFailure> CheckMember(std::string_view text);

/// Whether the text has the form of a member at all: a known type, and a name as the type takes it.
[[nodiscard]] bool HasMemberForm(std::string_view text);

/// "roles/viewer", "projects/p/roles/custom", "organizations/1/roles/custom".
[[nodiscard]] std::optional<manifests::CheckFailure> CheckRole(std::string_view text);

/// The same for a role that is to be granted: also no permission, and no role of a policy read in
/// version 1. A predefined role that is not known is a warning only: Google adds roles.
[[nodiscard]] std::optional<manifests::CheckFailure> CheckWrittenRole(std::string_view text);

/// One part of a resource name, such as an id or a location; a project may hold a colon.
[[nodiscard]] std::optional<manifests::CheckFailure> CheckNamePart(std::string_view text,
                                                                   bool is_project);

}  // namespace bindery::google
