#pragma once

#include <string>
#include <vector>

#include "config/webhook_config.h"
#include "core/base/expected.h"

namespace bindery::notify {

/// The URL and the signing keys; all secret.
struct Endpoint {
  std::string url;
  std::vector<std::string> keys;  ///< Empty: messages are not signed.
};

/// Reads the files a webhook names. Failures name the key and the file, and nothing of what is in
/// it.
[[nodiscard]] Expected<Endpoint> ReadEndpoint(const config::WebhookConfig& webhook);

}  // namespace bindery::notify
