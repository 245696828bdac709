#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/expected.h"
#include "server/requests/operator_command.h"

namespace bindery::server {

// The bodies of the changing requests. Strict: kInvalidArgument for what is no JSON object, for an
// unknown, missing or empty member, and for a wrong type.

enum class NoNames { kRefused, kMeansAll };

/// {"names": ["a", "b"]}. Where kMeansAll, no body, no names and an empty list are all fine.
[[nodiscard]] Expected<std::vector<std::string>> ReadNames(std::string_view body, NoNames no_names);

/// {"digest": "…"}
[[nodiscard]] Expected<std::string> ReadDigest(std::string_view body);

/// {"name": "…", "revision": 7}
[[nodiscard]] Expected<command::Rollback> ReadRollback(std::string_view body);

struct ScanRequest {
  std::string scope;
  std::string provider = {};  ///< Empty: not given.
};
/// {"scope": "organizations/1", "provider": "cloudnative"}; the provider may be left out.
[[nodiscard]] Expected<ScanRequest> ReadScanRequest(std::string_view body);

}  // namespace bindery::server
