#include "cloud/curl/curl_failure.h"

#include <string_view>

#include "cloud/http_errors.h"
#include "core/text/time_text.h"

namespace bindery::cloud {
namespace {

constexpr long kProxyAuthenticationRequired = 407;

bool Holds(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

Code GetCode(CURLcode code) {
  switch (code) {
    case CURLE_OPERATION_TIMEDOUT:
      return Code::kDeadlineExceeded;
    case CURLE_URL_MALFORMAT:
      return Code::kInvalidArgument;
    case CURLE_SSL_CACERT_BADFILE:
      return Code::kFailedPrecondition;
    case CURLE_BAD_CONTENT_ENCODING:
    case CURLE_OUT_OF_MEMORY:
    case CURLE_FAILED_INIT:
      return Code::kInternal;
    default:
      // Names, connections, TLS and whatever breaks on the way: it may work the next time.
      return Code::kUnavailable;
  }
}

long LongInfo(CURL* easy, CURLINFO what) {
  long value = 0;
  curl_easy_getinfo(easy, what, &value);
  return value;
}

std::string Refusal(const Proxy& proxy, long status) {
  std::string text =
      "proxy " + proxy.shown + " refused the connection with HTTP " + std::to_string(status);
  if (status == kProxyAuthenticationRequired) {
    text += ": check user and password in " + proxy.set_by;
  }
  return text;
}

/// Whether it was on the way to the proxy that the transfer failed. The host may have been one
/// reached without: where the connection went tells.
bool FailedAtProxy(CURL* easy, const FailedTransfer& failed) {
  if (failed.code == CURLE_COULDNT_RESOLVE_PROXY || failed.code == CURLE_PROXY) return true;
  const std::string& host = failed.proxy->host;
  const bool bracketed = host.size() > 2 && host.front() == '[';
  const std::string bare = bracketed ? host.substr(1, host.size() - 2) : host;
  const std::string port = " port " + std::to_string(failed.proxy->port) + " ";
  if (Holds(failed.detail, "connect to " + bare + port)) return true;
  return !failed.sent && LongInfo(easy, CURLINFO_HTTP_CONNECTCODE) == 0 &&
         LongInfo(easy, CURLINFO_PRIMARY_PORT) == failed.proxy->port;
}

/// The remedy for a TLS failure; empty when the detail is enough.
std::string Advice(long verify_result, const FailedTransfer& failed) {
  // Results of OpenSSL's X509_verify_cert.
  constexpr long kNotYetValid = 9;
  constexpr long kExpired = 10;
  constexpr long kFirstUntrusted = 18;  // Self-signed, in one way or the other …
  constexpr long kLastUntrusted = 21;   // … or signed by somebody unknown.
  if (failed.code == CURLE_PEER_FAILED_VERIFICATION) {
    if (verify_result >= kFirstUntrusted && verify_result <= kLastUntrusted) {
      return "set transport.caFile if a company proxy re-signs TLS";
    }
    if (verify_result == kExpired || verify_result == kNotYetValid) {
      return "the server needs a new certificate, or this machine's clock is wrong";
    }
    if (Holds(failed.detail, "subject name")) return "check the host name of the endpoint";
    return "";
  }
  if (failed.code == CURLE_SSL_CACERT_BADFILE) return "check transport.caFile";
  if (failed.code != CURLE_SSL_CONNECT_ERROR) return "";
  if (Holds(failed.detail, "wrong version number")) {
    return "the server does not speak TLS there: check the endpoint";
  }
  const bool too_old =
      Holds(failed.detail, "unsupported protocol") || Holds(failed.detail, "protocol version");
  return too_old ? "TLS 1.2 is the least that is accepted" : "";
}

/// Puts `instead` in the place of `before`, the number behind it and `until`, where all three
/// stand.
void ReplaceNumber(std::string& text, std::string_view before, std::string_view until,
                   std::string_view instead) {
  const std::size_t at = text.find(before);
  if (at == std::string::npos) return;
  const std::size_t digits = at + before.size();
  const std::size_t end = text.find_first_not_of("0123456789", digits);
  if (end == digits || end == std::string::npos) return;
  if (text.compare(end, until.size(), until) != 0) return;
  text.replace(at, end + until.size() - at, instead);
}

/// What happened, the same text each time it happens: measured times and counters would make a
/// standing failure look like a new one with every try.
std::string Detail(const FailedTransfer& failed) {
  if (failed.code == CURLE_SEND_FAIL_REWIND) return "the connection broke before the answer came";
  if (failed.code == CURLE_OPERATION_TIMEDOUT && failed.sent) {
    return "timed out after " + FormatDuration(failed.request.timeout) +
           " without a complete answer";
  }
  std::string text = OneLine(failed.detail);
  ReplaceNumber(text, " after ", " milliseconds", "");
  ReplaceNumber(text, " after ", " ms", "");
  ReplaceNumber(text, "HTTP/2 stream ", " was", "HTTP/2 stream was");
  return text;
}

}  // namespace

std::string GetOrigin(const std::string& url) {
  const std::size_t scheme = url.find("://");
  if (scheme == std::string::npos) return "the URL";
  return url.substr(0, url.find_first_of("/?#", scheme + 3));
}

Error RefusedByProxy(const cloud::HttpRequest& request, const Proxy& proxy, long status) {
  Error error;
  error.code = Code::kUnavailable;
  error.message = "no answer from " + GetOrigin(request.url) + ": " + Refusal(proxy, status);
  return error;
}

Error MakeError(CURL* easy, const FailedTransfer& failed) {
  constexpr long kOk = 200;
  const long connect_status = LongInfo(easy, CURLINFO_HTTP_CONNECTCODE);
  if (failed.proxy != nullptr && connect_status != 0 && connect_status / 100 != kOk / 100) {
    return RefusedByProxy(failed.request, *failed.proxy, connect_status);
  }
  Error error;
  error.code = GetCode(failed.code);
  if (failed.code == CURLE_UNSUPPORTED_PROTOCOL && !failed.sent) {
    error.code = Code::kInvalidArgument;
  }
  // SEND_FAIL_REWIND: the connection broke after the body was sent; curl would have repeated it.
  error.outcome_unknown = failed.sent || failed.code == CURLE_SEND_FAIL_REWIND;
  error.message = "no answer from " + GetOrigin(failed.request.url) + ": ";
  long verify_result = LongInfo(easy, CURLINFO_SSL_VERIFYRESULT);
  if (failed.proxy != nullptr && FailedAtProxy(easy, failed)) {
    error.message += "proxy " + failed.proxy->shown + " cannot be used: ";
    verify_result = LongInfo(easy, CURLINFO_PROXY_SSL_VERIFYRESULT);
  }
  const std::string advice = Advice(verify_result, failed);
  error.message += Detail(failed) + (advice.empty() ? "" : "; " + advice);
  return error;
}

}  // namespace bindery::cloud
