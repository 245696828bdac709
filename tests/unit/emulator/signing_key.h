#pragma once

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>

#include <memory>
#include <string>
#include <string_view>

#include "core/json.h"

namespace bindery::emulator {

/// An RSA key pair made for one test, which signs JWTs as a service account's key does.
class SigningKey {
 public:
  SigningKey() : key_(EVP_RSA_gen(2048), &EVP_PKEY_free) {}

  [[nodiscard]] std::string PublicPem() const {
    const std::unique_ptr<BIO, decltype(&BIO_free)> bio(BIO_new(BIO_s_mem()), &BIO_free);
    PEM_write_bio_PUBKEY(bio.get(), key_.get());
    std::string text(2048, '\0');
    const int size = BIO_read(bio.get(), text.data(), static_cast<int>(text.size()));
    text.resize(static_cast<std::size_t>(size));
    return text;
  }

  [[nodiscard]] std::string Sign(const Json& claims, const Json& header = DefaultHeader()) const {
    const std::string text = Base64Url(header.dump()) + "." + Base64Url(claims.dump());
    const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(),
                                                                          &EVP_MD_CTX_free);
    EVP_DigestSignInit(context.get(), nullptr, EVP_sha256(), nullptr, key_.get());
    std::string signature(512, '\0');
    std::size_t size = signature.size();
    EVP_DigestSign(context.get(), reinterpret_cast<unsigned char*>(signature.data()), &size,
                   reinterpret_cast<const unsigned char*>(text.data()), text.size());
    return text + "." + Base64Url(signature.substr(0, size));
  }

  static Json DefaultHeader() { return Json{{"alg", "RS256"}, {"typ", "JWT"}, {"kid", "key-1"}}; }

 private:
  static std::string Base64Url(std::string_view bytes) {
    constexpr std::string_view kAlphabet =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    std::string text;
    unsigned bits = 0;
    unsigned count = 0;
    for (const char c : bytes) {
      bits = (bits << 8U) | static_cast<unsigned char>(c);
      for (count += 8; count >= 6;) {
        count -= 6;
        text += kAlphabet[(bits >> count) & 63U];
      }
    }
    if (count > 0) text += kAlphabet[(bits << (6 - count)) & 63U];
    return text;
  }

  std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key_;
};

}  // namespace bindery::emulator
