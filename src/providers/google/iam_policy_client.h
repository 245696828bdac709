#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cloud/authorizer.h"
#include "cloud/policy_call.h"
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

  /// How the policy of a resource is read: at version 3, so that conditions come as they are.
  /// kInvalidArgument for what is no resource name.
  [[nodiscard]] static Expected<PolicyCall> Reading(const Endpoint& endpoint,
                                                    const std::string& resource,
                                                    std::chrono::milliseconds timeout);

  /// How the policy of a resource is replaced by `policy`, which carries the etag it was read with:
  /// kAborted when that moved. The answer is the policy as stored.
  [[nodiscard]] static Expected<PolicyCall> Writing(const Endpoint& endpoint,
                                                    const std::string& resource, Json policy,
                                                    std::chrono::milliseconds timeout);

  /// The policy in the body of a good answer to `call`; it has an etag. Pure.
  [[nodiscard]] static Expected<Json> Understand(const PolicyCall& call, const std::string& body);

  /// Which of `permissions` (at most 100, no wildcards) the caller holds on the resource: POST
  /// …:testIamPermissions, which itself takes no permission. A resource that is not there may be
  /// answered with none of them.
  [[nodiscard]] Expected<std::vector<std::string>> TestPermissions(
      const std::string& resource, const std::vector<std::string>& permissions,
      std::chrono::milliseconds timeout) const;

 private:
  Endpoint endpoint_;
  std::shared_ptr<Transport> transport_;
  std::shared_ptr<Authorizer> authorizer_;
};

}  // namespace bindery
