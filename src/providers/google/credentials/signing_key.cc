#include "providers/google/credentials/signing_key.h"

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>

#include <utility>

#include "core/base/json_text.h"
#include "core/text/base64.h"

namespace bindery::google {
namespace {

/// Without it OpenSSL asks on the terminal for the password of an encrypted key.
int NoPassword(char* /*buffer*/, int /*size*/, int /*writing*/, void* /*context*/) { return -1; }

}  // namespace

Expected<SigningKey> SigningKey::FromPem(const std::string& pem) {
  const std::unique_ptr<BIO, decltype(&BIO_free)> bio(
      BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())), &BIO_free);
  std::shared_ptr<evp_pkey_st> key(
      bio == nullptr ? nullptr : PEM_read_bio_PrivateKey(bio.get(), nullptr, &NoPassword, nullptr),
      &EVP_PKEY_free);
  ERR_clear_error();  // The queue belongs to the thread: others must not find our failure in it.
  if (key == nullptr || EVP_PKEY_base_id(key.get()) != EVP_PKEY_RSA) {
    return Fail(Code::kInvalidArgument, "not an RSA private key in PEM form");
  }
  return SigningKey(std::move(key));
}

Expected<std::string> SigningKey::Sign(const std::string& key_id, const Json& claims) const {
  Json header = {{"alg", "RS256"}, {"typ", "JWT"}};
  if (!key_id.empty()) header["kid"] = key_id;
  const std::string message =
      EncodeBase64Url(CompactJson(header)) + "." + EncodeBase64Url(CompactJson(claims));
  const auto* const bytes = reinterpret_cast<const unsigned char*>(message.data());

  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(),
                                                                        &EVP_MD_CTX_free);
  std::string signature;
  std::size_t size = 0;
  bool good = context != nullptr &&
              EVP_DigestSignInit(context.get(), nullptr, EVP_sha256(), nullptr, key_.get()) == 1 &&
              EVP_DigestSign(context.get(), nullptr, &size, bytes, message.size()) == 1;
  if (good) {
    signature.resize(size);
    good = EVP_DigestSign(context.get(), reinterpret_cast<unsigned char*>(signature.data()), &size,
                          bytes, message.size()) == 1;
  }
  ERR_clear_error();
  if (!good) return Fail(Code::kInternal, "signing with the private key failed");
  signature.resize(size);
  return message + "." + EncodeBase64Url(signature);
}

}  // namespace bindery::google
