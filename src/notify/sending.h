#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "cloud/transport.h"
#include "config/webhook_config.h"
#include "core/base/clock.h"
#include "notify/message.h"

namespace bindery::notify {

/// The result of sending a message once.
struct Attempt {
  enum class Result {
    kAccepted,  ///< 2xx.
    kFailed,    ///< It may work the next time.
    kRefused,   ///< The receiver does not take this message: it cannot read it, or it is too large.
    kGone,      ///< HTTP 410: the receiver wants no messages any more.
    kCancelled,  ///< Its result is not needed any more.
  };
  Result result = Result::kFailed;
  int status = 0;      ///< 0: no answer.
  std::string reason;  ///< Why not, in one line that holds no secret; empty when it was accepted.
  std::optional<std::chrono::milliseconds> wait;  ///< That the receiver asks for.
};

/// Sends a message and waits for the answer. The files of the webhook are read for each, so that
/// secrets can be changed at any time.
[[nodiscard]] Attempt Send(const config::WebhookConfig& webhook, const Message& message,
                           cloud::Transport& transport, const Clock& clock);

}  // namespace bindery::notify
