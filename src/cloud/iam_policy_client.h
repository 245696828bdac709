#pragma once

#include <memory>
#include <string>

#include "cloud/authorizer.h"
#include "cloud/transport.h"
#include "core/expected.h"
#include "core/json.h"

namespace bindery {

/// The allow policy of any Google resource that has one, over REST:
/// GET /v1/{resource}:getIamPolicy and POST /v1/{resource}:setIamPolicy (method ids and paths as in
/// the services' discovery documents). Thread-safe.
class IamPolicyClient {
 public:
  struct Endpoint {
    std::string service;   ///< "networksecurity": for metrics and messages.
    std::string base_url;  ///< "https://networksecurity.googleapis.com", without a trailing slash.
  };

  IamPolicyClient(Endpoint endpoint, std::shared_ptr<Transport> transport,
                  std::shared_ptr<Authorizer> authorizer);

  /// The whole policy, read at version 3 so that conditions come as they are. An empty policy is an
  /// object with an etag at most.
  [[nodiscard]] Expected<Json> GetPolicy(const std::string& resource,
                                         std::chrono::milliseconds timeout) const;

  /// Replaces the policy by `policy`, which carries the etag it was read with; gives the policy as
  /// stored. kAborted when the etag moved.
  [[nodiscard]] Expected<Json> SetPolicy(const std::string& resource, const Json& policy,
                                         std::chrono::milliseconds timeout) const;

 private:
  [[nodiscard]] Expected<Json> Call(HttpRequest request) const;

  Endpoint endpoint_;
  std::shared_ptr<Transport> transport_;
  std::shared_ptr<Authorizer> authorizer_;
};

}  // namespace bindery
