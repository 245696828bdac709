#include "identity/key_source.h"

#include <utility>

#include "core/base/strict_json.h"

namespace bindery::identity {
namespace {

Expected<std::string> FetchText(cloud::Transport& transport, const std::string& url,
                                const std::string& operation, const cloud::HttpHeaders& headers) {
  cloud::HttpRequest request;
  request.url = url;
  request.headers = headers;
  const Expected<cloud::HttpResponse> response =
      AskProvider(transport, std::move(request), operation);
  if (!response) return Fail(response.error());
  if (response->status != 200) {
    return Fail(Code::kUnavailable, "the identity provider answers " + operation + " with status " +
                                        std::to_string(response->status));
  }
  return response->body;
}

}  // namespace

Expected<cloud::HttpResponse> AskProvider(cloud::Transport& transport, cloud::HttpRequest request,
                                          const std::string& operation) {
  constexpr std::size_t kMostAnswerBytes = std::size_t{1} << 20U;
  constexpr std::chrono::seconds kAnswerPatience{10};
  request.headers.emplace_back("Accept", "application/json");
  request.timeout = kAnswerPatience;
  request.max_response_bytes = kMostAnswerBytes;
  request.service = "oidc";
  request.operation = operation;
  auto response = transport.Send(request);
  if (response) return response;
  return Fail(Code::kUnavailable,
              "the identity provider cannot be reached: " + response.error().message);
}

Expected<Json> FetchObject(cloud::Transport& transport, const std::string& url,
                           const std::string& operation, const cloud::HttpHeaders& headers) {
  const auto text = FetchText(transport, url, operation, headers);
  if (!text) return Fail(text.error());
  auto object = ParseStrictJson(*text);
  if (!object || !object->is_object()) {
    return Fail(Code::kUnavailable,
                "the identity provider's answer to " + operation + " is no JSON object");
  }
  return object;
}

KeySource::Known KeySource::KnownNow() {
  const MutexLock lock(mutex_);
  return known_;
}

Expected<void> KeySource::Refresh() {
  const MutexLock one(fetching_);
  return Fetch();
}

Expected<void> KeySource::RefreshUnlessBusy() {
  if (!fetching_.TryLock()) return {};
  const MutexLock one(fetching_, std::adopt_lock);
  return Fetch();
}

Expected<void> KeySource::Fetch() {
  const MonoTime now = clock_.Mono();
  if (tried_ && now < *tried_ + kRest) return {};
  tried_ = now;
  const auto text = FetchText(transport_, url_, "keys", {});
  if (!text) return Fail(text.error());
  auto keys = KeySet::Parse(*text);
  if (!keys) return Fail(keys.error());
  const MutexLock lock(mutex_);
  known_ = {std::make_shared<const KeySet>(*std::move(keys)), now};
  return {};
}

Expected<void> KeySource::Verify(const Token& token) {
  Known known = KnownNow();
  Expected<void> refreshed;
  // Keys that could not be fetched anew are believed for one more period, and no longer.
  const auto is_over = [&](MonoTime::duration age) {
    return known.keys == nullptr || clock_.Mono() >= known.fetched + age;
  };
  if (is_over(kLongest)) {
    refreshed = is_over(2 * kLongest) ? Refresh() : RefreshUnlessBusy();
    known = KnownNow();
  }
  if (is_over(2 * kLongest)) {
    if (!refreshed) return refreshed;
    return Fail(Code::kUnavailable, "the keys of the identity provider are not known");
  }
  KeySet::Verdict verdict = known.keys->Verify(token);
  if (verdict == KeySet::Verdict::kUnknownKey) {
    refreshed = Refresh();
    if (!refreshed) return refreshed;
    verdict = KnownNow().keys->Verify(token);
  }
  if (verdict == KeySet::Verdict::kGood) return {};
  return Fail(Code::kUnauthenticated, verdict == KeySet::Verdict::kBad
                                          ? "the token is refused: the signature is wrong"
                                          : "the token is refused: the key is not known");
}

}  // namespace bindery::identity
