#include "cloud/http_errors.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "cloud/credentials/text.h"
#include "cloud/retry_after.h"
#include "core/base/strict_json.h"
#include "core/text/shortened.h"
#include "core/text/time_text.h"

namespace bindery::cloud {
namespace {

bool IsWrite(const cloud::HttpRequest& request) {
  return request.method != "GET" && request.method != "HEAD";
}

std::string Name(const cloud::HttpRequest& request) {
  return request.service + "." + request.operation;
}

std::string Base(const cloud::HttpRequest& request) {
  const std::size_t scheme = request.url.find("://");
  return request.url.substr(0, request.url.find('/', scheme == std::string::npos ? 0 : scheme + 3));
}

/// Headers with credentials, by the services' names.
bool CarriesCredentials(std::string_view header) {
  std::string name(header);
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return name == "authorization" || name.ends_with("-key") || name.ends_with("-token");
}

/// The credentials on a request, in every form of appearance.
std::vector<std::string> SecretsOn(const cloud::HttpRequest& request) {
  std::vector<std::string> secrets;
  for (const auto& [name, value] : request.headers) {
    if (!CarriesCredentials(name)) continue;
    secrets.push_back(value);
    if (name == "Authorization")
      secrets.push_back(value.substr(value.find(' ') + 1));  // The token.
  }
  return secrets;
}

std::string ContentKind(const cloud::HttpRequest& request, const cloud::HttpResponse& response) {
  if (response.body.empty()) return "an empty body";
  const std::string type =
      OneLine(Redacted(response.Header("content-type").value_or(""), SecretsOn(request)));
  const std::string name = type.substr(0, type.find(';'));
  return name.empty() || name == "application/json" ? "something else" : name;
}

std::string ForeignMessage(const cloud::HttpRequest& request, const cloud::HttpResponse& response) {
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

Error ErrorFromResponse(const cloud::HttpRequest& request, const cloud::HttpResponse& response,
                        const cloud::ErrorDialect& dialect, WallTime now) {
  auto body = ParseStrictJson(response.body);
  // Some front ends send a list of one error.
  if (body && body->is_array() && body->size() == 1) body = Json((*body)[0]);
  std::optional<cloud::ServiceError> said;
  if (body && dialect.read != nullptr) said = dialect.read(*body, response.status);

  Error error;
  error.http_status = response.status;
  error.outcome_unknown = IsWrite(request) && (response.status >= 500 || response.status == 408);
  std::optional<std::chrono::milliseconds> by_body;
  if (body && dialect.requested_wait != nullptr) by_body = dialect.requested_wait(*body);
  const auto asked = AskedToWait(response, by_body, now);
  error.retry_after = RetryAfter(response, by_body, now);
  error.code = said ? said->code : cloud::CodeOfForeignAnswer(response.status);
  // Before the text is cut: half a secret is a secret, too.
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

Expected<cloud::HttpResponse> Judged(const cloud::HttpRequest& authorized,
                                     Expected<cloud::HttpResponse> response,
                                     const cloud::ErrorDialect& dialect) {
  if (!response) {
    Error error = response.error().Wrap(Name(authorized));
    error.outcome_unknown = error.outcome_unknown && IsWrite(authorized);
    return Fail(std::move(error));
  }
  if (cloud::IsGood(*response)) return response;
  return Fail(ErrorFromResponse(authorized, *response, dialect, std::chrono::system_clock::now()));
}

Expected<cloud::HttpResponse> SendAuthorized(cloud::Transport& transport,
                                             cloud::Authorizer& authorizer,
                                             cloud::HttpRequest& request) {
  const std::size_t plain_headers = request.headers.size();
  for (bool first = true;; first = false) {
    request.headers.resize(plain_headers);
    if (auto done = authorizer.Authorize(request); !done) {
      return Fail(NoCredentialsToday(done.error()));
    }
    auto response = transport.Send(request);
    const bool refused = response && cloud::RefusesCredentials(*response);
    if (!first || !refused || !authorizer.Refused(request)) return response;
  }
}

Expected<cloud::HttpResponse> Exchange(cloud::Transport& transport, cloud::Authorizer& authorizer,
                                       const cloud::HttpRequest& request,
                                       const cloud::ErrorDialect& dialect) {
  cloud::HttpRequest authorized = request;
  auto response = SendAuthorized(transport, authorizer, authorized);
  return Judged(authorized, std::move(response), dialect);
}

Error ShapeError(const cloud::HttpRequest& request, const std::string& what_is_wrong) {
  Error error;
  error.code = Code::kInternal;
  error.message =
      Name(request) + " answered with " + what_is_wrong + ": check the endpoint " + Base(request);
  error.outcome_unknown = IsWrite(request);
  error.http_status = 200;  // Or another 2xx: no other answer is looked at for its shape.
  return error;
}

Expected<Json> ParseObject(const cloud::HttpRequest& request, const std::string& body) {
  auto object = ParseStrictJson(body);
  if (!object) {
    const std::string& fault = object.error().message;
    const bool is_json = fault.starts_with("JSON");
    return Fail(ShapeError(request, is_json ? OneLine(fault) : "something that is not JSON"));
  }
  if (!object->is_object()) return Fail(ShapeError(request, "JSON that is not an object"));
  return object;
}

Expected<Json> ParseObject(const cloud::HttpRequest& request, const cloud::HttpResponse& response) {
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

std::string OneLine(std::string_view text) { return Shortened(text); }

}  // namespace bindery::cloud
