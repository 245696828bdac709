#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "core/base/json.h"
#include "core/base/mutex.h"
#include "httpd/message.h"
#include "providers/google/rows/iam_rows.h"

namespace bindery::emulator {

/// Operations on restriction queries that name a role or a user instead of a query.
inline constexpr const char* kQueriesOfRole = "restrictionQuery.ofRole";
inline constexpr const char* kQueriesOfUser = "restrictionQuery.ofUser";

/// The meaning of a request, by its method and path.
struct Call {
  enum class Service { kAdmin, kGoogle, kOauth, kMetadata, kDatadog, kUnknown };
  enum class Verb {
    kGet,
    kGetPolicy,
    kGetAccount,
    kSetPolicy,
    kTestPermissions,
    kGenerateToken,
    kPrivilegedAccess,  ///< Which call of Privileged Access Manager: `operation`.
    kSearchAssets,
    kGroups,      ///< Which call of Cloud Identity: `operation`.
    kContainers,  ///< Which call of Resource Manager: `operation`.
    kExchange,
    kPost,
    kPut,
    kDelete,
    kCurrentUser,
    kList
  };

  Service service = Service::kUnknown;
  Verb verb = Verb::kGet;
  /// "networksecurity.getIamPolicy", "restrictionPolicy.post", …; "unknown" for the rest.
  std::string operation = "unknown";
  /// The resource name, the restriction policy's id, the service account's e-mail, the identity
  /// pool's audience, or the path below /computeMetadata/v1/.
  std::string target;
  std::string section;
  std::string key;                      ///< Of the resource in its section, where it has a policy.
  const google::IamRow* row = nullptr;  ///< How its policy is read and written.
  std::string api;                      ///< "networksecurity", "iamcredentials"
  std::string permission;               ///< "networksecurity.authorizationPolicies.getIamPolicy"
};

/// Whether the cloud holds the resource with the key.
using HoldsResource = std::function<bool(const std::string& key)>;

/// `holds` decides where services share a path and the request names no host; else the first one
/// that has such a path is meant.
[[nodiscard]] Call Classify(const httpd::Request& request, const HoldsResource& holds = nullptr);

/// How often each operation was called, and how much was answered. Thread-safe.
class RequestCounts {
 public:
  void Add(const Call& call, const httpd::Request& request);
  void AddAnswer(std::size_t body_bytes);
  void Reset();
  /// {"total": n, "operations": {name: n}, "partial": {"name?fields=etag": n}, "answeredBytes": n}
  [[nodiscard]] Json ToJson();

 private:
  Mutex mutex_;
  std::uint64_t total_ GUARDED_BY(mutex_) = 0;
  std::map<std::string, std::uint64_t> operations_ GUARDED_BY(mutex_);
  std::map<std::string, std::uint64_t> partial_ GUARDED_BY(mutex_);  ///< With their `fields`.
  std::uint64_t answered_bytes_ GUARDED_BY(mutex_) = 0;
};

}  // namespace bindery::emulator
