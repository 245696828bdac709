#pragma once

#include <memory>
#include <string>

#include "cloud/authorizer.h"
#include "cloud/policy_call.h"
#include "cloud/transport.h"
#include "core/expected.h"
#include "core/json.h"

namespace bindery {

/// Datadog's restriction policies: GET, POST (create and update alike) and DELETE on
/// /api/v2/restriction_policy/{resource_id}. There is no etag; the last writer wins. Thread-safe.
class RestrictionPolicyClient {
 public:
  RestrictionPolicyClient(std::string base_url, std::shared_ptr<Transport> transport,
                          std::shared_ptr<Authorizer> authorizer);

  /// How the policy of a resource is read. kInvalidArgument for what is no resource id.
  [[nodiscard]] static Expected<PolicyCall> Reading(const std::string& base_url,
                                                    const std::string& resource_id,
                                                    std::chrono::milliseconds timeout);

  /// How the policy is replaced by `document`. The answer is the policy as stored.
  [[nodiscard]] static Expected<PolicyCall> Writing(const std::string& base_url,
                                                    const std::string& resource_id,
                                                    const Json& document,
                                                    std::chrono::milliseconds timeout);

  /// How the policy is taken away. What is not there is as good as gone.
  [[nodiscard]] static Expected<PolicyCall> Removing(const std::string& base_url,
                                                     const std::string& resource_id,
                                                     std::chrono::milliseconds timeout);

  /// The policy document that a good answer to `call` gives or leaves behind. Pure.
  [[nodiscard]] static Expected<Json> Understand(const PolicyCall& call, const std::string& body);

  /// The policy document: {"data": {"type", "id", "attributes": {"bindings": […]}}}. A resource
  /// without a policy has empty bindings; a 404 is answered the same way.
  [[nodiscard]] Expected<Json> Get(const std::string& resource_id,
                                   std::chrono::milliseconds timeout) const;

  /// Replaces the policy; gives it as stored. Requires: a non-empty resource id.
  [[nodiscard]] Expected<Json> Post(const std::string& resource_id, const Json& document,
                                    std::chrono::milliseconds timeout) const;

  /// Removes the policy. Removing what is not there succeeds.
  [[nodiscard]] Expected<void> Delete(const std::string& resource_id,
                                      std::chrono::milliseconds timeout) const;

 private:
  [[nodiscard]] Expected<Json> Carry(const Expected<PolicyCall>& call) const;

  std::string base_url_;
  std::shared_ptr<Transport> transport_;
  std::shared_ptr<Authorizer> authorizer_;
};

}  // namespace bindery
