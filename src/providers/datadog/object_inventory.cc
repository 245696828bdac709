// The restriction policies of all objects that Datadog lists: there is no list of policies.

#include <algorithm>
#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cloud/http_errors.h"
#include "cloud/policy_call.h"
#include "core/base/json_text.h"
#include "core/base/strict_json.h"
#include "providers/datadog/checks.h"
#include "providers/datadog/clients/api_call.h"
#include "providers/datadog/clients/restriction_policy_client.h"
#include "providers/datadog/object_lists.h"
#include "providers/datadog/provider.h"
#include "providers/datadog/schemas.h"
#include "providers/datadog/settings.h"
#include "providers/inventory_source.h"

namespace bindery::datadog {

const providers::InventorySource& DatadogInventory();

namespace {

/// The only scope: the organization of the keys.
constexpr const char* kWholeOrganization = "organization";
/// Entries of some lists are whole documents, as those of notebooks.
constexpr std::size_t kMostListBytes = 64U << 20U;
/// In InventoryPage::others.
constexpr const char* kOpen = "open";        ///< Objects without a restriction.
constexpr const char* kRefused = "refused";  ///< Objects whose policy is not shown to the caller.

/// The list of a step may need a permission that the keys do not have.
const std::vector<providers::InventoryStep>& StepsOfLists() {
  static const std::vector<providers::InventoryStep> kSteps = [] {
    std::vector<providers::InventoryStep> steps;
    for (const ObjectList& list : ObjectLists()) steps.push_back({list.words, false});
    return steps;
  }();
  return kSteps;
}

std::int64_t CountIn(const InventoryRecord& scan, const char* what) {
  const auto found = scan.others.find(what);
  return found == scan.others.end() ? 0 : found->second;
}

Expected<ListedObjects> ReadObjects(const cloud::Connection& connection, const ObjectList& list,
                                    const ObjectPlace& place, std::chrono::milliseconds timeout) {
  cloud::PolicyCall call = DatadogCall(
      DatadogRequest("GET", PageUrl(list, connection.BaseUrl(kDatadogService), place), "list"),
      std::string(list.type), timeout);
  call.request.max_response_bytes = kMostListBytes;
  const auto body = cloud::Send(call, *connection.transport, *connection.authorizer);
  if (!body) return Fail(body.error());
  const auto answer = ParseStrictJson(*body);
  auto objects = answer ? ObjectsIn(list, *answer, place) : std::nullopt;
  if (objects) return *std::move(objects);
  return Fail(cloud::ShapeError(call.request,
                                "something that is not a list of " + std::string(list.words)));
}

/// The bindings of a resource's policy; an empty list where there is none.
Expected<Json> ReadRestriction(const cloud::Connection& connection, const std::string& resource_id,
                               std::chrono::milliseconds timeout) {
  const auto call =
      RestrictionPolicyClient::BuildGet(connection.BaseUrl(kDatadogService), resource_id, timeout);
  if (!call) return Fail(call.error());
  const auto body = cloud::Send(*call, *connection.transport, *connection.authorizer);
  if (!body) return Fail(body.error());
  auto document = RestrictionPolicyClient::ParseResponse(*call, *body);
  if (!document) return document;
  const Json* bindings = FindPath(*document, {"data", "attributes", "bindings"});
  return bindings == nullptr ? Json::array() : *bindings;
}

/// The answer concerns this one object: the scan goes on without it.
bool IsAboutTheObject(Code code) {
  return code == Code::kPermissionDenied || code == Code::kNotFound ||
         code == Code::kInvalidArgument;
}

void KeepPolicy(const std::string& type, const std::string& resource_id, const Json& bindings,
                InventoryPage& page) {
  if (bindings.empty()) {
    ++page.others[kOpen];
    return;
  }
  page.policies.push_back({resource_id, type, RestrictionPolicySchema().token.kind, resource_id,
                           kWholeOrganization, CompactJson(bindings)});
}

class ObjectInventory final : public providers::InventorySource {
 public:
  [[nodiscard]] std::string_view provider_type() const override { return "monitoring"; }

  [[nodiscard]] Expected<std::string> ReadScope(const std::string& text) const override {
    if (text == kWholeOrganization) return text;
    return Fail(Code::kInvalidArgument, "\"" + text +
                                            "\" is no scope: write organization, for all objects "
                                            "that the keys reach");
  }

  [[nodiscard]] providers::InventoryPlan ComposePlan(
      const providers::ProviderConfig& config) const override {
    const auto& own = config.own.Of<DatadogSettings>();
    return {own.scan_scope, own.scan_interval};
  }

  [[nodiscard]] std::span<const providers::InventoryStep> Steps() const override {
    return StepsOfLists();
  }

  /// An interruption by a rate limit ends the page before the refused object: what was read is
  /// kept.
  [[nodiscard]] Expected<InventoryPage> Read(
      const cloud::Connection& connection,
      const providers::InventoryQuestion& question) const override {
    if (connection.BaseUrl(kDatadogService).empty()) {
      return Fail(Code::kUnimplemented, "the provider has no address");
    }
    const ObjectList& list = ObjectLists()[question.step];
    const auto place = ObjectPlace::Read(question.token);
    if (!place) return Fail(Code::kInvalidArgument, "no place in a list: " + question.token);
    const auto objects = ReadObjects(connection, list, *place, question.timeout);
    if (!objects) return Fail(objects.error());
    InventoryPage page;
    std::size_t done = 0;
    for (const std::string& id : objects->ids) {
      auto read = AddObject(connection, list, id, question.timeout, page);
      if (!read && done == 0) return Fail(read.error());
      if (!read) break;
      ++done;
    }
    if (done < objects->ids.size() || objects->more) {
      page.next = ObjectPlace{place->first + done, objects->ids[done - 1]}.ToToken();
    }
    return page;
  }

  [[nodiscard]] std::string JudgedAs() const override {
    return RestrictionPolicySchema().token.kind;
  }
  [[nodiscard]] std::chrono::hours MayBeOld() const override { return std::chrono::hours(0); }
  [[nodiscard]] bool IsWholeAccount() const override { return true; }

  [[nodiscard]] std::vector<std::string> NotLookedAt(const InventoryRecord& scan) const override {
    return {
        "objects without a restriction policy, open to everybody whose role has the "
        "permission: " +
            std::to_string(CountIn(scan, kOpen)),
        "objects whose restriction policy the service does not show to these keys: " +
            std::to_string(CountIn(scan, kRefused)),
        "permissions of roles, and members of roles and teams",
        "datasets and restriction queries of logs without a manifest", TypesWithoutList()};
  }

 private:
  static Expected<void> AddObject(const cloud::Connection& connection, const ObjectList& list,
                                  const std::string& id, std::chrono::milliseconds timeout,
                                  InventoryPage& page) {
    if (!id.starts_with(list.prefix)) return {};
    const std::string resource_id = std::string(list.type) + ":" + id;
    const auto bindings = ReadRestriction(connection, resource_id, timeout);
    if (bindings) {
      KeepPolicy(std::string(list.type), resource_id, *bindings, page);
    } else if (IsAboutTheObject(bindings.error().code)) {
      ++page.others[kRefused];
    } else {
      return Fail(bindings.error());
    }
    return {};
  }

  static std::string TypesWithoutList() {
    std::string text = "types of objects that are not listed:";
    for (const RestrictableType& known : RestrictableTypes()) {
      const bool listed = std::ranges::any_of(
          ObjectLists(), [&](const ObjectList& list) { return list.type == known.type; });
      if (!listed) text += " " + std::string(known.type);
    }
    return text;
  }
};

}  // namespace

const providers::InventorySource& DatadogInventory() {
  static const ObjectInventory kInventory;
  return kInventory;
}

}  // namespace bindery::datadog
