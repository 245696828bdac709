#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "emulator/call.h"
#include "httpd/message.h"
#include "providers/google/rows/iam_rows.h"

namespace bindery::emulator {

/// The requested allow policy.
struct IamRoute {
  const google::IamRow* row = nullptr;
  Call::Verb verb = Call::Verb::kGetPolicy;
  std::string name;  ///< Canonical resource name: "projects/p/topics/t".
};

/// Where a request goes: all services share one listener here.
struct ServiceAddress {
  std::string host;  ///< "pubsub.googleapis.com"; empty: the request does not tell.
  std::string_view path;
};

/// A host of Google is either the first segment of the path ("/pubsub.googleapis.com/v1/…") or the
/// request's Host. The result refers to the request.
[[nodiscard]] ServiceAddress MakeAddress(const httpd::Request& request);

/// Finds the routes of a request by method, path and host. Several only where services share a
/// path and the request names no host. Empty: no row has such a method.
[[nodiscard]] std::vector<IamRoute> FindIamRoutes(const httpd::Request& request);

}  // namespace bindery::emulator
