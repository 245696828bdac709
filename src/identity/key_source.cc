#include "identity/key_source.h"

#include <utility>

#include "core/base/strict_json.h"

namespace bindery::identity {
namespace {

Expected<std::string> FetchText(Transport& transport, const std::string& url,
                                const std::string& operation, const HttpHeaders& headers) {
  HttpRequest request;
  request.url = url;
  request.headers = headers;
  request.headers.emplace_back("Accept", "application/json");
  request.timeout = kAnswerPatience;
  request.max_response_bytes = kMostAnswerBytes;
  request.service = "oidc";
  request.operation = operation;
  const Expected<HttpResponse> response = transport.Send(request);
  if (!response) {
    return Fail(Code::kUnavailable,
                "the identity provider cannot be reached: " + response.error().message);
  }
  if (response->status != 200) {
    return Fail(Code::kUnavailable, "the identity provider answers " + operation + " with status " +
                                        std::to_string(response->status));
  }
  return response->body;
}

}  // namespace

Expected<Json> FetchObject(Transport& transport, const std::string& url,
                           const std::string& operation, const HttpHeaders& headers) {
  const auto text = FetchText(transport, url, operation, headers);
  if (!text) return Fail(text.error());
  auto object = ParseStrictJson(*text);
  if (!object || !object->is_object()) {
    return Fail(Code::kUnavailable,
                "the identity provider's answer to " + operation + " is no JSON object");
  }
  return object;
}

Expected<void> KeySource::Refresh() {
  const MonoTime now = clock_.Mono();
  if (tried_ && now < *tried_ + kRest) return {};
  tried_ = now;
  const auto text = FetchText(transport_, url_, "keys", {});
  if (!text) return Fail(text.error());
  auto keys = KeySet::Parse(*text);
  if (!keys) return Fail(keys.error());
  keys_ = *std::move(keys);
  fetched_ = now;
  return {};
}

Expected<void> KeySource::Verify(const Token& token) {
  const MutexLock lock(mutex_);
  Expected<void> refreshed;
  if (!keys_ || clock_.Mono() >= fetched_ + kLongest) refreshed = Refresh();
  // Keys that could not be fetched anew are believed for one more period, and no longer.
  const bool stale = keys_ && clock_.Mono() >= fetched_ + 2 * kLongest;
  if (!keys_ || stale) {
    if (!refreshed) return refreshed;
    return Fail(Code::kUnavailable, "the keys of the identity provider are not known");
  }
  KeySet::Verdict verdict = keys_->Verify(token);
  if (verdict == KeySet::Verdict::kUnknownKey) {
    refreshed = Refresh();
    if (!refreshed) return refreshed;
    verdict = keys_->Verify(token);
  }
  if (verdict == KeySet::Verdict::kGood) return {};
  return Fail(Code::kUnauthenticated, verdict == KeySet::Verdict::kBad
                                          ? "the token is refused: the signature is wrong"
                                          : "the token is refused: the key is not known");
}

}  // namespace bindery::identity
