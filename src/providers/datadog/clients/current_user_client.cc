#include "providers/datadog/clients/current_user_client.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "cloud/http_errors.h"
#include "core/base/strict_json.h"
#include "core/text/digest.h"
#include "providers/datadog/clients/api_call.h"

namespace bindery::datadog {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kFailureHolds{5'000};

/// Reads the answer without keeping the hundreds of included roles and permissions; null when the
/// answer is not JSON, or has two members of one name.
Json ReadSparsely(const std::string& body) {
  constexpr int kIncluded = 2;  // Depth of the objects in "included".
  constexpr int kDeepest = 32;
  const auto keep = [](int depth, Json::parse_event_t event, Json& parsed) {
    if (depth > kDeepest) return false;
    const bool included = event == Json::parse_event_t::object_end && depth == kIncluded;
    if (!included) return true;
    // What else lies at the depth, such as data.attributes, has no type.
    const std::string type = StringMember(parsed, "type");
    return type != "roles" && type != "permissions";
  };
  return ParseStrictJson(body, keep).value_or(Json());
}

const Json* At(const Json& from, std::initializer_list<std::string_view> path) {
  const Json* value = &from;
  for (const std::string_view name : path) {
    value = FindMember(*value, name);
    if (value == nullptr) return nullptr;
  }
  return value;
}

std::string TextAt(const Json& from, std::initializer_list<std::string_view> path) {
  const Json* value = At(from, path);
  return value != nullptr && value->is_string() ? value->get<std::string>() : std::string();
}

/// The included organisation of the id; without an id the first one.
const Json* FindOrg(const Json& document, const std::string& id) {
  const Json* included = FindMember(document, "included");
  if (included == nullptr || !included->is_array()) return nullptr;
  const auto found = std::ranges::find_if(*included, [&id](const Json& item) {
    return StringMember(item, "type") == "orgs" && (id.empty() || StringMember(item, "id") == id);
  });
  return found == included->end() ? nullptr : &*found;
}

CurrentUser UserFrom(const Json& document) {
  CurrentUser user;
  user.id = TextAt(document, {"data", "id"});
  user.handle = TextAt(document, {"data", "attributes", "handle"});
  user.org_id = TextAt(document, {"data", "relationships", "org", "data", "id"});
  if (const Json* org = FindOrg(document, user.org_id); org != nullptr) {
    if (user.org_id.empty()) user.org_id = StringMember(*org, "id");
    user.org_public_id = TextAt(*org, {"attributes", "public_id"});
  }
  return user;
}

/// Distinguishes credentials without keeping them.
std::string MakeDigest(const cloud::HttpRequest& authorized) {
  std::string text;
  for (const auto& [name, value] : authorized.headers) text += name + ":" + value + "\n";
  return Sha256Hex(text);
}

}  // namespace

cloud::PolicyCall CurrentUserReading(const std::string& base_url, milliseconds timeout) {
  return DatadogCall(DatadogRequest("GET", base_url + "/api/v2/current_user", "get"), "currentUser",
                     timeout);
}

Expected<CurrentUser> UnderstandCurrentUser(const cloud::PolicyCall& read,
                                            const std::string& body) {
  CurrentUser user = UserFrom(ReadSparsely(body));
  if (!user.id.empty()) return user;
  return Fail(cloud::ShapeError(read.request, "no user, or one without an id"));
}

CurrentUserCache::CurrentUserCache(std::string base_url,
                                   std::shared_ptr<cloud::Transport> transport,
                                   std::shared_ptr<cloud::Authorizer> authorizer,
                                   std::shared_ptr<const Clock> clock)
    : base_url_(std::move(base_url)),
      transport_(std::move(transport)),
      authorizer_(std::move(authorizer)),
      clock_(std::move(clock)) {}

Expected<CurrentUser> CurrentUserCache::Get(milliseconds timeout) {
  cloud::HttpRequest probe;
  probe.timeout = timeout;
  if (auto authorized = authorizer_->Authorize(probe); !authorized) {
    return Fail(authorized.error().Wrap("currentUser.get"));
  }
  const std::string credentials = MakeDigest(probe);
  const MutexLock lock(mutex_);
  if (!asked_.WaitFor(mutex_, timeout, [this]() REQUIRES(mutex_) { return !asking_; })) {
    return Fail(Code::kDeadlineExceeded, "currentUser.get: waited " +
                                             std::to_string(timeout.count()) +
                                             " ms for another call's answer");
  }
  if (Knows(credentials)) return *answer_;
  asking_ = true;
  Expected<CurrentUser> answer;
  {
    const MutexRelease released(mutex_);
    answer = Ask(timeout);
  }
  asking_ = false;
  asked_.NotifyAll();
  credentials_ = credentials;
  if (!answer) {
    const auto pause = answer.error().retry_after.value_or(milliseconds(0));
    failure_holds_until_ = clock_->Mono() + std::max(kFailureHolds, pause);
  }
  answer_ = answer;
  return answer;
}

bool CurrentUserCache::Knows(const std::string& credentials) const {
  return answer_ && credentials == credentials_ &&
         (answer_->has_value() || clock_->Mono() < failure_holds_until_);
}

Expected<CurrentUser> CurrentUserCache::Ask(milliseconds timeout) const {
  const cloud::PolicyCall read = CurrentUserReading(base_url_, timeout);
  auto response = Exchange(*transport_, *authorizer_, read.request, *read.dialect);
  if (!response) return Fail(std::move(response.error()));
  Expected<CurrentUser> user = UnderstandCurrentUser(read, response->body);
  if (!user) user.error().http_status = response->status;
  return user;
}

}  // namespace bindery::datadog
