#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "cloud/authorizer.h"
#include "cloud/error_dialect.h"
#include "cloud/policy_call.h"
#include "cloud/transport.h"
#include "core/base/clock.h"
#include "core/base/expected.h"
#include "core/base/json.h"

namespace bindery::cloud {

/// The status of an answer that refuses a request for the number of requests.
inline constexpr int kTooManyRequests = 429;

/// Sends a request with credentials, and once more with fresh credentials after a refusal. Returns
/// an answer with a 2xx status, else the failure. Without credentials nothing is sent: as
/// NoCredentialsToday.
[[nodiscard]] Expected<cloud::HttpResponse> Exchange(cloud::Transport& transport,
                                                     cloud::Authorizer& authorizer,
                                                     const cloud::HttpRequest& request,
                                                     const cloud::ErrorDialect& dialect);

/// Maps a failure to get credentials to the error of the call: kUnauthenticated also when
/// their issuer does not answer, because kUnavailable and kDeadlineExceeded are about the
/// service that was to be called, which may be healthy.
[[nodiscard]] Error NoCredentialsToday(Error error);

/// Sends the request with credentials, and once more with fresh credentials after a refusal;
/// `request` is then the last sent request. Judged interprets failures. Blocks.
[[nodiscard]] Expected<cloud::HttpResponse> SendAuthorized(cloud::Transport& transport,
                                                           cloud::Authorizer& authorizer,
                                                           cloud::HttpRequest& request);

/// The result of sending `authorized`: the answer when its status is 2xx, else the failure it
/// means.
[[nodiscard]] Expected<cloud::HttpResponse> Judged(const cloud::HttpRequest& authorized,
                                                   Expected<cloud::HttpResponse> response,
                                                   const cloud::ErrorDialect& dialect);

/// The failure of an answer. Dates in Retry-After count from `now`.
///
/// The code comes from the service's own `status` where it gives one, else from the HTTP status;
/// texts are passed on without the credentials of `request`, never matched. An answer that does not
/// speak the service's dialect was given by somebody else (a proxy, a wrong path): it is never read
/// as NOT_FOUND of the resource.
[[nodiscard]] Error ErrorFromResponse(const cloud::HttpRequest& request,
                                      const cloud::HttpResponse& response,
                                      const cloud::ErrorDialect& dialect, WallTime now);

/// The body of a 2xx answer, which must be a JSON object without two members of one name.
[[nodiscard]] Expected<Json> ParseObject(const cloud::HttpRequest& request,
                                         const cloud::HttpResponse& response);
[[nodiscard]] Expected<Json> ParseObject(const cloud::HttpRequest& request,
                                         const std::string& body);

/// kInternal for an answer that has not the shape it should: "SERVICE.OPERATION answered with …".
/// The outcome is unknown when the request was a write.
[[nodiscard]] Error ShapeError(const cloud::HttpRequest& request, const std::string& what_is_wrong);

/// "projects/a b/x" with everything but unreserved characters of each segment percent-encoded.
/// kInvalidArgument for an empty segment and for `.` and `..`.
[[nodiscard]] Expected<std::string> EncodePath(std::string_view path);

/// One segment: slashes are encoded, too.
[[nodiscard]] std::string EncodeSegment(std::string_view segment);

/// Text of a service as part of a message: one line, printable, at most about 500 bytes.
[[nodiscard]] std::string OneLine(std::string_view text);

}  // namespace bindery::cloud
