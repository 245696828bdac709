#pragma once

#include <memory>
#include <optional>
#include <string>

#include "cloud/transport.h"
#include "config/web_config.h"
#include "core/clock.h"
#include "core/expected.h"
#include "core/mutex.h"
#include "httpd/message.h"
#include "identity/open_id_provider.h"
#include "identity/sessions.h"
#include "identity/signed_header.h"
#include "telemetry/log.h"

namespace bindery::server {

/// Those who vouch for people, as the web configuration in force names them, and the sessions of
/// their browsers. Thread-safe.
class Identities {
 public:
  Identities(const Clock& clock, Logger& logger)
      : clock_(clock), logger_(logger), sessions_(clock) {}

  /// The client of that provider; with other settings another client.
  [[nodiscard]] std::shared_ptr<identity::OpenIdProvider> Provider(const WebOpenId& settings);

  /// Who asks by the signed header; nothing when the request has none. kUnauthenticated for a
  /// header that is not believed, or occurs twice.
  [[nodiscard]] Expected<std::optional<identity::Person>> BySignedHeader(
      const WebSignedHeader& settings, const httpd::Request& request);

  /// Whose session the request's cookie is; nothing when it is nobody's. Streams are no use of a
  /// session: a forgotten window does not keep it alive.
  [[nodiscard]] std::optional<identity::Person> BySession(const WebSignIn& settings,
                                                          const httpd::Request& request);

  /// Takes over the sessions of an earlier process, once, if the settings name a file.
  void LoadSessions(const WebSignIn& settings);
  /// Keeps sessions that began or ended for a later process, if the settings name a file.
  void SaveSessions(const WebSignIn& settings);

  [[nodiscard]] identity::Sessions& sessions() { return sessions_; }

 private:
  struct KnownProvider;
  struct KnownHeader;

  const Clock& clock_;
  Logger& logger_;
  identity::Sessions sessions_;
  Mutex mutex_;
  std::shared_ptr<KnownProvider> provider_ GUARDED_BY(mutex_);
  std::shared_ptr<KnownHeader> header_ GUARDED_BY(mutex_);
  bool loaded_ GUARDED_BY(mutex_) = false;
};

/// The cookie of a session, or of a sign-in that has begun. Over HTTPS its name makes the browser
/// tie it to this host alone.
[[nodiscard]] std::string SessionCookieName(const WebSignIn& settings);
[[nodiscard]] std::string PendingCookieName(const WebSignIn& settings);
/// "NAME=VALUE; Path=/; …" for Set-Cookie; without a value, and an age of 0, the cookie goes.
[[nodiscard]] std::string SetCookie(const WebSignIn& settings, const std::string& name,
                                    const std::string& value, std::chrono::seconds age);
/// The value of a cookie of the request; empty when there is none.
[[nodiscard]] std::string CookieOf(const httpd::Request& request, const std::string& name);

}  // namespace bindery::server
