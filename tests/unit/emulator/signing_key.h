#pragma once

#include <string>
#include <string_view>

#include "core/base/json.h"
#include "support/rsa_key.h"

namespace bindery::emulator {

/// An RSA key pair made for one test, which signs JWTs as a service account's key does.
class SigningKey {
 public:
  [[nodiscard]] std::string PublicPem() const { return key_.PublicPem(); }

  [[nodiscard]] std::string Sign(const Json& claims, const Json& header = DefaultHeader()) const {
    const std::string text = Base64Url(header.dump()) + "." + Base64Url(claims.dump());
    return text + "." + Base64Url(key_.Sign(text));
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

  const testing::RsaKey key_;
};

}  // namespace bindery::emulator
