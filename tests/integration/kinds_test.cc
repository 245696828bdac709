// Every row of the table, from manifest to removal, on the embedded cloud.

#include <algorithm>
#include <functional>
#include <set>

#include "emulator/google/resource_name.h"
#include "integration/world.h"
#include "support/iam_names.h"

namespace bindery::testing {
namespace {

constexpr const char* kGrantedRole = "roles/browser";
constexpr const char* kMember = "user:ana@example.com";
constexpr const char* kOther = "user:kept@example.com";

/// A resource of a row.
struct Resource {
  const google::IamRow* row = nullptr;
  std::string name;
  std::string manifest;  ///< Its name.

  [[nodiscard]] std::string FullName() const { return "//" + std::string(row->host) + "/" + name; }
  /// How the cloud keeps its policy.
  [[nodiscard]] std::string Key() const { return emulator::MakeKey(*row, name); }
};

/// One of each form of each row's names. Rows that share their policies name different ones.
std::vector<Resource> AllResources(const std::function<bool(const google::IamRow&)>& has) {
  std::vector<Resource> resources;
  for (const google::IamRow& row : google::IamRows()) {
    if (!has(row)) continue;
    for (std::string name : SampleNames(row)) {
      if (!row.policy_of.empty()) name += "-2";
      resources.push_back({&row, name, "r" + std::to_string(resources.size())});
    }
  }
  return resources;
}

Json GrantsAsBindings(const std::vector<std::pair<std::string, std::string>>& grants) {
  Json bindings = Json::array();
  for (const auto& [role, member] : grants) {
    bindings.push_back({{"role", role}, {"members", {member}}});
  }
  return {{"bindings", bindings}};
}

/// The two kinds of the interface replace whole policies; others keep roles that nobody declares.
bool Replaces(const Resource& resource) {
  return resource.row->id == "networksecurity/v1:AuthorizationPolicy" ||
         resource.row->id == "backupdr/v1:ManagementServer";
}

/// What the cloud holds before anybody declared anything.
std::string MakeSeed(const std::vector<Resource>& resources) {
  Json policies = Json::object();
  for (const Resource& resource : resources) {
    policies[resource.FullName()] = GrantsAsBindings({{"roles/viewer", kOther}});
  }
  return Json{{"iamPolicies", policies}}.dump();
}

/// What becomes of a role that nobody declares.
enum class Others { kStay, kStayButOnTheInterface, kGo };

/// What is declared of each resource, and what then holds.
struct DeclaredShape {
  const char* suffix;                 ///< Of the kinds.
  Json (*spec)();                     ///< Without the name.
  bool (*holds)(const Json& policy);  ///< It is as declared.
  Others others;
  bool goes_with_manifest;
  bool (*has)(const google::IamRow& row);  ///< The row has such a kind.
};

void PrintTo(const DeclaredShape& shape, std::ostream* out) { *out << shape.suffix; }

bool Holds(const Json& policy, const char* role, const char* member) {
  const Json& bindings = policy.at("bindings");
  return std::any_of(bindings.begin(), bindings.end(), [&](const Json& binding) {
    return binding.at("role") == role && binding.at("members") == Json{member};
  });
}

bool HoldsRole(const Json& policy) { return Holds(policy, kGrantedRole, kMember); }

bool IsLogged(const Json& policy) {
  const Json configs = policy.value("auditConfigs", Json::array());
  return configs.size() == 1 && configs.at(0).at("auditLogConfigs").size() == 1;
}

bool Always(const google::IamRow& /*row*/) { return true; }

const DeclaredShape kShapes[] = {
    {"IamBinding",
     [] {
       return Json{{"role", kGrantedRole}, {"members", {kMember}}};
     },
     HoldsRole, Others::kStayButOnTheInterface, true, Always},
    {"IamMember",
     [] {
       return Json{{"role", kGrantedRole}, {"member", kMember}};
     },
     HoldsRole, Others::kStayButOnTheInterface, true, Always},
    {"IamPolicy",
     [] {
       return Json{{"bindings", Json::array({{{"role", kGrantedRole}, {"members", {kMember}}},
                                             {{"role", "roles/writer"}, {"members", {kOther}}}})}};
     },
     [](const Json& policy) { return HoldsRole(policy) && Holds(policy, "roles/writer", kOther); },
     Others::kGo, false, Always},
    {"IamAuditConfig",
     [] {
       return Json{{"service", "allServices"},
                   {"auditLogConfigs", Json::array({{{"logType", "ADMIN_READ"}}})}};
     },
     IsLogged, Others::kStay, true, [](const google::IamRow& row) { return row.audit_configs; }},
};

std::string Manifests(const DeclaredShape& shape, const std::vector<Resource>& resources) {
  std::string text;
  for (const Resource& resource : resources) {
    const std::string module(resource.row->id.substr(0, resource.row->id.find(':')));
    Json spec = {{"name", resource.name}};
    spec.update(shape.spec());
    text += Json{{"apiVersion", "cloudnative:" + module},
                 {"kind", std::string(resource.row->kind) + shape.suffix},
                 {"metadata", {{"name", resource.manifest}}},
                 {"spec", std::move(spec)}}
                .dump() +
            "\n---\n";
  }
  return text;
}

/// The real program against the embedded cloud, which serves each service under its host.
class KindsTest : public ::testing::TestWithParam<DeclaredShape> {
 protected:
  KindsTest() {
    std::string endpoints;
    for (const google::IamRow& row : google::IamRows()) {
      const std::string service(row.service);
      if (endpoints.find("{" + service + ":") != std::string::npos) continue;
      if (endpoints.find(" " + service + ":") != std::string::npos) continue;
      endpoints += (endpoints.empty() ? "{" : ", ") + service + ": \"" + world_.CloudUrl() + "/" +
                   std::string(row.host) + "\"";
    }
    world_.dir().Write("bindery.yaml", R"(
manifests: {directory: manifests, rescanInterval: 1s, debounce: 50ms, settle: 0s}
store: {url: "sqlite:state/bindery.db"}
server: {listen: "127.0.0.1:0", socket: bindery.sock}
guard: {maxRemovedGrants: 100000, maxRemovedFraction: 1, holdSeverity: none}
reconcile: {interval: 1s}
providers: {cloudnative: {type: cloudnative, project: acme, endpoints: )" +
                                           endpoints + "}}}\n");
  }

  /// The policy of each resource, by full name or, for the interface's, by name.
  [[nodiscard]] Json Policies() const {
    const Json seed = *ParseJson(world_.Cloud("GET", "/_emulator/seed").body);
    Json policies = seed.at("iamPolicies");
    for (const char* section : {"authorizationPolicies", "managementServers"}) {
      for (const Json& item : seed.at(section)) {
        policies[item.at("name").get<std::string>()] = item.at("policy");
      }
    }
    return policies;
  }

  /// The resources on which what is declared does not hold, or on which a role that nobody
  /// declares is not as it should be.
  [[nodiscard]] std::vector<std::string> Wrong(bool declared) const {
    const Json policies = Policies();
    std::vector<std::string> wrong;
    for (const Resource& resource : resources_) {
      const std::string key = resource.Key();
      const Json& policy = policies.at(key);
      const Others others = GetParam().others;
      const bool keeps = others == Others::kStay ||
                         (others == Others::kStayButOnTheInterface && !Replaces(resource));
      const bool good =
          GetParam().holds(policy) == declared && Holds(policy, "roles/viewer", kOther) == keeps;
      if (!good) wrong.push_back(key);
    }
    return wrong;
  }

  /// Everybody who was granted something by us loses it, behind the daemon's back.
  void TakeAwayInTheCloud() const {
    const HttpResult result = world_.Cloud("PUT", "/_emulator/seed", MakeSeed(resources_));
    ASSERT_EQ(result.status, 200) << result.body;
  }

  const std::vector<Resource> resources_ = AllResources(GetParam().has);
  World world_{MakeSeed(resources_)};
};

TEST_P(KindsTest, EveryKindIsPlannedWrittenReadRepairedAndTakenAway) {
  const DeclaredShape& shape = GetParam();
  // Something stays when all else goes: an empty directory changes nothing.
  world_.dir().Write("manifests/stays.yaml",
                     Manifests(shape, {{resources_[0].row, resources_[0].name, "stays"}}));
  world_.dir().Write("manifests/all.yaml",
                     Manifests(shape, {resources_.begin() + 1, resources_.end()}));
  const Json plan = world_.RunJson({"plan"});
  EXPECT_EQ(plan.at("summary").at("targets"), resources_.size());
  EXPECT_GE(plan.at("summary").at("adds").get<std::size_t>(), resources_.size());

  world_.StartDaemon();
  world_.Eventually("all is written", [&] { return Wrong(true).empty(); });
  for (const Resource& resource : resources_) {
    if (resource.manifest == "r0") continue;
    world_.Eventually(resource.FullName(), [&] { return world_.IsReady(resource.manifest); });
  }

  TakeAwayInTheCloud();
  world_.Eventually("all is repaired", [&] { return Wrong(true).empty(); });
  world_.Eventually("all is on record as foreign", [&] {
    const Json items = world_.RunJson({"drift", "--all"}).at("items");
    std::set<std::string> targets;
    for (const Json& item : items) {
      if (item.at("cause") == "foreign" && item.at("class") == "missing") {
        targets.insert(StringMember(item, "kind") + " " + StringMember(item, "target"));
      }
    }
    return targets.size() == resources_.size();
  });

  std::filesystem::remove(world_.dir().path() / "manifests/all.yaml");
  world_.Eventually("all is forgotten but what is still declared",
                    [&] { return world_.RunJson({"get"}).at("resources").size() == 1; });
  const bool stays = !shape.goes_with_manifest;
  EXPECT_EQ(Wrong(false).size(), stays ? resources_.size() : 1U);
}

INSTANTIATE_TEST_SUITE_P(OfEachRow, KindsTest, ::testing::ValuesIn(kShapes),
                         [](const auto& shape) { return std::string(shape.param.suffix); });

}  // namespace
}  // namespace bindery::testing
