#pragma once

#include <chrono>
#include <string>

#include "cloud/policy_call.h"
#include "core/base/expected.h"
#include "core/base/json.h"

namespace bindery::datadog {

/// Datadog's restriction policies: GET, POST (create and update alike) and DELETE on
/// /api/v2/restriction_policy/{resource_id}. There is no etag; the last writer wins.
class RestrictionPolicyClient {
 public:
  /// How the policy of a resource is read. kInvalidArgument for what is no resource id. That there
  /// is no policy the service says with empty bindings: kNotFound is never read as that, because
  /// it may come from somebody before the service, and no policy means open to everyone.
  [[nodiscard]] static Expected<cloud::PolicyCall> BuildGet(const std::string& base_url,
                                                            const std::string& resource_id,
                                                            std::chrono::milliseconds timeout);

  /// How the policy is replaced by `document`. The answer is the policy as stored.
  [[nodiscard]] static Expected<cloud::PolicyCall> BuildSet(const std::string& base_url,
                                                            const std::string& resource_id,
                                                            const Json& document,
                                                            std::chrono::milliseconds timeout);

  /// How the policy is taken away. What is missing is as good as gone.
  [[nodiscard]] static Expected<cloud::PolicyCall> Removing(const std::string& base_url,
                                                            const std::string& resource_id,
                                                            std::chrono::milliseconds timeout);

  /// The policy document that a good answer to `call` gives or leaves behind:
  /// {"data": {"type", "id", "attributes": {"bindings": […]}}}. A resource without a policy has
  /// empty bindings. kInternal for the policy of another resource. Pure.
  [[nodiscard]] static Expected<Json> ParseResponse(const cloud::PolicyCall& call,
                                                    const std::string& body);
};

}  // namespace bindery::datadog
