#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "core/text/digest.h"
#include "core/text/time_text.h"
#include "emulator/google/privileged_access.h"
#include "emulator/google/resource_name.h"
#include "emulator/seed.h"
#include "emulator/seed_nodes.h"
#include "yaml/node.h"

namespace bindery::emulator {
namespace {

using yaml::Node;
using yaml::NodeKind;

constexpr std::string_view kHost = "//cloudresourcemanager.googleapis.com/";
constexpr std::array<std::string_view, 15> kStates = {
    "APPROVAL_AWAITED", "DENIED",   "SCHEDULED", "ACTIVATING", "ACTIVE",      "ACTIVATION_FAILED",
    "EXPIRED",          "REVOKING", "REVOKED",   "ENDED",      "WITHDRAWING", "WITHDRAWN"};

/// "cloudresourcemanager.googleapis.com/Project" of "projects/acme"; empty where it has no grants.
std::string GetContainerType(std::string_view container) {
  const std::string_view collection = container.substr(0, container.find('/'));
  if (collection.size() == container.size() ||
      container.find('/', collection.size() + 1) != std::string_view::npos) {
    return "";
  }
  const std::string_view name = collection == "projects"        ? "Project"
                                : collection == "folders"       ? "Folder"
                                : collection == "organizations" ? "Organization"
                                                                : "";
  return name.empty() ? "" : "cloudresourcemanager.googleapis.com/" + std::string(name);
}

/// The resource of a grant: "projects/acme".
std::string ContainerOfSeed(const Node& item) {
  const std::string resource = Field(item, {"resource"}, true);
  std::string container =
      resource.starts_with(kHost) ? resource.substr(kHost.size()) : std::string();
  if (GetContainerType(container).empty()) {
    FaultAt(item, "resource: \"" + resource +
                      "\" is not the full name of a project, folder or organization such as " +
                      std::string(kHost) + "projects/acme");
  }
  constexpr std::string_view kProjects = "projects/";
  if (container.starts_with(kProjects) &&
      container.find_first_not_of("0123456789", kProjects.size()) == std::string::npos) {
    FaultAt(item, "resource: \"" + resource + "\" has the number of a project: write the id");
  }
  return container;
}

std::string StateIn(const Node& item) {
  std::string state = Field(item, {"state"}, false);
  if (state.empty()) return "ACTIVE";
  if (std::ranges::find(kStates, state) == kStates.end()) {
    FaultAt(*item.Find("state"), "state: \"" + state + "\" is no state of a grant");
  }
  return state;
}

/// "user:ana@example.com": who holds the bindings of the grant.
std::string MemberIn(const Node& item) {
  std::string member = Field(item, {"requester"}, true);
  if (member.find(':') == std::string::npos) member = "user:" + member;
  return member;
}

/// The part of an entitlement's name that may be its id.
std::string MakeEntitlementId(std::string role) {
  std::ranges::replace_if(
      role, [](char c) { return c == '/' || c == '.' || c == '_'; }, '-');
  return role;
}

Json AccessTo(const std::string& container, const std::string& role, const std::string& condition) {
  Json binding = {{"role", role}};
  if (!condition.empty()) binding["conditionExpression"] = condition;
  return Json{{"gcpIamAccess", Json{{"resourceType", GetContainerType(container)},
                                    {"resource", std::string(kHost) + container},
                                    {"roleBindings", Json::array({std::move(binding)})}}}};
}

}  // namespace

std::string ShowRequester(const std::string& member) {
  return member.starts_with("principal:") ? member : member.substr(member.find(':') + 1);
}

Entry ReadEntitlement(const Node& item) {
  NeedKind(item, NodeKind::kMap, "privilegedAccessEntitlements");
  const std::string name = Field(item, {"name"}, true);
  if (name.find("/locations/global/entitlements/") == std::string::npos) {
    FaultAt(item, "name: \"" + name +
                      "\" is not a full name such as "
                      "projects/acme/locations/global/entitlements/storage-admin");
  }
  Json value = ToJson(item);
  if (!value.contains("state")) value["state"] = "AVAILABLE";
  return {std::string(section::kEntitlements), name, std::move(value)};
}

Entry ReadPrivilegedGrant(const Node& item) {
  NeedKind(item, NodeKind::kMap, "privilegedAccessGrants");
  // In the form of a dump.
  if (item.Find("privilegedAccess") != nullptr) {
    return {std::string(section::kPrivilegedGrants), Field(item, {"name"}, true), ToJson(item)};
  }
  RefuseUnknown(item, {"resource", "role", "requester", "endTime", "state", "condition"});
  const std::string container = ContainerOfSeed(item);
  const std::string role = Field(item, {"role"}, true);
  const std::string member = MemberIn(item);
  const std::string end = Field(item, {"endTime"}, true);
  if (!ParseRfc3339(end)) {
    FaultAt(*item.Find("endTime"),
            "endTime: \"" + end + "\" is not a time such as 2030-01-01T00:00:00Z");
  }
  constexpr std::size_t kDigits = 32;
  const std::string name =
      container + "/locations/global/entitlements/" + MakeEntitlementId(role) + "/grants/" +
      Sha256Hex(container + "\n" + role + "\n" + member + "\n" + end).substr(0, kDigits);
  Json value = {{"name", name},
                {"requester", ShowRequester(member)},
                {"state", StateIn(item)},
                {"privilegedAccess", AccessTo(container, role, Field(item, {"condition"}, false))},
                {"member", member},
                {"endTime", end}};
  return {std::string(section::kPrivilegedGrants), name, std::move(value)};
}

Entry ResourceOfGrant(const Entry& grant) {
  const Json* resource = FindPath(grant.value, {"privilegedAccess", "gcpIamAccess", "resource"});
  const std::string full_name =
      resource != nullptr && resource->is_string() ? resource->get<std::string>() : "";
  const auto name = ParseFullName(full_name);
  if (!name) return {};
  return {std::string(name->section), MakeKey(*name->row, name->name),
          Json{{"document", Json::object()}}};
}

}  // namespace bindery::emulator
