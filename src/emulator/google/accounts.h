#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json.h"
#include "emulator/google/jwt.h"
#include "emulator/permissions.h"

namespace bindery::emulator {

/// A service account: its keys, its rights, and the principals that may act as the account.
struct ServiceAccount {
  struct Key {
    std::string id;
    PublicKey key;
  };
  std::string email;
  std::string project;
  std::string unique_id;
  std::vector<Key> keys;
  Permissions permissions;
  std::vector<std::string> impersonators;  ///< E-mails, members or globs of them.

  /// Further accounts only exist.
  [[nodiscard]] bool MaySignIn() const { return !keys.empty() || !impersonators.empty(); }
  /// `principal` is a member such as "serviceAccount:a@…" or "principal://…".
  [[nodiscard]] bool MayBeImpersonatedBy(std::string_view principal) const;
  /// True when one of the account's keys made the signature; the named key, if the token names a
  /// key.
  [[nodiscard]] bool Signed(const Jwt& jwt) const;
};

/// The result of a user's login: gcloud's file holds these three.
struct RefreshToken {
  std::string client_id;
  std::string client_secret;
  std::string refresh_token;
  std::string user;
  bool revoked = false;
  Permissions permissions;
};

/// A provider of a workload or workforce identity pool, and the tokens it takes.
struct IdentityPool {
  struct Subject {
    std::string token;
    std::string principal;
    Permissions permissions;
  };
  std::string audience;
  std::string subject_token_type;
  std::vector<Subject> subjects;
};

/// The metadata server's data about its machine.
struct Metadata {
  std::string service_account;
  std::string project;
  std::string universe_domain;
};

// The kept forms, which the seed reader has checked.
[[nodiscard]] ServiceAccount ServiceAccountFromJson(const Json& value);
[[nodiscard]] RefreshToken RefreshTokenFromJson(const Json& value);
[[nodiscard]] IdentityPool IdentityPoolFromJson(const Json& value);
[[nodiscard]] Metadata MetadataFromJson(const Json& value);

/// The member a pool's subject is: "principal://iam.googleapis.com/…/subject/SUBJECT", unless
/// `subject` says it all already.
[[nodiscard]] std::string PoolPrincipal(const std::string& audience, const std::string& subject);

}  // namespace bindery::emulator
