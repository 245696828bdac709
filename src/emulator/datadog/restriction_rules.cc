#include "emulator/datadog/restriction_rules.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <vector>

namespace bindery::emulator {
namespace {

using BindingRefusal = std::optional<std::string>;

struct ResourceType {
  std::string_view name;
  std::vector<std::string_view> relations;  ///< Weakest first.
};

const std::vector<ResourceType>& Types() {
  static const std::vector<std::string_view> kUsual = {"viewer", "editor"};
  static const std::vector<ResourceType> kTypes = {
      {"dashboard", kUsual},
      {"notebook", kUsual},
      {"security-rule", kUsual},
      {"slo", kUsual},
      {"powerpack", kUsual},
      {"monitor", kUsual},
      {"synthetics-test", kUsual},
      {"synthetics-global-variable", kUsual},
      {"synthetics-private-location", kUsual},
      {"reference-table", kUsual},
      {"workflow", {"viewer", "runner", "editor"}},
      {"app-builder-app", kUsual},
      {"connection", {"viewer", "resolver", "editor"}},
      {"connection-group", kUsual},
      {"integration-webhook", kUsual},
      {"integration-service", kUsual},
      {"rum-application", kUsual},
      {"cross-org-connection", kUsual},
      {"spreadsheet", kUsual},
      {"network-path-config", kUsual},
      {"on-call-schedule", {"viewer", "overrider", "editor"}},
      {"on-call-escalation-policy", kUsual},
      {"on-call-team-routing-rules", kUsual},
      {"logs-pipeline", {"viewer", "processors_editor", "editor"}},
      {"case-management-project", {"viewer", "contributor", "manager"}},
      {"monitor-notification-rule", kUsual},
      {"status-page", {"viewer", "responder", "manager"}},
      {"feature-flag", {"viewer", "contributor", "editor"}},
  };
  return kTypes;
}

std::string_view GetType(std::string_view id) { return id.substr(0, id.find(':')); }

const ResourceType* FindType(std::string_view name) {
  for (const ResourceType& type : Types()) {
    if (type.name == name) return &type;
  }
  return nullptr;
}

std::string Invalid(const std::string& what) { return "Invalid request: " + what; }

std::string SortedList(const std::vector<std::string_view>& words) {
  std::set<std::string_view> sorted(words.begin(), words.end());
  std::string text;
  for (const std::string_view word : sorted) text += (text.empty() ? "" : ", ") + std::string(word);
  return text;
}

BindingRefusal RefusePrincipal(const std::string& principal, const std::string& relation) {
  constexpr std::array<std::string_view, 4> kTypes = {"org", "role", "team", "user"};
  const std::size_t colon = principal.find(':');
  if (colon == std::string::npos || colon == 0 || colon + 1 == principal.size()) {
    return Invalid("[PrincipalFormatInvalid] principal \"" + principal +
                   "\" is not in a valid format");
  }
  const std::string type = principal.substr(0, colon);
  if (std::find(kTypes.begin(), kTypes.end(), type) == kTypes.end()) {
    return Invalid("[PrincipalTypeInvalidForRelation] principal \"" + principal +
                   "\" is not supported by \"" + relation +
                   "\" relation, supported types: \"org, role, team, user\"");
  }
  return std::nullopt;
}

/// Takes a binding into `bindings`, in the order of the relations.
BindingRefusal TakeBinding(const ResourceType& type, const Json& binding,
                           std::vector<std::pair<std::string, std::set<std::string>>>& bindings) {
  const Json* members = FindMember(binding, "principals");
  const std::string relation = StringMember(binding, "relation");
  if (relation.empty()) return Invalid("missing required attribute \"relation\"");
  if (members == nullptr || !members->is_array()) {
    return Invalid("missing required attribute \"principals\"");
  }
  if (std::find(type.relations.begin(), type.relations.end(), relation) == type.relations.end()) {
    return Invalid("[RelationInvalidForResourceType] relation \"" + relation +
                   "\" is not supported by resource type \"" + std::string(type.name) +
                   "\", supported relations: \"" + SortedList(type.relations) + "\"");
  }
  auto into = std::find_if(bindings.begin(), bindings.end(),
                           [&](const auto& other) { return other.first == relation; });
  if (into == bindings.end()) into = bindings.insert(into, {relation, {}});
  for (const Json& member : *members) {
    if (!member.is_string()) return Invalid("a principal is not a string");
    const std::string& principal = member.get_ref<const std::string&>();
    if (auto refusal = RefusePrincipal(principal, relation)) return refusal;
    into->second.insert(principal);
  }
  return std::nullopt;
}

/// The caller's relation under the bindings. Nothing when it cannot be told.
struct Level {
  bool known = false;
  int rank = -1;  ///< Index into the relations; -1 for none.
};

Level GetLevel(const ResourceType& type, const Json& bindings,
               const std::vector<std::string>& caller) {
  const int top = static_cast<int>(type.relations.size()) - 1;
  if (bindings.empty()) return {true, top};
  for (int rank = top; rank >= 0; --rank) {
    for (const Json& binding : bindings) {
      if (StringMember(binding, "relation") != type.relations[static_cast<std::size_t>(rank)]) {
        continue;
      }
      bool others = false;
      for (const Json& principal : binding.at("principals")) {
        const std::string& text = principal.get_ref<const std::string&>();
        if (std::find(caller.begin(), caller.end(), text) != caller.end()) return {true, rank};
        others = others || text.rfind("user:", 0) != 0;
      }
      if (others) return {};  // A role or team the caller may be in.
    }
  }
  return {true, -1};
}

std::string RankName(const ResourceType& type, int rank) {
  return rank < 0 ? "none" : std::string(type.relations[static_cast<std::size_t>(rank)]);
}

}  // namespace

std::optional<std::string> RefuseId(const std::string& id) {
  const std::size_t colon = id.find(':');
  if (colon == std::string::npos || colon == 0 || colon + 1 == id.size()) {
    return "Invalid resource: '" + id + "' is not in a valid format";
  }
  return std::nullopt;
}

tl::expected<Json, std::string> ReadBindings(const std::string& id, const Json& document) {
  const ResourceType* type = FindType(GetType(id));
  if (type == nullptr) {
    return tl::unexpected("Invalid resource type: '" + std::string(GetType(id)) +
                          "' does not support restriction policies");
  }
  const Json* data = FindMember(document, "data");
  if (data == nullptr || !data->is_object()) {
    return tl::unexpected(Invalid("missing required attribute \"data\""));
  }
  if (StringMember(*data, "type") != "restriction_policy") {
    return tl::unexpected(Invalid("\"data.type\" must be \"restriction_policy\""));
  }
  if (StringMember(*data, "id").empty()) {
    return tl::unexpected(Invalid("missing required attribute \"data.id\""));
  }
  const Json* bindings = FindPath(*data, {"attributes", "bindings"});
  if (bindings == nullptr || !bindings->is_array()) {
    return tl::unexpected(Invalid("missing required attribute \"data.attributes.bindings\""));
  }
  std::vector<std::pair<std::string, std::set<std::string>>> read;
  for (const Json& binding : *bindings) {
    if (auto refusal = TakeBinding(*type, binding, read)) return tl::unexpected(*refusal);
  }
  Json kept = Json::array();
  for (const auto& [relation, principals] : read) {
    kept.push_back(Json{{"relation", relation}, {"principals", principals}});
  }
  return kept;
}

std::optional<std::string> RefuseLockout(const std::string& id, const Json& present,
                                         const Json& next, const std::vector<std::string>& caller) {
  const ResourceType* type = FindType(GetType(id));
  if (type == nullptr || caller.empty()) return std::nullopt;
  const Level before = GetLevel(*type, present, caller);
  const Level after = GetLevel(*type, next, caller);
  if (!before.known || !after.known || after.rank >= before.rank) return std::nullopt;
  return Invalid("users cannot decrease their own level of access (from " +
                 RankName(*type, before.rank) + " to " + RankName(*type, after.rank) + ")");
}

}  // namespace bindery::emulator
