#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "httpd/message.h"
#include "providers/google/iam_rows.h"

namespace bindery::emulator {

/// A method of an allow policy.
enum class IamMethod { kGet, kSet, kTest };

/// The allow policy that a request asks for.
struct IamRoute {
  const IamRow* row = nullptr;
  IamMethod method = IamMethod::kGet;
  std::string name;  ///< Canonical resource name: "projects/p/topics/t".
};

/// Where a request goes: all services share one listener here.
struct ServiceAddress {
  std::string host;  ///< "pubsub.googleapis.com"; empty: the request does not tell.
  std::string_view path;
};

/// A host of Google is either the first segment of the path ("/pubsub.googleapis.com/v1/…") or the
/// request's Host. The result refers to the request.
[[nodiscard]] ServiceAddress AddressOf(const httpd::Request& request);

/// Finds the routes of a request by method, path and host. Several only where services share a
/// path and the request names no host. Empty: no row has such a method.
[[nodiscard]] std::vector<IamRoute> FindIamRoutes(const httpd::Request& request);

}  // namespace bindery::emulator
