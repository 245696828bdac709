#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cloud/authorizer.h"
#include "cloud/policy_call.h"
#include "cloud/transport.h"
#include "core/base/expected.h"
#include "core/base/json.h"
#include "providers/google/rows/iam_rows.h"

namespace bindery::google {

/// The allow policy of a Google resource over REST, with the methods that its row tells: GET
/// /v1/{resource}:getIamPolicy and POST /v1/{resource}:setIamPolicy for most. Thread-safe.
class IamPolicyClient {
 public:
  struct Endpoint {
    const IamRow& row;
    /// "https://networksecurity.googleapis.com", without a trailing slash. If the row's names need
    /// the host of their location, the location's host replaces it, unless it is a host of the
    /// user's.
    std::string base_url;
  };

  IamPolicyClient(Endpoint endpoint, std::shared_ptr<cloud::Transport> transport,
                  std::shared_ptr<cloud::Authorizer> authorizer);

  /// The host of the resource: the host of its location if the service has such hosts, unless the
  /// endpoint is a host of the user's.
  [[nodiscard]] static std::string BaseUrl(const Endpoint& endpoint, const std::string& resource);

  /// The call to read a resource's policy: at version 3, so that conditions come unchanged.
  /// kInvalidArgument for an invalid resource name.
  [[nodiscard]] static Expected<cloud::PolicyCall> BuildGet(const Endpoint& endpoint,
                                                            const std::string& resource,
                                                            std::chrono::milliseconds timeout);

  /// How only the etag of the policy is read, by the parameter `fields` that every method has. The
  /// policy version stays in the request: some services refuse to read a policy with conditions at
  /// version 1, whatever they are asked for.
  [[nodiscard]] static Expected<cloud::PolicyCall> ReadEtag(const Endpoint& endpoint,
                                                            const std::string& resource,
                                                            std::chrono::milliseconds timeout);

  struct NewPolicy {
    Json document;
    bool writes_audit_configs = false;  ///< Else an update mask leaves them as they are.
    std::map<std::string, std::string> verbatim = {};  ///< As Observation::verbatim.
  };

  /// The call to replace a resource's policy by `policy`, which has the etag of its reading:
  /// kAborted when the etag moved. The answer is the policy as stored. Without an update
  /// mask, missing fields of `policy` are lost: it is the whole read document with the
  /// changes.
  [[nodiscard]] static Expected<cloud::PolicyCall> BuildSet(const Endpoint& endpoint,
                                                            const std::string& resource,
                                                            NewPolicy policy,
                                                            std::chrono::milliseconds timeout);

  /// The policy in the body of a good answer to `call`; it has an etag. Pure.
  [[nodiscard]] static Expected<Json> ParseResponse(const cloud::PolicyCall& call,
                                                    const std::string& body);

  /// Which of `permissions` (at most 100, no wildcards) the caller holds on the resource: for most
  /// POST …:testIamPermissions, which itself takes no permission. A missing resource may be
  /// answered with none. Requires: the row has the method.
  [[nodiscard]] Expected<std::vector<std::string>> TestPermissions(
      const std::string& resource, const std::vector<std::string>& permissions,
      std::chrono::milliseconds timeout) const;

 private:
  Endpoint endpoint_;
  std::shared_ptr<cloud::Transport> transport_;
  std::shared_ptr<cloud::Authorizer> authorizer_;
};

}  // namespace bindery::google
