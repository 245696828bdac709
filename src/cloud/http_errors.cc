#include "cloud/http_errors.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "cloud/credentials/text.h"
#include "cloud/retry_after.h"
#include "core/time_text.h"

namespace bindery::cloud_internal {
namespace {

constexpr std::size_t kLongestMessage = 500;
constexpr int kNotFoundHttp = 404;
constexpr int kPreconditionFailed = 412;
constexpr int kTooManyRequests = 429;

bool IsWrite(const HttpRequest& request) {
  return request.method != "GET" && request.method != "HEAD";
}

std::string Name(const HttpRequest& request) { return request.service + "." + request.operation; }

std::string Base(const HttpRequest& request) {
  const std::size_t scheme = request.url.find("://");
  return request.url.substr(0, request.url.find('/', scheme == std::string::npos ? 0 : scheme + 3));
}

/// For answers that give no canonical code themselves.
Code CodeFromHttp(int status) {
  switch (status) {
    case 400:
    case 405:
    case 413:
    case 414:
    case 415:
    case 422:
      return Code::kInvalidArgument;
    case 401:
      return Code::kUnauthenticated;
    case 403:
      return Code::kPermissionDenied;
    case 404:
    case 410:
      return Code::kNotFound;
    case 408:
    case 504:
      return Code::kDeadlineExceeded;
    case 409:
    case 412:
      return Code::kAborted;
    case 429:
      return Code::kResourceExhausted;
    case 501:
      return Code::kUnimplemented;
    case 500:
      return Code::kInternal;
    default:
      return status > 500 ? Code::kUnavailable : Code::kInternal;
  }
}

/// A body nobody of the service wrote says nothing of the resource: only what is about the way
/// there counts.
Code CodeOfForeignAnswer(int status) {
  switch (status) {
    case 401:
    case 408:
    case 409:
    case 412:
    case 429:
      return CodeFromHttp(status);
    default:
      return status >= 500 ? Code::kUnavailable : Code::kInternal;
  }
}

std::optional<Code> CodeFromStatus(const std::string& status) {
  // CANCELLED of ours means that we are shutting down; theirs is worth another try.
  if (status == "CANCELLED") return Code::kUnavailable;
  if (status == "OUT_OF_RANGE") return Code::kInvalidArgument;
  if (status == "UNKNOWN" || status == "DATA_LOSS") return Code::kInternal;
  return CodeFromString(status);
}

/// Some services answer 403 where they mean a rate limit; the machine-readable reason tells.
bool SaysRateLimit(const Json& error) {
  constexpr std::array<std::string_view, 3> kReasons = {"RATE_LIMIT_EXCEEDED", "rateLimitExceeded",
                                                        "userRateLimitExceeded"};
  for (const char* list_name : {"details", "errors"}) {
    const Json* list = FindMember(error, list_name);
    if (list == nullptr || !list->is_array()) continue;
    for (const Json& entry : *list) {
      if (std::ranges::find(kReasons, std::string_view(StringMember(entry, "reason"))) !=
          kReasons.end()) {
        return true;
      }
    }
  }
  return false;
}

/// What the service said, when the body is in its dialect.
struct Said {
  Code code = Code::kInternal;
  std::string message;
};

std::optional<Said> ReadGoogle(const Json& body, int status) {
  const Json* error = FindMember(body, "error");
  if (error == nullptr) return std::nullopt;
  if (error->is_string()) {  // {"error": "invalid_grant", "error_description": "…"}
    const std::string description = StringMember(body, "error_description");
    const std::string name = error->get<std::string>();
    return Said{CodeOfForeignAnswer(status),
                description.empty() ? name : name + ": " + description};
  }
  if (!error->is_object()) return std::nullopt;
  Said said;
  const std::optional<Code> named = CodeFromStatus(StringMember(*error, "status"));
  said.code = named.value_or(CodeFromHttp(status));
  // These services always name it, on the status that means it. Whoever does not may be a proxy, to
  // whom it is the path that is not there.
  const bool sure = named == Code::kNotFound && status == kNotFoundHttp;
  if (said.code == Code::kNotFound && !sure) return std::nullopt;
  // What moved on was the policy, whatever word stands beside it: read again, it may go.
  if (status == kPreconditionFailed) said.code = Code::kAborted;
  if (said.code == Code::kPermissionDenied && SaysRateLimit(*error)) {
    said.code = Code::kResourceExhausted;
  }
  said.message = StringMember(*error, "message");
  return said;
}

std::optional<Said> ReadDatadog(const Json& body, int status) {
  const Json* errors = FindMember(body, "errors");
  if (errors == nullptr || !errors->is_array()) return std::nullopt;
  std::string message;
  for (const Json& error : *errors) {
    std::string text = error.is_string() ? error.get<std::string>() : StringMember(error, "detail");
    if (text.empty()) text = StringMember(error, "title");
    if (text.empty()) continue;
    message += (message.empty() ? "" : "; ") + text;
  }
  // The service says what is not there.
  if (message.empty() && CodeFromHttp(status) == Code::kNotFound) return std::nullopt;
  return Said{CodeFromHttp(status), std::move(message)};
}

/// The credentials on a request, in every form in which they stand there.
std::vector<std::string> SecretsOn(const HttpRequest& request) {
  std::vector<std::string> secrets;
  for (const auto& [name, value] : request.headers) {
    if (name == "DD-API-KEY" || name == "DD-APPLICATION-KEY") secrets.push_back(value);
    if (name != "Authorization") continue;
    secrets.push_back(value);
    secrets.push_back(value.substr(value.find(' ') + 1));  // Without "Bearer".
  }
  return secrets;
}

std::string ContentKind(const HttpRequest& request, const HttpResponse& response) {
  if (response.body.empty()) return "an empty body";
  const std::string type =
      OneLine(Redacted(response.Header("content-type").value_or(""), SecretsOn(request)));
  const std::string name = type.substr(0, type.find(';'));
  return name.empty() || name == "application/json" ? "something else" : name;
}

std::string ForeignMessage(const HttpRequest& request, const HttpResponse& response) {
  const std::string answered = "answered HTTP " + std::to_string(response.status);
  if (response.status >= 300 && response.status < 400) {
    return answered + ", a redirect, which is not followed: check the endpoint " + Base(request);
  }
  // A limit is also said by who stands before the service, in few words or none.
  if (response.status == kTooManyRequests) return answered + ", a rate limit";
  return answered + " with " + ContentKind(request, response) +
         " instead of the service's JSON: check the endpoint " + Base(request);
}

void AppendEncoded(std::string_view segment, std::string& encoded) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  for (const char c : segment) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 || c == '-' || c == '.' || c == '_' || c == '~') {
      encoded += c;
      continue;
    }
    encoded += '%';
    encoded += kHex[byte >> 4U];
    encoded += kHex[byte & 15U];
  }
}

}  // namespace

Error NoCredentialsToday(Error error) {
  if (error.code == Code::kUnavailable || error.code == Code::kDeadlineExceeded) {
    error.code = Code::kUnauthenticated;
  }
  return error;
}

Error ErrorFromResponse(const HttpRequest& request, const HttpResponse& response,
                        ErrorDialect dialect, WallTime now) {
  const bool google = dialect == ErrorDialect::kGoogle;
  auto body = ParseJson(response.body);
  // A list of one error is what some Google front ends send.
  if (body && body->is_array() && body->size() == 1) body = Json((*body)[0]);
  std::optional<Said> said;
  if (body)
    said = google ? ReadGoogle(*body, response.status) : ReadDatadog(*body, response.status);

  Error error;
  error.http_status = response.status;
  error.outcome_unknown = IsWrite(request) && (response.status >= 500 || response.status == 408);
  const Json* google_error = google && body ? FindMember(*body, "error") : nullptr;
  const auto asked = AskedToWait(response, google_error, now);
  error.retry_after = RetryAfter(response, google_error, now);
  error.code = said ? said->code : CodeOfForeignAnswer(response.status);
  // Before it is cut: half a secret is one too.
  std::string text = said ? OneLine(Redacted(said->message, SecretsOn(request)))
                          : ForeignMessage(request, response);
  if (text.empty()) text = "answered HTTP " + std::to_string(response.status) + " without a reason";
  error.message = Name(request) + ": " + text;
  if (asked > error.retry_after) {
    error.message += "; it asks to wait for " + FormatAge(*asked) + ", and is asked again after " +
                     FormatAge(*error.retry_after);
  }
  return error;
}

Expected<HttpResponse> Judged(const HttpRequest& authorized, Expected<HttpResponse> response,
                              ErrorDialect dialect) {
  if (!response) {
    Error error = response.error().Wrap(Name(authorized));
    error.outcome_unknown = error.outcome_unknown && IsWrite(authorized);
    return Fail(std::move(error));
  }
  if (IsGood(*response)) return response;
  return Fail(ErrorFromResponse(authorized, *response, dialect, std::chrono::system_clock::now()));
}

Expected<HttpResponse> Exchange(Transport& transport, Authorizer& authorizer,
                                const HttpRequest& request, ErrorDialect dialect) {
  for (bool first = true;; first = false) {
    HttpRequest authorized = request;
    if (auto done = authorizer.Authorize(authorized); !done) {
      return Fail(NoCredentialsToday(done.error()).Wrap(Name(request)));
    }
    auto response = transport.Send(authorized);
    const bool refused = response && RefusesCredentials(*response);
    if (first && refused && authorizer.Refused(authorized)) continue;
    return Judged(authorized, std::move(response), dialect);
  }
}

Error ShapeError(const HttpRequest& request, const std::string& what_is_wrong) {
  Error error;
  error.code = Code::kInternal;
  error.message =
      Name(request) + " answered with " + what_is_wrong + ": check the endpoint " + Base(request);
  error.outcome_unknown = IsWrite(request);
  error.http_status = 200;  // Or another 2xx: no other answer is looked at for its shape.
  return error;
}

Expected<Json> ParseObject(const HttpRequest& request, const std::string& body) {
  auto object = ParseJson(body);
  if (!object) return Fail(ShapeError(request, "something that is not JSON"));
  if (!object->is_object()) return Fail(ShapeError(request, "JSON that is not an object"));
  return object;
}

Expected<Json> ParseObject(const HttpRequest& request, const HttpResponse& response) {
  auto object = ParseObject(request, response.body);
  if (!object) object.error().http_status = response.status;
  return object;
}

std::string EncodeSegment(std::string_view segment) {
  std::string encoded;
  AppendEncoded(segment, encoded);
  return encoded;
}

Expected<std::string> EncodePath(std::string_view path) {
  std::string encoded;
  encoded.reserve(path.size());
  for (std::string_view rest = path;;) {
    const std::size_t slash = rest.find('/');
    const std::string_view segment = rest.substr(0, slash);
    if (segment.empty() || segment == "." || segment == "..") {
      return Fail(Code::kInvalidArgument, "\"" + std::string(path) + "\" is not a resource name");
    }
    AppendEncoded(segment, encoded);
    if (slash == std::string_view::npos) return encoded;
    encoded += '/';
    rest.remove_prefix(slash + 1);
  }
}

std::string OneLine(std::string_view text) {
  std::string line;
  for (const char c : text) {
    const bool blank = c == ' ' || std::iscntrl(static_cast<unsigned char>(c)) != 0;
    if (blank && (line.empty() || line.back() == ' ')) continue;
    line += blank ? ' ' : c;
  }
  while (!line.empty() && line.back() == ' ') line.pop_back();
  if (line.size() <= kLongestMessage) return line;
  // Cut before a continuation byte, so that no character is cut in two.
  std::size_t cut = kLongestMessage;
  while (cut > 0 && (static_cast<unsigned char>(line[cut]) & 0xC0U) == 0x80U) --cut;
  return line.substr(0, cut) + "…";
}

}  // namespace bindery::cloud_internal
