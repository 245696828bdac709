#include "identity/key_set.h"

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include "core/base/strict_json.h"
#include "core/text/base64.h"

namespace bindery::identity {
namespace {

constexpr int kLeastRsaBits = 2'048;
constexpr std::size_t kMostKeys = 100;
/// Of a coordinate on P-256, and of each half of its signatures.
constexpr std::size_t kHalf = 32;

const unsigned char* GetBytes(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

using Number = std::unique_ptr<BIGNUM, decltype(&BN_free)>;
using Builder = std::unique_ptr<OSSL_PARAM_BLD, decltype(&OSSL_PARAM_BLD_free)>;

Number GetNumber(std::string_view bytes) {
  return {BN_bin2bn(GetBytes(bytes), static_cast<int>(bytes.size()), nullptr), &BN_free};
}

std::string Bytes(const Json& described, std::string_view name) {
  return DecodeBase64Url(StringMember(described, name)).value_or("");
}

std::shared_ptr<evp_pkey_st> Built(const char* type, const Builder& builder) {
  const std::unique_ptr<OSSL_PARAM, decltype(&OSSL_PARAM_free)> parameters(
      OSSL_PARAM_BLD_to_param(builder.get()), &OSSL_PARAM_free);
  const std::unique_ptr<EVP_PKEY_CTX, decltype(&EVP_PKEY_CTX_free)> context(
      EVP_PKEY_CTX_new_from_name(nullptr, type, nullptr), &EVP_PKEY_CTX_free);
  EVP_PKEY* key = nullptr;
  const bool good =
      parameters != nullptr && context != nullptr && EVP_PKEY_fromdata_init(context.get()) == 1 &&
      EVP_PKEY_fromdata(context.get(), &key, EVP_PKEY_PUBLIC_KEY, parameters.get()) == 1;
  return {good ? key : nullptr, &EVP_PKEY_free};
}

std::shared_ptr<evp_pkey_st> RsaKey(const Json& described) {
  const std::string modulus = Bytes(described, "n");
  const std::string exponent = Bytes(described, "e");
  const Number n = GetNumber(modulus);
  const Number e = GetNumber(exponent);
  const Builder builder(OSSL_PARAM_BLD_new(), &OSSL_PARAM_BLD_free);
  if (modulus.empty() || exponent.empty() || builder == nullptr) return nullptr;
  if (OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_N, n.get()) != 1 ||
      OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_E, e.get()) != 1) {
    return nullptr;
  }
  auto key = Built("RSA", builder);
  if (key != nullptr && EVP_PKEY_get_bits(key.get()) < kLeastRsaBits) return nullptr;
  return key;
}

std::shared_ptr<evp_pkey_st> CurveKey(const Json& described) {
  const std::string x = Bytes(described, "x");
  const std::string y = Bytes(described, "y");
  if (StringMember(described, "crv") != "P-256" || x.size() != kHalf || y.size() != kHalf) {
    return nullptr;
  }
  const std::string point = "\x04" + x + y;  // Not compressed.
  const Builder builder(OSSL_PARAM_BLD_new(), &OSSL_PARAM_BLD_free);
  if (builder == nullptr ||
      OSSL_PARAM_BLD_push_utf8_string(builder.get(), OSSL_PKEY_PARAM_GROUP_NAME, "prime256v1", 0) !=
          1 ||
      OSSL_PARAM_BLD_push_octet_string(builder.get(), OSSL_PKEY_PARAM_PUB_KEY, point.data(),
                                       point.size()) != 1) {
    return nullptr;
  }
  return Built("EC", builder);
}

/// OpenSSL takes a signature of a curve as DER; a token has both numbers beside each other.
std::string EncodeDer(std::string_view signature) {
  if (signature.size() != 2 * kHalf) return {};
  Number r = GetNumber(signature.substr(0, kHalf));
  Number s = GetNumber(signature.substr(kHalf));
  const std::unique_ptr<ECDSA_SIG, decltype(&ECDSA_SIG_free)> pair(ECDSA_SIG_new(),
                                                                   &ECDSA_SIG_free);
  if (r == nullptr || s == nullptr || pair == nullptr) return {};
  if (ECDSA_SIG_set0(pair.get(), r.get(), s.get()) != 1) return {};
  static_cast<void>(r.release());  // The pair owns both numbers now.
  static_cast<void>(s.release());
  unsigned char* bytes = nullptr;
  const int size = i2d_ECDSA_SIG(pair.get(), &bytes);
  if (size <= 0) return {};
  std::string der(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size));
  OPENSSL_free(bytes);
  return der;
}

bool IsForSignatures(const Json& described) {
  const Json* const use = FindMember(described, "use");
  if (use != nullptr && *use != "sig") return false;
  const Json* const operations = FindMember(described, "key_ops");
  return operations == nullptr ||
         (operations->is_array() && std::ranges::find(*operations, "verify") != operations->end());
}

bool IsSignedWith(evp_pkey_st* key, const std::string& message, const std::string& signature) {
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(),
                                                                        &EVP_MD_CTX_free);
  return context != nullptr &&
         EVP_DigestVerifyInit(context.get(), nullptr, EVP_sha256(), nullptr, key) == 1 &&
         EVP_DigestVerify(context.get(), GetBytes(signature), signature.size(), GetBytes(message),
                          message.size()) == 1;
}

}  // namespace

void KeySet::AddKey(const Json& described, std::vector<Key>& keys) {
  if (!described.is_object() || !IsForSignatures(described)) return;
  const std::string type = StringMember(described, "kty");
  const bool rsa = type == "RSA";
  if (!rsa && type != "EC") return;
  Key key{StringMember(described, "kid"), rsa ? "RS256" : "ES256",
          rsa ? RsaKey(described) : CurveKey(described)};
  const std::string meant = StringMember(described, "alg");
  if (key.key == nullptr || (!meant.empty() && meant != key.algorithm)) return;
  keys.push_back(std::move(key));
}

Expected<KeySet> KeySet::Parse(std::string_view text) {
  const auto document = ParseStrictJson(text);
  const Json* const list = document ? FindMember(*document, "keys") : nullptr;
  if (list == nullptr || !list->is_array()) {
    return Fail(Code::kInternal, "the identity provider's answer is no set of keys");
  }
  KeySet set;
  for (std::size_t i = 0; i < std::min(list->size(), kMostKeys); ++i) AddKey((*list)[i], set.keys_);
  ERR_clear_error();  // The queue belongs to the thread.
  return set;
}

KeySet::Verdict KeySet::Verify(const Token& token) const {
  const Key* chosen = nullptr;
  for (const Key& key : keys_) {
    if (key.algorithm != token.algorithm) continue;
    if (!token.key_id.empty() && key.id != token.key_id) continue;
    if (chosen != nullptr) return Verdict::kUnknownKey;
    chosen = &key;
  }
  if (chosen == nullptr) return Verdict::kUnknownKey;
  const std::string signature =
      token.algorithm == "ES256" ? EncodeDer(token.signature) : token.signature;
  const bool good =
      !signature.empty() && IsSignedWith(chosen->key.get(), token.signed_part, signature);
  ERR_clear_error();
  return good ? Verdict::kGood : Verdict::kBad;
}

}  // namespace bindery::identity
