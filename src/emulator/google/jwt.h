#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/clock.h"
#include "core/base/expected.h"
#include "core/base/json.h"

struct evp_pkey_st;

namespace bindery::emulator {

/// An RSA public key. Cheap to copy; safe to use from any thread.
class PublicKey {
 public:
  /// Reads "-----BEGIN PUBLIC KEY-----". kInvalidArgument when it is not an RSA public key.
  [[nodiscard]] static Expected<PublicKey> FromPem(const std::string& pem);

  /// RSASSA-PKCS1-v1_5 with SHA-256, which JWT calls RS256.
  [[nodiscard]] bool Verifies(std::string_view message, std::string_view signature) const;

 private:
  explicit PublicKey(std::shared_ptr<evp_pkey_st> key) : key_(std::move(key)) {}

  std::shared_ptr<evp_pkey_st> key_;  // Shared by the copies; never written after reading.
};

/// A JSON Web Token, taken apart but not yet believed.
struct Jwt {
  std::string algorithm;
  std::string key_id;
  Json claims = Json::object();
  std::string signed_part;  ///< "header.claims", as it came.
  std::string signature;    ///< Decoded.

  /// A whole number of seconds since 1970; nothing when the claim is absent or no number.
  [[nodiscard]] std::optional<std::int64_t> Seconds(std::string_view claim) const;
  [[nodiscard]] std::string Text(std::string_view claim) const {
    return StringMember(claims, claim);
  }
};

/// Nothing when `text` is not three base64url parts of which two are JSON objects.
[[nodiscard]] std::optional<Jwt> ParseJwt(std::string_view text);

/// How far the clocks of a signer and of the cloud may be apart.
inline constexpr std::chrono::minutes kJwtTolerance{5};

/// True when `iat` and `exp` are there, at most an hour apart, and hold `now` within the tolerance.
[[nodiscard]] bool IsTimely(const Jwt& jwt, WallTime now);

}  // namespace bindery::emulator
