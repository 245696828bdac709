#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "integration/world.h"

namespace bindery::testing {

inline constexpr const char* kRole = "roles/storage.admin";
inline constexpr const char* kOnCall = "user:oncall@example.com";
inline constexpr const char* kGroup = "group:storage-admins@example.com";
inline constexpr const char* kEnd = "2030-01-01T00:00:00Z";

/// A project with an owner and the declared group.
inline std::string ProjectSeedOf(const std::string& project) {
  return "  //cloudresourcemanager.googleapis.com/projects/" + project +
         ":\n    bindings:\n      - {role: roles/owner, members: [\"user:root@example.com\"]}\n"
         "      - {role: roles/storage.admin, members: [\"" +
         kGroup + "\"]}\n";
}

inline std::string ProjectManifestOf(const std::string& kind, const std::string& project,
                                     const std::string& spec, const std::string& rest = "") {
  return "apiVersion: cloudnative:cloudresourcemanager/v3\nkind: " + kind +
         "\nmetadata: {name: m-" + project + "}\nspec:\n  name: projects/" + project + "\n" + spec +
         rest;
}

inline std::string BindingOf(const std::string& project, const std::string& rest = "") {
  return ProjectManifestOf("ProjectIamBinding", project,
                           std::string("  role: ") + kRole + "\n  members: [\"" + kGroup + "\"]\n",
                           rest);
}

/// "ROLE MEMBER EXPRESSION", of the conditional grants titled as those of the service.
using Access = std::set<std::string>;

inline std::string ExpressionOf(const std::string& end) {
  return "request.time < timestamp(\"" + end + "\")";
}

class JustInTime : public ::testing::Test {
 protected:
  static std::string SeededGrant(const std::string& project) {
    return "privilegedAccessGrants:\n  - {resource: "
           "//cloudresourcemanager.googleapis.com/projects/" +
           project + ", role: " + kRole + ", requester: \"" + kOnCall + "\", endTime: " + kEnd +
           ", state: ACTIVE}\n";
  }
  void Begin(const std::string& seed, const std::string& settings = kSettings) {
    world_ = std::make_unique<World>(seed, settings);
  }

  [[nodiscard]] Json RecordPolicy(const std::string& project) const {
    const HttpResult result = world_->Cloud("POST", "/v3/projects/" + project + ":getIamPolicy",
                                            R"({"options": {"requestedPolicyVersion": 3}})");
    return ParseJson(result.body).value_or(Json::object());
  }
  void WriteTo(const std::string& project, const Json& policy) const {
    const HttpResult result = world_->Cloud("POST", "/v3/projects/" + project + ":setIamPolicy",
                                            Json{{"policy", policy}}.dump());
    ASSERT_EQ(result.status, 200) << result.body;
  }
  /// As anybody who may write the policy can.
  void AddByHand(const std::string& project, const std::string& member, const std::string& end,
                 const std::string& title = "Created by: PAM") const {
    Json policy = RecordPolicy(project);
    policy["version"] = 3;
    policy["bindings"].push_back(
        Json{{"role", kRole},
             {"members", {member}},
             {"condition", Json{{"title", title}, {"expression", ExpressionOf(end)}}}});
    WriteTo(project, policy);
  }
  [[nodiscard]] Access AccessIn(const std::string& project) const {
    Access access;
    for (const Json& binding : RecordPolicy(project).value("bindings", Json::array())) {
      if (!binding.contains("condition")) continue;
      for (const Json& member : binding.at("members")) {
        access.insert(StringMember(binding, "role") + " " + member.get<std::string>() + " " +
                      StringMember(binding.at("condition"), "expression"));
      }
    }
    return access;
  }
  static std::string Held(const std::string& member, const std::string& end = kEnd) {
    return std::string(kRole) + " " + member + " " + ExpressionOf(end);
  }

  [[nodiscard]] Json Drift() const { return world_->RunJson({"drift"}); }
  [[nodiscard]] std::int64_t Count(const char* name) const {
    return Drift().at("summary").at(name).get<std::int64_t>();
  }
  [[nodiscard]] std::vector<Json> ListItems(const std::string& drift_class) const {
    std::vector<Json> items;
    const Json drift = Drift();
    for (const Json& item : drift.at("items")) {
      if (item.at("class") == drift_class) items.push_back(item);
    }
    return items;
  }
  void Check(const std::string& name) const { std::ignore = world_->Run({"reconcile", name}); }

  inline static const std::string kSettings =
      "reconcile: {interval: 1s, confirmEmptied: 0s}\nguard: {window: 60s, maxRemovedFraction: 1, "
      "maxRemovedGrants: 10000, "
      "maxRemovedFromContainers: 10000, holdSeverity: none}\n";
  std::unique_ptr<World> world_;
};

}  // namespace bindery::testing
