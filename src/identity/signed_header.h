#pragma once

#include "cloud/transport.h"
#include "config/web_config.h"
#include "core/base/clock.h"
#include "core/base/expected.h"
#include "identity/key_source.h"
#include "identity/person.h"

namespace bindery::identity {

/// Reads the signed header of a proxy in front, such as Identity-Aware Proxy. Thread-safe; blocks
/// as KeySource.
class SignedHeader {
 public:
  SignedHeader(cloud::Transport& transport, const Clock& clock, config::WebSignedHeader settings);

  [[nodiscard]] const config::WebSignedHeader& settings() const { return settings_; }

  /// Who asks, by the header's token. The proxy knows no groups. kUnauthenticated and kUnavailable
  /// as ParseToken, KeySource and CheckClaims.
  [[nodiscard]] Expected<Person> Read(std::string_view text);

 private:
  const Clock& clock_;
  const config::WebSignedHeader settings_;
  KeySource keys_;
};

}  // namespace bindery::identity
