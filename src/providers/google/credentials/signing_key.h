#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "core/base/expected.h"
#include "core/base/json.h"

struct evp_pkey_st;

namespace bindery::google {

/// An RSA private key. Cheap to copy; safe to use from any thread.
class SigningKey {
 public:
  /// Reads "-----BEGIN PRIVATE KEY-----" (or the older "BEGIN RSA PRIVATE KEY"), not encrypted.
  /// kInvalidArgument, without a word of it, when it is not an RSA private key.
  [[nodiscard]] static Expected<SigningKey> FromPem(const std::string& pem);

  /// A JSON Web Token (RS256): RSASSA-PKCS1-v1_5 with SHA-256. kInternal when signing fails.
  [[nodiscard]] Expected<std::string> Sign(const std::string& key_id, const Json& claims) const;

 private:
  explicit SigningKey(std::shared_ptr<evp_pkey_st> key) : key_(std::move(key)) {}

  std::shared_ptr<evp_pkey_st> key_;  // Shared by the copies; never written after reading.
};

}  // namespace bindery::google
