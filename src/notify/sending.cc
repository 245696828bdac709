#include "notify/sending.h"

#include <algorithm>
#include <utility>

#include "cloud/retry_after.h"
#include "core/text/time_text.h"
#include "notify/endpoint.h"
#include "notify/signature.h"

namespace bindery::notify {
namespace {

using Result = Attempt::Result;

/// "HTTP 404 Not Found" says more than a number; the receiver's own text is not repeated, because
/// it may repeat the request.
std::string StatusText(int status) {
  std::string text = "HTTP " + std::to_string(status);
  switch (status) {
    case 400:
      return text + " Bad Request: the receiver cannot read it; check format and secretFile";
    case 401:
    case 403:
      return text + ": the receiver does not let it in; check the URL and secretFile";
    case 404:
      return text + " Not Found: check the URL";
    case 405:
      return text + " Method Not Allowed: check the URL";
    case 410:
      return text + " Gone: the receiver wants no messages any more";
    case 413:
      return text + " Content Too Large";
    case 429:
      return text + " Too Many Requests: lower rateLimit.perMinute";
    default:
      break;
  }
  if (status >= 300 && status < 400) return text + ": redirects are not followed; check the URL";
  return text;
}

Result MakeResult(int status) {
  if (status >= 200 && status < 300) return Result::kAccepted;
  if (status == 410) return Result::kGone;
  return status == 400 || status == 413 || status == 422 ? Result::kRefused : Result::kFailed;
}

/// The advice of the transport, in the words of a webhook.
std::string Reason(const Error& error) {
  std::string reason = error.message;
  constexpr std::string_view kCaFile = "transport.caFile";
  if (const std::size_t at = reason.find(kCaFile); at != std::string::npos) {
    reason.insert(at, "caFile of the webhook, or ");
  }
  return reason;
}

}  // namespace

Attempt Send(const config::WebhookConfig& webhook, const Message& message,
             cloud::Transport& transport, const Clock& clock) {
  const Expected<Endpoint> endpoint = ReadEndpoint(webhook);
  if (!endpoint) return {Result::kFailed, 0, endpoint.error().message, {}};
  const auto since = std::chrono::floor<std::chrono::seconds>(clock.Wall().time_since_epoch());
  cloud::HttpRequest request;
  request.method = "POST";
  request.url = endpoint->url;
  request.headers = SignatureHeaders({message.id, since.count(), message.body}, endpoint->keys);
  request.headers.emplace_back("content-type", message.content_type);
  request.body = message.body;
  request.timeout = webhook.timeout;
  request.service = "webhook";
  request.operation = webhook.name;
  const Expected<cloud::HttpResponse> response = transport.Send(request);
  if (!response) {
    const bool cancelled = response.error().code == Code::kCancelled;
    return {cancelled ? Result::kCancelled : Result::kFailed, 0, Reason(response.error()), {}};
  }
  const Result result = MakeResult(response->status);
  if (result == Result::kAccepted) return {result, response->status, "", {}};
  return {result, response->status, StatusText(response->status),
          cloud::RequestedWait(*response, clock.Wall())};
}

}  // namespace bindery::notify
