#pragma once

#include <cstddef>
#include <string>

#include "cloud/policy_call.h"

namespace bindery::cloud {

/// Between the answers in the body of a call of several requests. No JSON text contains it (RFC
/// 7464).
inline constexpr char kAnswerSeparator = '\x1e';

/// The most answers of one call that are kept: a longer list is an error, not a truncation.
inline constexpr std::size_t kMaxAnswers = 100;

/// How a call goes on that takes several requests: the pages of a list, or the steps of a write.
/// Stateless.
class CallSequence {
 public:
  virtual ~CallSequence() = default;
  CallSequence(const CallSequence&) = delete;
  CallSequence& operator=(const CallSequence&) = delete;

  /// Takes a good answer to `call.request`. Reduces `body` to the needed part, possibly to nothing.
  /// True: `call.request` is now the next request, with the same headers.
  [[nodiscard]] virtual bool Take(PolicyCall& call, std::string& body) const = 0;

  /// `call.request` was refused for a separate reason. True: the rest is sent nevertheless, and
  /// `call.request` is the next request now; `refusal` may say more.
  [[nodiscard]] virtual bool PassOver(PolicyCall& /*call*/, Error& /*refusal*/) const {
    return false;
  }

 protected:
  CallSequence() = default;
};

/// An answer for the sequence: a good answer, or a refusal.
[[nodiscard]] bool IsForSequence(const PolicyCall& call, const HttpResponse& response);

/// Takes the answer to `call` as it was sent. True: `call` has the next request now. False:
/// `response` is the answer to the whole call: a good one has what was kept of all answers, with
/// kAnswerSeparator between them. kFailedPrecondition for too many answers or bytes.
[[nodiscard]] bool TakeAnswer(PolicyCall& call, Expected<HttpResponse>& response);

}  // namespace bindery::cloud
