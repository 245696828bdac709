#include "providers/google/checks.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "manifests/check_text.h"
#include "providers/google/role_severities.h"

namespace bindery {
namespace {

/// A segment goes into a URL as it is: nothing that could end it or climb out of it.
bool IsNameSegment(std::string_view segment, bool is_project) {
  if (segment == "." || segment == "..") return false;
  return ConsistsOf(segment, is_project ? "-_.~:" : "-_.~");
}

}  // namespace

std::optional<CheckFailure> CheckNamePart(std::string_view text, bool is_project) {
  if (IsNameSegment(text, is_project)) return std::nullopt;
  return CheckFailure{"BadResourceName",
                      Quote(text) +
                          " is not one part of a resource name: write the id alone, of "
                          "letters, digits, '-', '_', '.' and '~'"};
}

std::optional<CheckFailure> CheckRole(std::string_view text) {
  const std::vector<std::string_view> parts = Split(text, '/');
  const std::string_view id = parts.back();
  const bool predefined = parts.size() == 2 && parts[0] == "roles";
  const bool custom = parts.size() == 4 &&
                      (parts[0] == "projects" || parts[0] == "organizations") &&
                      IsNameSegment(parts[1], true) && parts[2] == "roles";
  if ((predefined || custom) && ConsistsOf(id, "_.")) return std::nullopt;
  std::string message = Quote(text) +
                        " is not a role: write roles/NAME, projects/PROJECT/roles/NAME or "
                        "organizations/NUMBER/roles/NAME";
  if (parts.size() == 1 && ConsistsOf(text, "_.")) {
    message =
        Quote(text) + " is not a role, did you mean " + Quote("roles/" + std::string(text)) + "?";
  }
  return CheckFailure{"BadRole", std::move(message)};
}

std::optional<CheckFailure> CheckWrittenRole(std::string_view text) {
  if (auto failure = CheckRole(text)) return failure;
  const std::optional<std::string> nearest = NearestPredefinedRole(text);
  if (!nearest) return std::nullopt;
  return CheckFailure{"UnknownRole",
                      Quote(text) +
                          " is no predefined role that this version of bindery knows, "
                          "did you mean " +
                          Quote(*nearest) + "?",
                      true};
}

}  // namespace bindery
