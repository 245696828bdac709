#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cloud/transport.h"
#include "core/base/expected.h"

namespace bindery::notify {

/// What is signed, by the rules of Standard Webhooks.
struct SignedContent {
  std::string_view id;
  std::int64_t timestamp = 0;  ///< Of the attempt, in seconds since 1970.
  std::string_view body;
};

/// The keys in a secret file's text, one per line: `whsec_` and base64 of 24 to 64 bytes.
/// kInvalidArgument, naming the line and not its content.
[[nodiscard]] Expected<std::vector<std::string>> ParseSecrets(std::string_view text);

/// "v1,BASE64" of each key, separated by spaces: a receiver accepts the message when one of them is
/// right, which lets keys be changed without a gap.
[[nodiscard]] std::string Signature(const SignedContent& content,
                                    const std::vector<std::string>& keys);

/// webhook-id and webhook-timestamp, and webhook-signature where there are keys.
[[nodiscard]] cloud::HttpHeaders SignatureHeaders(const SignedContent& content,
                                                  const std::vector<std::string>& keys);

}  // namespace bindery::notify
