#include "emulator/google/api/request_query.h"

#include <algorithm>
#include <array>

namespace bindery::emulator {
namespace {

constexpr std::array<std::string_view, 12> kCommonParameters = {
    "alt",      "prettyPrint",  "fields",      "key",     "quotaUser",  "userIp",
    "callback", "access_token", "oauth_token", "$.xgafv", "uploadType", "upload_protocol"};

bool IsCommon(std::string_view name) {
  if (std::find(kCommonParameters.begin(), kCommonParameters.end(), name) !=
      kCommonParameters.end()) {
    return true;
  }
  // The system parameters may be written with a dollar sign.
  return !name.empty() && name.front() == '$' &&
         std::find(kCommonParameters.begin(), kCommonParameters.end(), name.substr(1)) !=
             kCommonParameters.end();
}

}  // namespace

std::optional<GoogleError> CheckQuery(const httpd::Request& request,
                                      const std::vector<std::string_view>& own) {
  std::vector<FieldViolation> violations;
  for (const auto& [name, value] : request.query) {
    if (IsCommon(name) || std::find(own.begin(), own.end(), name) != own.end()) continue;
    violations.push_back({"", "Invalid JSON payload received. Unknown name \"" + name +
                                  "\": Cannot bind query parameter. Field '" + name +
                                  "' could not be found in request message."});
  }
  if (violations.empty()) return std::nullopt;
  return BadRequest(violations);
}

}  // namespace bindery::emulator
