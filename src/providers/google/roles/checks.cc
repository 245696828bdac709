#include "providers/google/roles/checks.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "manifests/schema/check_text.h"
#include "providers/google/roles/permissions.h"
#include "providers/google/roles/role_forms.h"
#include "providers/google/roles/role_severities.h"

namespace bindery::google {
namespace {

/// A segment goes into a URL unchanged: nothing in it may end the segment or climb out.
bool IsNameSegment(std::string_view segment, bool is_project) {
  if (segment == "." || segment == "..") return false;
  return manifests::HasOnlyCharacters(segment, is_project ? "-_.~:" : "-_.~");
}

manifests::CheckFailure BadRole(std::string message) {
  return manifests::CheckFailure{"BadRole", std::move(message)};
}

std::string PermissionText(std::string_view name) {
  return manifests::Quote(name) + " is a permission, not a role: name a role that holds it";
}

}  // namespace

std::optional<manifests::CheckFailure> CheckNamePart(std::string_view text, bool is_project) {
  if (IsNameSegment(text, is_project)) return std::nullopt;
  return manifests::CheckFailure{"BadResourceName",
                                 manifests::Quote(text) +
                                     " is not one part of a resource name: write the id alone, of "
                                     "letters, digits, '-', '_', '.' and '~'"};
}

std::optional<manifests::CheckFailure> CheckRole(std::string_view text) {
  const std::vector<std::string_view> parts = manifests::Split(text, '/');
  const std::string_view id = parts.back();
  const bool predefined = parts.size() == 2 && parts[0] == "roles";
  const bool custom = parts.size() == 4 && parts[2] == "roles" &&
                      ((parts[0] == "projects" && IsNameSegment(parts[1], true)) ||
                       (parts[0] == "organizations" && manifests::IsDecimal(parts[1])));
  if ((predefined || custom) && manifests::HasOnlyCharacters(id, "_.")) return std::nullopt;
  if (parts.size() == 1 && IsKnownPermission(text)) return BadRole(PermissionText(text));
  std::string message = manifests::Quote(text) +
                        " is not a role: write roles/NAME, projects/PROJECT/roles/NAME or "
                        "organizations/NUMBER/roles/NAME";
  if (parts.size() == 1 && manifests::HasOnlyCharacters(text, "_.")) {
    const std::string written = "roles/" + std::string(text);
    const std::optional<std::string> meant =
        PredefinedRoleSeverity(written) ? written : NearestPredefinedRole(written);
    if (meant)
      message =
          manifests::Quote(text) + " is not a role, did you mean " + manifests::Quote(*meant) + "?";
  }
  return BadRole(std::move(message));
}

std::optional<manifests::CheckFailure> CheckWrittenRole(std::string_view text) {
  constexpr std::string_view kRoles = "roles/";
  if (auto failure = CheckRole(text)) return failure;
  if (const std::string plain = StripConditionSuffix(text); !plain.empty()) {
    return BadRole(manifests::Quote(text) + " is what a policy that is read in version 1 calls " +
                   manifests::Quote(plain) +
                   " under a condition: write that role, and the condition");
  }
  if (IsNamedLikePermission(text)) {
    return BadRole(PermissionText(text.substr(kRoles.size())));
  }
  if (!text.starts_with(kRoles) || PredefinedRoleSeverity(text)) return std::nullopt;
  const std::optional<std::string> nearest = NearestPredefinedRole(text);
  std::string message =
      manifests::Quote(text) + " is no predefined role that this version of bindery knows";
  message += nearest ? ", did you mean " + manifests::Quote(*nearest) + "?"
                     : "; a custom role is written projects/PROJECT/" + std::string(text) +
                           " or organizations/NUMBER/" + std::string(text);
  return manifests::CheckFailure{"UnknownRole", std::move(message), true};
}

}  // namespace bindery::google
