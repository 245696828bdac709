#pragma once

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>

#include <memory>
#include <string>
#include <string_view>

namespace bindery::testing {

/// An RSA key pair, as a service account has one. Making one takes a while.
class RsaKey {
 public:
  RsaKey() : key_(EVP_RSA_gen(2048), &EVP_PKEY_free) {}

  /// Made once for all tests of the program.
  static const RsaKey& Shared() {
    static const RsaKey key;
    return key;
  }

  [[nodiscard]] std::string PrivatePem() const {
    const Bio bio(BIO_new(BIO_s_mem()), &BIO_free);
    PEM_write_bio_PrivateKey(bio.get(), key_.get(), nullptr, nullptr, 0, nullptr, nullptr);
    return GetText(bio);
  }
  [[nodiscard]] std::string PublicPem() const {
    const Bio bio(BIO_new(BIO_s_mem()), &BIO_free);
    PEM_write_bio_PUBKEY(bio.get(), key_.get());
    return GetText(bio);
  }

  /// RS256.
  [[nodiscard]] std::string Sign(std::string_view message) const {
    const Context context(EVP_MD_CTX_new(), &EVP_MD_CTX_free);
    EVP_DigestSignInit(context.get(), nullptr, EVP_sha256(), nullptr, key_.get());
    std::string signature(512, '\0');
    std::size_t size = signature.size();
    EVP_DigestSign(context.get(), reinterpret_cast<unsigned char*>(signature.data()), &size,
                   Bytes(message), message.size());
    return signature.substr(0, size);
  }
  [[nodiscard]] bool Verifies(std::string_view message, std::string_view signature) const {
    const Context context(EVP_MD_CTX_new(), &EVP_MD_CTX_free);
    return EVP_DigestVerifyInit(context.get(), nullptr, EVP_sha256(), nullptr, key_.get()) == 1 &&
           EVP_DigestVerify(context.get(), Bytes(signature), signature.size(), Bytes(message),
                            message.size()) == 1;
  }

 private:
  using Bio = std::unique_ptr<BIO, decltype(&BIO_free)>;
  using Context = std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)>;

  static std::string GetText(const Bio& bio) {
    char* text = nullptr;
    const long size = BIO_get_mem_data(bio.get(), &text);
    return {text, static_cast<std::size_t>(size)};
  }
  static const unsigned char* Bytes(std::string_view text) {
    return reinterpret_cast<const unsigned char*>(text.data());
  }

  std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key_;
};

}  // namespace bindery::testing
