#include "providers/google/credentials/token_endpoint.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

#include "cloud/credentials/text.h"
#include "cloud/http_errors.h"
#include "cloud/retry_after.h"
#include "core/base/strict_json.h"

namespace bindery::google {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kFirstWait{1'000};
/// What an endpoint may ask for and still be waited for; longer: the caller's back-off.
constexpr milliseconds kLongestWait{5'000};
/// With less time than this a further attempt is not worth the wait.
constexpr milliseconds kShortestAttempt{1'000};

OAuthFailure ReadFailure(const cloud::HttpResponse& response) {
  const auto body = ParseStrictJson(response.body);
  if (!body) return {};
  return {StringMember(*body, "error"), StringMember(*body, "error_description"),
          StringMember(*body, "error_subtype")};
}

bool PassesByItself(int status, const OAuthFailure& failure) {
  constexpr std::array<int, 6> kStatuses = {408, 429, 500, 502, 503, 504};
  constexpr std::array<std::string_view, 3> kErrors = {"internal_failure", "server_error",
                                                       "temporarily_unavailable"};
  return std::ranges::find(kStatuses, status) != kStatuses.end() ||
         std::ranges::find(kErrors, std::string_view(failure.error)) != kErrors.end();
}

bool IsUnreachable(const Error& error) {
  return error.code == Code::kUnavailable || error.code == Code::kDeadlineExceeded;
}

/// Maps a failure to talk to the endpoint to the error of the call that needed the token.
Error BeforeTheCall(Error error) {
  // For the caller a slow and a missing endpoint are the same.
  if (IsUnreachable(error)) error.code = Code::kUnavailable;
  error.outcome_unknown = false;
  return error;
}

milliseconds TimeLeft(const TokenContext& context, MonoTime give_up_at) {
  return std::chrono::duration_cast<milliseconds>(give_up_at - context.clock->Mono());
}

bool IsSuccess(int status) { return status >= 200 && status < 300; }

/// A number, or a string with a number.
std::optional<std::int64_t> Seconds(const Json* value) {
  constexpr std::int64_t kMost = 7 * 24 * 3600;
  if (value == nullptr) return std::nullopt;
  if (value->is_number_unsigned()) {
    return static_cast<std::int64_t>(std::min<std::uint64_t>(value->get<std::uint64_t>(), kMost));
  }
  if (value->is_number_float()) {
    const double seconds = value->get<double>();
    if (!(seconds >= 0)) return std::nullopt;
    return static_cast<std::int64_t>(std::min(seconds, static_cast<double>(kMost)));
  }
  if (!value->is_string()) return std::nullopt;
  const auto text = value->get<std::string>();
  std::int64_t seconds = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (status != std::errc() || end != text.data() + text.size() || seconds < 0) return std::nullopt;
  return std::min(seconds, kMost);
}

/// "error: description", without the full stop that would stand before our next colon.
std::string Said(const OAuthFailure& failure, const std::vector<std::string>& secrets) {
  std::string text = failure.error;
  if (!failure.description.empty()) text += ": " + failure.description;
  text =
      cloud::OneLine(cloud::Redacted(text, secrets));  // In this order: half a secret is one too.
  while (!text.empty() && text.back() == '.') text.pop_back();
  return text;
}

Error FindRefusal(const TokenContext& context, const TokenRequest& request,
                  const cloud::HttpResponse& response) {
  const OAuthFailure failure = ReadFailure(response);
  const bool passes = PassesByItself(response.status, failure);
  Error error;
  error.code = passes ? Code::kUnavailable : Code::kUnauthenticated;
  error.retry_after = cloud::RetryAfter(response, std::nullopt, context.clock->Wall());
  const std::string answered =
      cloud::Origin(request.http.url) + " answered HTTP " + std::to_string(response.status);
  if (failure.error.empty()) {
    error.message = answered;
    if (!passes) error.message += " without an OAuth error";
    if (!passes && !request.url_field.empty()) error.message += ": check " + request.url_field;
    return error;
  }
  const std::string said = Said(failure, request.secrets);
  error.message = passes ? answered + ": " + said : said;
  const std::string advice = passes || !request.advice ? "" : request.advice(failure);
  if (!advice.empty()) error.message += ": " + advice;
  return error;
}

}  // namespace

cloud::HttpRequest FormPost(const std::string& url,
                            const std::vector<std::pair<std::string, std::string>>& fields) {
  cloud::HttpRequest request;
  request.method = "POST";
  request.url = url;
  request.headers = {{"Content-Type", "application/x-www-form-urlencoded"},
                     {"Accept", "application/json"}};
  request.body = cloud::FormBody(fields);
  request.timeout = kTokenTimeout;
  request.max_response_bytes = 1U << 20U;
  request.service = "oauth2";
  request.operation = "token";
  return request;
}

Expected<cloud::HttpResponse> SendPatiently(const TokenContext& context, cloud::HttpRequest request,
                                            MonoTime give_up_at, int attempts) {
  const milliseconds longest_attempt = request.timeout;
  milliseconds wait = kFirstWait;
  for (int attempt = 1;; ++attempt, wait *= 2) {
    const milliseconds left = TimeLeft(context, give_up_at);
    if (left <= milliseconds(0)) {
      return Fail(Code::kUnavailable,
                  cloud::Origin(request.url) + " was not asked: no time was left");
    }
    request.timeout = std::min(longest_attempt, left);
    auto response = context.transport->Send(request);
    milliseconds pause = wait;
    if (response) {
      const bool passes =
          !IsSuccess(response->status) && PassesByItself(response->status, ReadFailure(*response));
      const auto asked = cloud::RetryAfter(*response, std::nullopt, context.clock->Wall());
      if (!passes || (asked && *asked > kLongestWait)) return response;
      pause = std::max(wait, asked.value_or(wait));
    } else if (!IsUnreachable(response.error())) {
      return Fail(BeforeTheCall(std::move(response.error())));
    }
    const bool last =
        attempt >= attempts || TimeLeft(context, give_up_at) < pause + kShortestAttempt;
    if (last && response) return response;
    if (last) return Fail(BeforeTheCall(std::move(response.error())));
    if (!context.wait(pause)) {
      return Fail(Code::kCancelled,
                  cloud::Origin(request.url) + " is not asked again: shutting down");
    }
  }
}

Expected<AccessToken> CheckedToken(const std::string& origin, std::string value,
                                   milliseconds lifetime) {
  if (value.empty() || !cloud::IsHeaderToken(value)) {
    return Fail(Code::kUnauthenticated, origin + " answered without a usable access token");
  }
  if (lifetime <= milliseconds(0)) {
    return Fail(Code::kUnauthenticated, origin + " answered with a token that has expired already");
  }
  return AccessToken{std::move(value), lifetime};
}

Expected<AccessToken> ReadOAuthToken(const TokenContext& context, const TokenRequest& request,
                                     const cloud::HttpResponse& response, Json* answer) {
  if (!IsSuccess(response.status)) return Fail(FindRefusal(context, request, response));
  const std::string origin = cloud::Origin(request.http.url);
  // The parser's own message may quote the answer, which holds secrets.
  auto body = ParseStrictJson(response.body);
  if (!body || !body->is_object()) {
    return Fail(Code::kUnauthenticated,
                origin + " answered with something that is not a JSON object");
  }
  const Json* expires_in = FindMember(*body, "expires_in");
  const auto seconds = Seconds(expires_in);
  if (expires_in != nullptr && !seconds) {
    return Fail(Code::kUnauthenticated,
                origin + " answered with an expires_in that is not a number of seconds");
  }
  // OAuth leaves it out where the usual lifetime is known.
  const std::chrono::seconds lifetime(seconds.value_or(kTokenLifetime.count()));
  auto token = CheckedToken(origin, StringMember(*body, "access_token"), lifetime);
  if (token && answer != nullptr) *answer = std::move(*body);
  return token;
}

Expected<AccessToken> FetchOAuthToken(const TokenContext& context, const TokenRequest& request,
                                      MonoTime give_up_at, Json* answer) {
  auto response = SendPatiently(context, request.http, give_up_at);
  if (!response) return Fail(std::move(response.error()));
  return ReadOAuthToken(context, request, *response, answer);
}

}  // namespace bindery::google
