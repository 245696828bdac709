#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cloud/authorizer.h"
#include "cloud/error_dialect.h"
#include "cloud/transport.h"
#include "core/base/expected.h"

namespace bindery::cloud {

class CallSequence;

/// The reading or the writing of one policy, separate from its sending: blocking and
/// asynchronous senders parse the answer the same way.
struct PolicyCall {
  HttpRequest request;
  const ErrorDialect* dialect = &kNoDialect;  ///< Of the service that is called; never null.
  /// For a removal: the body of an empty policy, for services that answer that no policy exists;
  /// empty: such an answer is kNotFound.
  std::string body_when_absent = {};
  /// The id or name that the answer must have; empty if answers have none.
  std::string expected_id = {};
  /// What a kNotFound is told to have been looked for; empty: the service's own words will do.
  std::string looked_for = {};
  /// For a call of several requests (call_sequence.h); null: one answer is enough.
  const CallSequence* sequence = nullptr;
  /// The kept parts of the answers so far, each followed by kAnswerSeparator.
  std::string earlier_answers = {};
  /// Known requests of a sequence, the next request last. Without headers.
  std::vector<HttpRequest> further = {};
  /// A request of the sequence has changed something: whatever follows, the outcome of the call is
  /// not that nothing was done.
  bool partly_done = false;
  /// The first request of the sequence that was refused, where it went on nevertheless: the failure
  /// of the whole call. Null: none was.
  std::shared_ptr<const Error> refused_step = nullptr;
};

/// The answer's body may be interpreted.
[[nodiscard]] bool IsGood(const HttpResponse& response);

/// The service does not take the credentials it was asked with: others may be worth a try.
[[nodiscard]] bool RefusesCredentials(const HttpResponse& response);

/// Puts credentials on the request. Blocks where they have to be fetched. What fails is for
/// MakeBody.
[[nodiscard]] Expected<void> PutCredentials(PolicyCall& call, Authorizer& authorizer);

/// The body of a good answer to `call.request` as it was sent, with its credentials, which no
/// message shows; else the failure the answer means.
[[nodiscard]] Expected<std::string> MakeBody(const PolicyCall& call,
                                             Expected<HttpResponse> response);

/// Sends the call with credentials, and once more with fresh credentials after a refusal; all
/// requests of a sequence, in order. Blocks.
[[nodiscard]] Expected<std::string> Send(const PolicyCall& call, Transport& transport,
                                         Authorizer& authorizer);

}  // namespace bindery::cloud
