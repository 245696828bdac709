#include "providers/datadog/clients/principal_client.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <set>
#include <utility>

#include "cloud/call_sequence.h"
#include "cloud/http_errors.h"
#include "core/base/json_text.h"
#include "core/base/strict_json.h"
#include "manifests/schema/check_text.h"
#include "providers/datadog/clients/api_call.h"
#include "providers/datadog/clients/list_pages.h"

namespace bindery::datadog {
namespace {

constexpr std::array<std::string_view, 5> kNeeded = {"name", "handle", "email", "disabled",
                                                     "service_account"};

/// Reads a page without its included objects, and only the needed parts of its entries: a role
/// includes all its permissions. Null when the page is not JSON, or has two members of one name.
Json ReadPage(std::string_view body) {
  constexpr int kMemberOfPage = 1;
  constexpr int kMemberOfEntry = 3;
  constexpr int kAttribute = 4;
  constexpr int kDeepest = 32;
  const auto keep = [](int depth, Json::parse_event_t event, Json& parsed) {
    if (depth > kDeepest) return false;
    if (event != Json::parse_event_t::key) return true;
    if (depth == kMemberOfPage) return parsed == "data";
    if (depth == kMemberOfEntry) {
      return parsed == "type" || parsed == "id" || parsed == "attributes";
    }
    return depth != kAttribute ||
           std::ranges::find(kNeeded, parsed.get_ref<const std::string&>()) != kNeeded.end();
  };
  return ParseStrictJson(body, keep).value_or(Json());
}

const Json* FindEntries(const Json& page) {
  const Json* data = FindMember(page, "data");
  return data != nullptr && data->is_array() ? data : nullptr;
}

class ListPages final : public cloud::CallSequence {
 public:
  [[nodiscard]] bool Take(cloud::PolicyCall& call, std::string& body) const override {
    const Json page = ReadPage(body);
    const Json* entries = FindEntries(page);
    if (entries == nullptr) return false;
    body = CompactJson(page);
    return AsksForNextPage(call.request.url, entries->size());
  }
};

const cloud::CallSequence& PagesOfList() {
  static const ListPages kPages;
  return kPages;
}

}  // namespace

const PrincipalList& RoleList() {
  static const PrincipalList kList = {"roles", "/api/v2/roles", "filter", "roles",
                                      "name",  "role",          "named",  25};
  return kList;
}

const PrincipalList& TeamList() {
  static const PrincipalList kList = {"teams",  "/api/v2/team", "filter%5Bkeyword%5D", "team",
                                      "handle", "team",         "with the handle",     100};
  return kList;
}

const PrincipalList& UserList() {
  static const PrincipalList kList = {
      "users", "/api/v2/users", "filter", "users", "email", "user", "with the e-mail address", 25};
  return kList;
}

cloud::PolicyCall BuildListCall(const PrincipalList& list, const std::string& base_url,
                                const std::string& key, std::chrono::milliseconds timeout) {
  const std::string url = base_url + std::string(list.path) + "?" + std::string(list.filter) + "=" +
                          cloud::EncodeSegment(key) + "&sort=name&" + FirstPage(list.page_size);
  cloud::PolicyCall read =
      DatadogCall(DatadogRequest("GET", url, "list"), std::string(list.service), timeout, key);
  read.sequence = &PagesOfList();
  return read;
}

Expected<std::vector<ListedPrincipal>> ParseListAnswer(const PrincipalList& list,
                                                       const cloud::PolicyCall& read,
                                                       const std::string& body) {
  std::vector<ListedPrincipal> listed;
  std::set<std::string> seen;
  for (const std::string_view text : manifests::Split(body, cloud::kAnswerSeparator)) {
    const Json page = ReadPage(text);
    const Json* entries = FindEntries(page);
    if (entries == nullptr) {
      return Fail(cloud::ShapeError(
          read.request, "something that is not a list of " + std::string(list.service)));
    }
    for (const Json& entry : *entries) {
      std::string id = StringMember(entry, "id");
      const Json* attributes = FindMember(entry, "attributes");
      const bool good = !id.empty() && StringMember(entry, "type") == list.type &&
                        attributes != nullptr && attributes->is_object();
      if (!good) {
        return Fail(cloud::ShapeError(
            read.request, "a list with something that is not a " + std::string(list.noun)));
      }
      if (seen.insert(id).second) listed.push_back({std::move(id), *attributes});
    }
  }
  return listed;
}

}  // namespace bindery::datadog
