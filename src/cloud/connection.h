#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <string>

#include "cloud/authorizer.h"
#include "cloud/rate_limits.h"
#include "cloud/transport.h"
#include "core/access/just_in_time.h"

namespace bindery::cloud {

/// One provider of the configuration, ready to be called: where its services are and how to sign
/// in. Immutable once made; shared by all workers.
struct Connection {
  std::string provider;                          ///< The name manifests choose it by.
  std::string type;                              ///< Of the provider, in the configuration.
  std::string project;                           ///< Completes names without one; may be empty.
  std::map<std::string, std::string> endpoints;  ///< Service name to base URL, no trailing slash.
  /// How many writes a second a service is sent at most; no limit for those that are not named.
  std::map<std::string, double> write_rates = {};
  std::string quota_project;  ///< The project calls are counted to; empty: the resource's own.
  /// The member of policies that calls are made as; empty: unknown.
  std::string principal = {};
  JustInTimeProof just_in_time = JustInTimeProof::kGrant;
  std::shared_ptr<Transport> transport;
  std::shared_ptr<Authorizer> authorizer;
  std::shared_ptr<RateLimitLog> rate_limits;  ///< What `transport` notes; may be null.

  /// The base URL of a service; empty when the provider does not offer it.
  [[nodiscard]] const std::string& BaseUrl(const std::string& service) const {
    static const std::string kNone;
    const auto found = endpoints.find(service);
    return found == endpoints.end() ? kNone : found->second;
  }
};

}  // namespace bindery::cloud
