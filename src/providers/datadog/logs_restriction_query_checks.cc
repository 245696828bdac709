#include <string>

#include "manifests/schema/check_text.h"
#include "providers/datadog/checks.h"

namespace bindery::datadog {

std::optional<manifests::CheckFailure> CheckLogsQuery(std::string_view text) {
  if (!CheckRoleName(text)) return std::nullopt;
  return manifests::CheckFailure{"BadQuery",
                                 manifests::Quote(text) +
                                     " is not a restriction query: write it on one line, without "
                                     "blanks at its ends, for example \"team:payments\""};
}

std::optional<manifests::CheckFailure> CheckRoleId(std::string_view text) {
  constexpr std::string_view kPrefix = "role:";
  if (text.starts_with(kPrefix)) {
    return manifests::CheckFailure{"BadRoleId", manifests::Quote(text) +
                                                    " has a prefix: write the UUID alone, " +
                                                    manifests::Quote(text.substr(kPrefix.size()))};
  }
  if (manifests::HasOnlyCharacters(text, "-_")) return std::nullopt;
  return manifests::CheckFailure{
      "BadRoleId",
      manifests::Quote(text) + " is not the UUID of a role; the lookup getRole finds it"};
}

}  // namespace bindery::datadog
