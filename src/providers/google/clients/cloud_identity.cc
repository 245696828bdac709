#include "providers/google/clients/cloud_identity.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cloud/http_errors.h"
#include "cloud/policy_call.h"
#include "core/text/ascii.h"
#include "core/text/count.h"
#include "providers/google/clients/error_dialect.h"
#include "providers/google/clients/list_page.h"

namespace bindery::google {
namespace {

using std::chrono::steady_clock;

/// The most that the service gives at once with view FULL.
constexpr const char* kPageSize = "500";
constexpr std::chrono::milliseconds kLongestCall{10'000};

/// One question to the service.
class Asking {
 public:
  Asking(const cloud::Connection& connection, providers::GroupBudget& budget)
      : connection_(connection), budget_(budget) {}

  [[nodiscard]] bool MayGoOn() const { return !budget_.IsSpent(steady_clock::now()); }

  Expected<Json> Get(const char* operation, const std::string& path_and_query) {
    const std::string& url = connection_.BaseUrl(kCloudIdentity);
    if (url.empty()) {
      return Fail(Code::kUnimplemented, "the provider has no Cloud Identity service");
    }
    const auto rest =
        std::chrono::duration_cast<std::chrono::milliseconds>(budget_.ends - steady_clock::now());
    if (budget_.calls == 0 || rest.count() <= 0) {
      return Fail(Code::kResourceExhausted, "too many questions about groups at once");
    }
    --budget_.calls;
    cloud::PolicyCall call;
    call.request.url = url + "/v1/" + path_and_query;
    call.request.headers.emplace_back("Accept", "application/json");
    call.request.timeout = std::min(rest, kLongestCall);
    call.request.service = kCloudIdentity;
    call.request.operation = operation;
    call.dialect = &GoogleErrors();
    const auto body = cloud::Send(call, *connection_.transport, *connection_.authorizer);
    if (!body) return Fail(body.error());
    return cloud::ParseObject(call.request, *body);
  }

 private:
  const cloud::Connection& connection_;
  providers::GroupBudget& budget_;
};

/// The member of policies that a membership is about; empty: of a type that policies do not have.
std::string MemberIn(const Json& membership) {
  const Json* key = FindMember(membership, "preferredMemberKey");
  const bool is_key = key != nullptr && key->is_object();
  const std::string address = is_key ? AsciiLower(StringMember(*key, "id")) : std::string();
  // Keys with a namespace are identities of a different directory.
  if (address.find('@') == std::string::npos || !StringMember(*key, "namespace").empty()) return {};
  const std::string type = StringMember(membership, "type");
  if (type == "USER") return "user:" + address;
  if (type == "GROUP") return "group:" + address;
  return type == "SERVICE_ACCOUNT" ? "serviceAccount:" + address : std::string();
}

/// The number of memberships that policies have no member for.
std::size_t AddMembers(const Json* memberships, std::vector<std::string>& members) {
  std::size_t other = 0;
  if (memberships == nullptr) return other;
  for (const Json& membership : *memberships) {
    std::string member = MemberIn(membership);
    if (member.empty()) {
      ++other;
    } else {
      members.push_back(std::move(member));
    }
  }
  return other;
}

class CloudIdentityDirectory final : public providers::GroupDirectory {
 public:
  [[nodiscard]] std::string_view name() const override { return "Cloud Identity"; }

  [[nodiscard]] std::string_view needs() const override {
    return "the admin role Groups Reader (or membership in the groups, where members may see "
           "members), the scope cloud-identity.groups.readonly or cloud-platform, and the API "
           "cloudidentity.googleapis.com in the quota project";
  }

  [[nodiscard]] Expected<providers::DirectMembers> Read(
      const cloud::Connection& connection, const std::string& group,
      providers::GroupBudget& budget) const override {
    Asking asking(connection, budget);
    const auto found =
        asking.Get("groups.lookup", "groups:lookup?groupKey.id=" + cloud::EncodeSegment(group));
    if (!found) return Fail(found.error());
    const std::string name = StringMember(*found, "name");
    constexpr std::string_view kGroups = "groups/";
    if (!name.starts_with(kGroups) || name.size() == kGroups.size()) {
      return Fail(Code::kInternal, "groups:lookup answered with no name of a group");
    }
    return List(asking, std::string(kGroups) + cloud::EncodeSegment(name.substr(kGroups.size())));
  }

 private:
  [[nodiscard]] static Expected<providers::DirectMembers> List(Asking& asking,
                                                               const std::string& group) {
    providers::DirectMembers direct;
    std::size_t other = 0;
    std::string token;
    do {
      if (!asking.MayGoOn()) {
        direct.gap = "the list is longer than one question may read";
        break;
      }
      const auto page = asking.Get("groups.memberships.list",
                                   group + "/memberships?view=FULL&pageSize=" + kPageSize +
                                       (token.empty() ? "" : "&pageToken=" + token));
      if (!page) return Fail(page.error());
      const auto part = AnswerPageIn(*page, "memberships");
      if (!part) {
        return Fail(Code::kInternal, "memberships.list answered with " + part.error().message);
      }
      other += AddMembers(part->items, direct.members);
      token = part->next.empty() ? "" : cloud::EncodeSegment(part->next);
    } while (!token.empty());
    if (other > 0 && direct.gap.empty()) {
      direct.gap = Count(other, "member") + " of other types, such as a whole domain";
    }
    return direct;
  }
};

}  // namespace

const providers::GroupDirectory& CloudIdentity() {
  static const CloudIdentityDirectory kDirectory;
  return kDirectory;
}

}  // namespace bindery::google
