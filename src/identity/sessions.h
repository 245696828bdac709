#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "core/base/clock.h"
#include "core/base/expected.h"
#include "core/base/mutex.h"
#include "core/text/digest.h"
#include "identity/open_id_provider.h"
#include "identity/person.h"

namespace bindery::identity {

/// A sign-in that waits for the provider's answer.
struct PendingSignIn {
  SignInSecrets secrets;
  std::string wanted;  ///< The page to show afterwards: a path of ours.
  std::string origin;  ///< Who began: the network of the peer (httpd::GetNetwork()).
};

/// The people signed in with a browser. A session is known by the digest of its cookie; the cookie
/// itself is stored nowhere. Thread-safe.
class Sessions {
 public:
  static constexpr std::size_t kMostPending = 1'000;
  static constexpr std::chrono::minutes kPatience{10};  ///< Of a sign-in that has begun.
  static constexpr std::size_t kMost = 1'000;
  static constexpr std::size_t kMostOfOne = 20;  ///< Of one person; the oldest gives way.

  struct Limits {
    std::chrono::seconds lifetime{std::chrono::hours(8)};  ///< Since the sign-in.
    std::chrono::seconds idle{std::chrono::hours(1)};      ///< Since the last use.
  };

  explicit Sessions(const Clock& clock) : clock_(clock) {}

  /// Keeps a sign-in for the provider's answer; gives the cookie of the browser that began. Of
  /// kMostPending, the oldest of the origin with the most gives way.
  [[nodiscard]] std::string Expect(PendingSignIn pending);
  /// The sign-in of a cookie, once.
  [[nodiscard]] std::optional<PendingSignIn> Take(const std::string& cookie);

  /// Begins a session; gives its cookie.
  [[nodiscard]] std::string Begin(Person person);
  /// The owner of a cookie; nothing for an unknown or ended session. `used`: the session is in use,
  /// and the idle time begins anew.
  [[nodiscard]] std::optional<Person> Find(const std::string& cookie, const Limits& limits,
                                           bool used);
  /// Ends the session of a cookie.
  void End(const std::string& cookie);

  /// Takes over the sessions of Save's file; known sessions stay. kInternal for an unusable file; a
  /// missing file holds no session.
  [[nodiscard]] Expected<void> Load(const std::filesystem::path& file);
  /// Writes the sessions, without any cookie, for a later process of the same user. The file is
  /// replaced as a whole, and no other user may read it.
  [[nodiscard]] Expected<void> Save(const std::filesystem::path& file);
  /// Whether sessions began, were used or ended since the last Save.
  [[nodiscard]] bool changed();

 private:
  [[nodiscard]] std::string TextToSave();

  struct Session {
    Person person;
    WallTime since;
    WallTime used;
  };

  void MakePlaceForSignIn() REQUIRES(mutex_);
  void MakePlaceFor(const Person& person) REQUIRES(mutex_);

  const Clock& clock_;
  Mutex mutex_;
  std::map<Sha256Digest, std::pair<PendingSignIn, WallTime>> pending_ GUARDED_BY(mutex_);
  std::map<Sha256Digest, Session> sessions_ GUARDED_BY(mutex_);
  bool changed_ GUARDED_BY(mutex_) = false;
};

}  // namespace bindery::identity
