#pragma once

#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/rsa.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/json.h"
#include "core/text/base64.h"

namespace bindery::testing {

inline std::string Base64UrlOf(std::string_view bytes) {
  std::string text = EncodeBase64(bytes);
  std::ranges::replace(text, '+', '-');
  std::ranges::replace(text, '/', '_');
  while (text.ends_with('=')) text.pop_back();
  return text;
}

/// Signs tokens as an identity provider does. Making an RSA key takes a while.
class TokenSigner {
 public:
  static TokenSigner Rsa(std::string id, unsigned bits = 2048) {
    return {EVP_RSA_gen(bits), std::move(id)};
  }
  static TokenSigner Curve(std::string id, const char* curve = "P-256") {
    // As EVP_EC_gen() of <openssl/ec.h> does, whose cast clang refuses.
    return {EVP_PKEY_Q_keygen(nullptr, nullptr, "EC", curve), std::move(id)};
  }

  [[nodiscard]] bool rsa() const { return EVP_PKEY_is_a(key_.get(), "RSA") == 1; }

  /// The public key as a member of a key set.
  [[nodiscard]] Json Jwk() const {
    Json jwk = {{"kid", id_}, {"use", "sig"}};
    if (rsa()) {
      jwk["kty"] = "RSA";
      jwk["n"] = Base64UrlOf(Number(OSSL_PKEY_PARAM_RSA_N));
      jwk["e"] = Base64UrlOf(Number(OSSL_PKEY_PARAM_RSA_E));
      return jwk;
    }
    std::size_t size = 0;
    std::string point(200, '\0');
    EVP_PKEY_get_octet_string_param(key_.get(), OSSL_PKEY_PARAM_PUB_KEY,
                                    reinterpret_cast<unsigned char*>(point.data()), point.size(),
                                    &size);
    const std::size_t half = (size - 1) / 2;
    jwk["kty"] = "EC";
    jwk["crv"] = half == 32 ? "P-256" : "P-384";
    jwk["x"] = Base64UrlOf(point.substr(1, half));
    jwk["y"] = Base64UrlOf(point.substr(1 + half, half));
    return jwk;
  }

  [[nodiscard]] std::string Sign(const Json& claims, Json header = {}) const {
    if (header.is_null()) header = {{"alg", rsa() ? "RS256" : "ES256"}, {"kid", id_}};
    const std::string part = Base64UrlOf(header.dump()) + "." + Base64UrlOf(claims.dump());
    return part + "." + Base64UrlOf(SignatureOf(part));
  }

 private:
  TokenSigner(EVP_PKEY* key, std::string id) : key_(key, &EVP_PKEY_free), id_(std::move(id)) {}

  [[nodiscard]] std::string Number(const char* name) const {
    BIGNUM* number = nullptr;
    EVP_PKEY_get_bn_param(key_.get(), name, &number);
    std::string bytes(static_cast<std::size_t>(BN_num_bytes(number)), '\0');
    BN_bn2bin(number, reinterpret_cast<unsigned char*>(bytes.data()));
    BN_free(number);
    return bytes;
  }

  [[nodiscard]] std::string SignatureOf(std::string_view message) const {
    const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(),
                                                                          &EVP_MD_CTX_free);
    EVP_DigestSignInit(context.get(), nullptr, EVP_sha256(), nullptr, key_.get());
    std::string signature(1024, '\0');
    std::size_t size = signature.size();
    EVP_DigestSign(context.get(), reinterpret_cast<unsigned char*>(signature.data()), &size,
                   reinterpret_cast<const unsigned char*>(message.data()), message.size());
    signature.resize(size);
    return rsa() ? signature : BothHalves(signature);
  }

  /// A token has both numbers beside each other instead of DER.
  static std::string BothHalves(const std::string& der) {
    const auto* bytes = reinterpret_cast<const unsigned char*>(der.data());
    const std::unique_ptr<ECDSA_SIG, decltype(&ECDSA_SIG_free)> pair(
        d2i_ECDSA_SIG(nullptr, &bytes, static_cast<long>(der.size())), &ECDSA_SIG_free);
    std::string halves(64, '\0');
    auto* const out = reinterpret_cast<unsigned char*>(halves.data());
    BN_bn2binpad(ECDSA_SIG_get0_r(pair.get()), out, 32);
    BN_bn2binpad(ECDSA_SIG_get0_s(pair.get()), out + 32, 32);
    return halves;
  }

  std::shared_ptr<EVP_PKEY> key_;
  std::string id_;
};

/// {"keys": […]} of these signers.
inline std::string KeySetOf(std::initializer_list<Json> keys) {
  return Json{{"keys", Json(keys)}}.dump();
}

}  // namespace bindery::testing
