#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "cloud/authorizer.h"
#include "cloud/policy_call.h"
#include "cloud/transport.h"
#include "core/base/clock.h"
#include "core/base/expected.h"
#include "core/base/mutex.h"

namespace bindery::datadog {

/// The user of the credentials. Fields that the service leaves out or gives as null are empty.
struct CurrentUser {
  std::string id;      ///< "00000000-…": principals "user:ID".
  std::string handle;  ///< Mostly the e-mail address.
  std::string org_id;  ///< The UUID that principals "org:ID" need.
  std::string org_public_id;
};

/// How the user is read: GET /api/v2/current_user. `base_url` has no trailing slash:
/// "https://api.datadoghq.com".
[[nodiscard]] cloud::PolicyCall CurrentUserReading(const std::string& base_url,
                                                   std::chrono::milliseconds timeout);

/// The user in the body of a good answer to `read`. Pure. kInternal for an answer without data.id.
[[nodiscard]] Expected<CurrentUser> UnderstandCurrentUser(const cloud::PolicyCall& read,
                                                          const std::string& body);

/// GET /api/v2/current_user, asked once for each credential however many want to know: the answer
/// of an administrator has some 175 KB. Thread-safe.
class CurrentUserCache {
 public:
  /// `base_url` has no trailing slash: "https://api.datadoghq.com".
  CurrentUserCache(std::string base_url, std::shared_ptr<cloud::Transport> transport,
                   std::shared_ptr<cloud::Authorizer> authorizer,
                   std::shared_ptr<const Clock> clock);

  /// Asks the service unless asked with the same credentials before; further callers wait for the
  /// first, at most `timeout`. A failure is returned to callers within the next five
  /// seconds (or what the service asks for), then it is tried again. Errors as of any call;
  /// kInternal for an answer without data.id.
  [[nodiscard]] Expected<CurrentUser> Get(std::chrono::milliseconds timeout);

 private:
  [[nodiscard]] bool Knows(const std::string& credentials) const REQUIRES(mutex_);
  [[nodiscard]] Expected<CurrentUser> Ask(std::chrono::milliseconds timeout) const;

  const std::string base_url_;
  const std::shared_ptr<cloud::Transport> transport_;
  const std::shared_ptr<cloud::Authorizer> authorizer_;
  const std::shared_ptr<const Clock> clock_;

  Mutex mutex_;
  CondVar asked_;
  bool asking_ GUARDED_BY(mutex_) = false;
  std::string credentials_ GUARDED_BY(mutex_);  ///< A digest of those that were asked with.
  std::optional<Expected<CurrentUser>> answer_ GUARDED_BY(mutex_);
  MonoTime failure_holds_until_ GUARDED_BY(mutex_){};
};

}  // namespace bindery::datadog
