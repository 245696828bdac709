#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/expected.h"
#include "identity/token.h"

struct evp_pkey_st;

namespace bindery::identity {

/// The public keys of a signer, of a JSON Web Key Set (RFC 7517). Never changes; any thread.
class KeySet {
 public:
  /// What a signature is worth.
  enum class Verdict {
    kGood,
    kBad,
    kUnknownKey,  ///< The set has no key of that name, or several keys where none is named.
  };

  /// Takes RSA keys from 2,048 bits and keys on the curve P-256 that are for signatures. Other keys
  /// are left out: a set may hold keys for encryption beside them (Keycloak 26 does). kInternal
  /// when the text is no set.
  [[nodiscard]] static Expected<KeySet> Parse(std::string_view text);

  /// The key's type must fit the token's algorithm.
  [[nodiscard]] Verdict Verify(const Token& token) const;

  [[nodiscard]] bool empty() const { return keys_.empty(); }

 private:
  struct Key {
    std::string id;
    std::string algorithm;  ///< "RS256" or "ES256".
    std::shared_ptr<evp_pkey_st> key;
  };

  static void AddKey(const Json& described, std::vector<Key>& keys);

  std::vector<Key> keys_;
};

}  // namespace bindery::identity
