#include "emulator/datadog/restriction_queries_api.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "emulator/datadog/api.h"
#include "emulator/datadog/list.h"
#include "emulator/datadog/listed_entries.h"
#include "emulator/datadog/restriction_queries.h"

namespace bindery::emulator {
namespace {

constexpr std::string_view kSection = section::kRestrictionQueries;

httpd::Response NoSuchQuery(const std::string& id) {
  return DatadogError(404, "Not found: no restriction query has the id \"" + id + "\"");
}

httpd::Response NoSuchPrincipal(const std::string& what, const std::string& id) {
  return DatadogError(404, "Not found: no " + what + " has the id \"" + id + "\"");
}

std::optional<Json> FindPrincipal(Cloud& cloud, std::string_view section, const std::string& id) {
  for (Json& each : cloud.WithPrincipals([&](const auto& known) { return known.List(section); })) {
    if (StringMember(each, "id") == id) return std::move(each);
  }
  return std::nullopt;
}

/// Entries of a list of queries do not tell the roles.
Json WithoutRoles(Json data) {
  data.erase("relationships");
  return data;
}

std::vector<std::string> RolesOfQuery(const Json& data) {
  std::vector<std::string> roles;
  const Json* listed = FindPath(data, {"relationships", "roles", "data"});
  if (listed == nullptr) return roles;
  for (const Json& role : *listed) roles.push_back(StringMember(role, "id"));
  return roles;
}

bool HasAnyRole(const Json& data, const std::vector<std::string>& roles) {
  return std::ranges::any_of(RolesOfQuery(data), [&](const std::string& role) {
    return std::ranges::find(roles, role) != roles.end();
  });
}

httpd::Response Listed(std::vector<Json> entries, const httpd::Request& request) {
  auto document = OnePage(std::move(entries), request);
  if (!document) return DatadogError(400, document.error());
  return DatadogAnswer(200, *document);
}

httpd::Response QueriesOfRoles(const Json& list, const std::vector<std::string>& roles) {
  Json data = Json::array();
  for (const Json& query : list) {
    if (HasAnyRole(query, roles)) data.push_back(WithoutRoles(query));
  }
  return DatadogAnswer(200, Json{{"data", std::move(data)}});
}

httpd::Response OfRole(Cloud& cloud, const Json& list, const std::string& id) {
  if (!FindPrincipal(cloud, section::kRoles, id)) return NoSuchPrincipal("role", id);
  return QueriesOfRoles(list, {id});
}

httpd::Response OfUser(Cloud& cloud, const Json& list, const std::string& id) {
  const auto user = FindPrincipal(cloud, section::kUsers, id);
  if (!user) return NoSuchPrincipal("user", id);
  return QueriesOfRoles(list, RolesOfQuery(*user));
}

std::vector<Json> ListNamedRoles(Cloud& cloud, const Json& data) {
  std::vector<Json> roles;
  for (const std::string& id : RolesOfQuery(data)) {
    const auto role = FindPrincipal(cloud, section::kRoles, id);
    const std::string name = role ? StringMember(role->at("attributes"), "name") : "";
    roles.push_back({{"type", "roles"}, {"id", id}, {"attributes", {{"name", name}}}});
  }
  return roles;
}

/// The query with its roles, with names.
httpd::Response Get(Cloud& cloud, const Json& data) {
  return DatadogAnswer(200, Json{{"data", data}, {"included", ListNamedRoles(cloud, data)}});
}

/// Changes the entry by `edit`. The answer is `answer` of the stored entry.
httpd::Response Edit(Cloud& cloud, const std::string& id, const std::function<void(Json&)>& edit,
                     const std::function<httpd::Response(const Json&)>& answer) {
  bool found = false;
  const auto stored =
      cloud.WriteListed(kSection, id, [&](const Json& /*list*/, const Json* present) {
        found = present != nullptr;
        if (!found) return std::optional<Json>();
        Json value = *present;
        edit(value);
        return std::optional<Json>(std::move(value));
      });
  if (!stored) return DatadogError(500, stored.error().message);
  return found ? answer(*stored) : NoSuchQuery(id);
}

httpd::Response NoContent(const Json& /*stored*/) { return DatadogAnswer(204, Json()); }

httpd::Response WithoutItsRoles(const Json& stored) {
  return DatadogAnswer(200, Json{{"data", WithoutRoles(stored)}});
}

httpd::Response Store(Cloud& cloud, const Call& call, const Json& document) {
  const auto text = ReadRestrictionQuery(document);
  if (!text) return DatadogError(400, text.error());
  if (call.verb != Call::Verb::kPost) {
    return Edit(
        cloud, call.target, [&](Json& value) { value["query"] = *text; }, WithoutItsRoles);
  }
  const std::string id = cloud.NewListedId(kSection, *text);
  const auto stored =
      cloud.WriteListed(kSection, id, [&](const Json& /*list*/, const Json* /*present*/) {
        return std::optional<Json>(Json{{"query", *text}, {"roles", Json::array()}});
      });
  if (!stored) return DatadogError(500, stored.error().message);
  return WithoutItsRoles(*stored);
}

httpd::Response ChangeRoles(Cloud& cloud, const Call& call, const Json& document) {
  const auto role = ReadRoleOfQuery(document);
  if (!role) return DatadogError(400, role.error());
  if (!FindPrincipal(cloud, section::kRoles, *role)) return NoSuchPrincipal("role", *role);
  const bool add = call.verb == Call::Verb::kPost;
  const auto edit = [&](Json& value) {
    Json kept = Json::array();
    for (const Json& each : value.at("roles")) {
      if (each != *role) kept.push_back(each);
    }
    if (add) kept.push_back(*role);
    value["roles"] = std::move(kept);
  };
  return Edit(cloud, call.target, edit, NoContent);
}

}  // namespace

httpd::Response ServeRestrictionQueries(Cloud& cloud, const Call& call,
                                        const httpd::Request& request, Staleness staleness) {
  const bool roles = call.verb != Call::Verb::kList && call.operation.ends_with("Role");
  const bool sends = call.verb == Call::Verb::kPost || call.verb == Call::Verb::kPut;
  if (sends || roles) {
    const auto document = ParseJson(request.body);
    if (!document) return DatadogError(400, "Invalid request: the body is not valid JSON");
    return roles ? ChangeRoles(cloud, call, *document) : Store(cloud, call, *document);
  }
  if (call.verb == Call::Verb::kDelete) {
    return Edit(
        cloud, call.target,
        [](Json& value) {
          value = Json{{"deleted", true}};
        },
        NoContent);
  }
  const Json list = cloud.ReadListed(kSection, staleness);
  if (call.operation == kQueriesOfRole) return OfRole(cloud, list, call.target);
  if (call.operation == kQueriesOfUser) return OfUser(cloud, list, call.target);
  if (call.verb == Call::Verb::kList && call.target.empty()) {
    std::vector<Json> entries;
    for (const Json& data : list) entries.push_back(WithoutRoles(data));
    return Listed(std::move(entries), request);
  }
  const Json* data = FindListed(list, call.target);
  if (data == nullptr) return NoSuchQuery(call.target);
  return call.verb == Call::Verb::kList ? Listed(ListNamedRoles(cloud, *data), request)
                                        : Get(cloud, *data);
}

}  // namespace bindery::emulator
