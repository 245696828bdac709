#pragma once

#include <memory>
#include <optional>
#include <string>

#include "cloud/transport.h"
#include "config/web_config.h"
#include "core/base/clock.h"
#include "core/base/expected.h"
#include "core/base/mutex.h"
#include "httpd/message.h"
#include "identity/open_id_provider.h"
#include "identity/sessions.h"
#include "identity/signed_header.h"
#include "telemetry/log.h"

namespace bindery::server {

/// The identity providers and the signed header of the web configuration in force, and the sessions
/// of the browsers. Thread-safe.
class Identities {
 public:
  Identities(const Clock& clock, telemetry::Logger& logger)
      : clock_(clock), logger_(logger), sessions_(clock) {}

  /// The client of a provider; with other settings a new client.
  [[nodiscard]] std::shared_ptr<identity::OpenIdProvider> Provider(
      const config::WebOpenId& settings);

  /// The person of the signed header; nothing when the request has none. kUnauthenticated for a
  /// header that is not believed, or occurs twice.
  [[nodiscard]] Expected<std::optional<identity::Person>> BySignedHeader(
      const config::WebSignedHeader& settings, const httpd::Request& request);

  /// The owner of the session in the request's cookie; nothing without a session. Streams do not
  /// count as use of a session: a forgotten window does not keep the session alive.
  [[nodiscard]] std::optional<identity::Person> BySession(const config::WebSignIn& settings,
                                                          const httpd::Request& request);

  /// Takes over the sessions of an earlier process, once, if the settings name a file.
  void LoadSessions(const config::WebSignIn& settings);
  /// Keeps begun and ended sessions for a later process, if the settings name a file.
  void SaveSessions(const config::WebSignIn& settings);

  [[nodiscard]] identity::Sessions& sessions() { return sessions_; }

 private:
  struct KnownProvider;
  struct KnownHeader;

  const Clock& clock_;
  telemetry::Logger& logger_;
  identity::Sessions sessions_;
  Mutex mutex_;
  std::shared_ptr<KnownProvider> provider_ GUARDED_BY(mutex_);
  std::shared_ptr<KnownHeader> header_ GUARDED_BY(mutex_);
  bool loaded_ GUARDED_BY(mutex_) = false;
  Mutex saving_;  ///< Held during a write of the file: no older one replaces a newer one.
};

/// The cookie of a session, or of a begun sign-in. Over HTTPS the cookie's name makes the browser
/// tie the cookie to this host alone.
[[nodiscard]] std::string SessionCookieName(const config::WebSignIn& settings);
[[nodiscard]] std::string PendingCookieName(const config::WebSignIn& settings);
/// "NAME=VALUE; Path=/; …" for Set-Cookie; without a value, and an age of 0, the cookie goes.
[[nodiscard]] std::string SetCookie(const config::WebSignIn& settings, const std::string& name,
                                    const std::string& value, std::chrono::seconds age);
/// The value of a cookie of the request; empty without the cookie.
[[nodiscard]] std::string GetCookie(const httpd::Request& request, const std::string& name);

}  // namespace bindery::server
