#pragma once

#include <memory>
#include <string>

#include "support/temp_dir.h"

namespace bindery::testing {

/// The files of a server's certificate and its key, both PEM.
struct CertificateFiles {
  std::string certificate;
  std::string key;
};

/// What a certificate is to say.
struct CertificateWish {
  std::string names = "DNS:localhost,IP:127.0.0.1,IP:::1";
  int valid_from_days = -1;  ///< From now.
  int valid_to_days = 30;    ///< From now.
};

/// A certificate authority of a test, with files in a directory that outlives it.
class TestAuthority {
 public:
  TestAuthority(const TempDir& dir, std::string name);
  ~TestAuthority();
  TestAuthority(const TestAuthority&) = delete;
  TestAuthority& operator=(const TestAuthority&) = delete;

  /// The authority's own certificate, to trust.
  [[nodiscard]] std::string file() const;

  /// The same with its key, for a server whose certificate nobody else signed.
  [[nodiscard]] CertificateFiles SelfSigned() const;

  /// A certificate signed by this authority; `file` is unique in the directory.
  [[nodiscard]] CertificateFiles Issue(const std::string& file,
                                       const CertificateWish& wish = {}) const;

 private:
  struct Keys;
  const TempDir& dir_;
  std::string name_;
  std::unique_ptr<Keys> keys_;
};

}  // namespace bindery::testing
