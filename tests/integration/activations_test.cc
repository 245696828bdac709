// A thousand activations over all shapes of manifests, under both keys of bindings.

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "integration/just_in_time.h"

namespace bindery::testing {
namespace {

/// What one round of activations is made of.
struct Wave {
  std::string project;
  std::string requester;  ///< "user:u1@example.com"
  std::string name = {};  ///< Of the grant.
  std::string access = {};
};

/// Two worlds, by the key of bindings; in each four projects, by the shape of their manifest. In
/// rounds: grants are activated, some are revoked, and copies of the revoked ones are written by
/// hand.
class Activations : public JustInTime, public ::testing::WithParamInterface<const char*> {
 protected:
  static constexpr const char* kProjects[] = {"binding", "member", "policy", "adopted"};
  static constexpr int kUsers = 32;  ///< Of each project, in a round.
  static constexpr int kRounds = 4;

  void SetUp() override {
    std::string seed = "iamPolicies:\n";
    for (const char* project : kProjects) seed += ProjectSeedOf(project);
    Begin(seed, std::string("reconcile: {interval: 1s, confirmEmptied: 0s, bindingKey: ") +
                    GetParam() +
                    "}\nguard: {window: 60s, maxRemovedFraction: 1, maxRemovedGrants: 10000, "
                    "maxRemovedFromContainers: 10000, holdSeverity: none}\n");
    const World& world = *world_;
    world.dir().Write("manifests/binding.yaml", BindingOf("binding"));
    world.dir().Write("manifests/adopted.yaml",
                      BindingOf("adopted", std::string("options: {import: \"projects/adopted ") +
                                               kRole + "\"}\n"));
    world.dir().Write(
        "manifests/member.yaml",
        ProjectManifestOf("ProjectIamMember", "member",
                          std::string("  role: ") + kRole + "\n  member: " + kGroup + "\n"));
    world.dir().Write(
        "manifests/policy.yaml",
        ProjectManifestOf("ProjectIamPolicy", "policy",
                          std::string("  bindings:\n    - {role: roles/owner, members: "
                                      "[\"user:root@example.com\"]}\n    - {role: ") +
                              kRole + ", members: [\"" + kGroup + "\"]}\n"));
    for (const char* project : kProjects) {
      for (int user = 0; user < kUsers; ++user) MakeEntitlement(project, user);
    }
  }

  static std::string UserOf(int user) { return "user:u" + std::to_string(user) + "@example.com"; }

  void MakeEntitlement(const std::string& project, int user) const {
    const Json body = {
        {"maxRequestDuration", "86400s"},
        {"eligibleUsers", Json::array({Json{{"principals", {UserOf(user)}}}})},
        {"privilegedAccess",
         Json{{"gcpIamAccess",
               Json{{"resourceType", "cloudresourcemanager.googleapis.com/Project"},
                    {"resource", "//cloudresourcemanager.googleapis.com/projects/" + project},
                    {"roleBindings", Json::array({Json{{"role", kRole}}})}}}}}};
    const HttpResult made =
        world_->Cloud("POST",
                      "/v1/projects/" + project + "/locations/global/entitlements?entitlementId=e" +
                          std::to_string(user),
                      body.dump());
    ASSERT_EQ(made.status, 200) << made.body;
  }

  Wave Activate(const std::string& project, int user, int round) const {
    Wave wave{project, UserOf(user)};
    const std::string duration = std::to_string(3600 + 60 * round + user) + "s";
    const HttpResult made =
        world_->Cloud("POST",
                      "/v1/projects/" + project + "/locations/global/entitlements/e" +
                          std::to_string(user) + "/grants",
                      Json{{"requestedDuration", duration}}.dump());
    EXPECT_EQ(made.status, 200) << made.body;
    wave.name = StringMember(ParseJson(made.body).value_or(Json::object()), "name");
    for (const std::string& access : AccessIn(project)) {
      if (access.find(" " + wave.requester + " ") != std::string::npos) wave.access = access;
    }
    EXPECT_FALSE(wave.access.empty());
    return wave;
  }

  void Revoke(const Wave& wave) const {
    EXPECT_EQ(world_->Cloud("POST", "/v1/" + wave.name + ":revoke", "{}").status, 200);
  }

  /// As it was written when the grant was active.
  void CopyByHand(const Wave& wave) const {
    const std::string before = "timestamp(\"";
    const auto from = wave.access.find(before) + before.size();
    AddByHand(wave.project, wave.requester,
              wave.access.substr(from, wave.access.find('"', from) - from));
  }

  void CheckAll() const {
    for (const char* project : kProjects) Check(std::string("m-") + project);
  }

  /// What the active grants of that round have.
  static std::map<std::string, Access> ByProject(const std::vector<Wave>& waves) {
    std::map<std::string, Access> by_project;
    for (const char* project : kProjects) by_project[project];
    for (const Wave& wave : waves) by_project[wave.project].insert(wave.access);
    return by_project;
  }
  [[nodiscard]] std::map<std::string, Access> There() const {
    std::map<std::string, Access> there;
    for (const char* project : kProjects) there[project] = AccessIn(project);
    return there;
  }
  /// "PROJECT MEMBER" of what was told as drift, corrected or not.
  [[nodiscard]] std::set<std::string> Told() const {
    std::set<std::string> told;
    for (const Json& item : ListItems("undeclared")) {
      told.insert(StringMember(item, "target") + " " + StringMember(item.at("grant"), "member"));
    }
    return told;
  }
  /// A copy goes where the manifest has the role to itself: an …IamMember leaves others alone, and
  /// so does a binding of one condition.
  [[nodiscard]] static bool IsRepaired(const std::string& project) {
    const bool by_condition = std::string(GetParam()) == "roleAndCondition";
    return project == "policy" || (project != "member" && !by_condition);
  }

  void Round(int round) {
    std::vector<Wave> active;
    for (const char* project : kProjects) {
      for (int user = 0; user < kUsers; ++user) active.push_back(Activate(project, user, round));
    }
    CheckAll();
    EXPECT_EQ(There(), ByProject(active)) << "an active grant was removed";
    EXPECT_EQ(Count("open"), 0);
    world_->Eventually(
        "listed", [&] { return Count("justInTime") == static_cast<std::int64_t>(active.size()); });
    // A third is revoked early, and of each project one is copied by hand.
    std::vector<Wave> revoked;
    std::vector<Wave> left;
    for (std::size_t i = 0; i < active.size(); ++i) {
      (i % 3 == 0 ? revoked : left).push_back(active[i]);
    }
    for (const Wave& wave : revoked) Revoke(wave);
    // Another one in each round, as what was told stays on record.
    std::map<std::string, std::vector<Wave>> of_project;
    for (const Wave& wave : revoked) of_project[wave.project].push_back(wave);
    std::map<std::string, Wave> copies;
    for (const auto& [project, waves] : of_project) {
      copies.emplace(project, waves.at(static_cast<std::size_t>(round)));
    }
    for (const auto& [project, wave] : copies) CopyByHand(wave);
    CheckAll();
    auto expected = ByProject(left);
    for (const auto& [project, wave] : copies) {
      if (!IsRepaired(project)) expected[project].insert(wave.access);
    }
    world_->Eventually("repaired", [&] { return There() == expected; });
    std::set<std::string> copied;
    for (const auto& [project, wave] : copies) {
      copied.insert("projects/" + project + " " + wave.requester);
    }
    world_->Eventually("told", [&] {
      const std::set<std::string> told = Told();
      return std::ranges::includes(told, copied);
    });
    for (const Wave& wave : left) Revoke(wave);
    for (const auto& [project, wave] : copies) {
      if (!IsRepaired(project)) TakeOut(wave);
    }
    CheckAll();
    EXPECT_EQ(There(), ByProject({})) << "a revoked grant is back";
    world_->Eventually("over", [&] { return Count("open") == 0 && Count("justInTime") == 0; });
  }

  void TakeOut(const Wave& wave) const {
    Json policy = RecordPolicy(wave.project);
    auto& bindings = policy["bindings"].get_ref<Json::array_t&>();
    std::erase_if(bindings, [](const Json& binding) { return binding.contains("condition"); });
    WriteTo(wave.project, policy);
  }
};

TEST_P(Activations, NoneIsRemovedNoneComesBackAndEveryCopyIsTold) {
  world_->StartDaemon();
  world_->Eventually("in force", [&] {
    return std::ranges::all_of(kProjects, [&](const char* project) {
      return world_->IsReady(std::string("m-") + project);
    });
  });
  for (int round = 0; round < kRounds; ++round) Round(round);
}

// 2 keys, 4 rounds of 32 grants in 4 projects: 1,024 activations.
INSTANTIATE_TEST_SUITE_P(Keys, Activations, ::testing::Values("role", "roleAndCondition"));

}  // namespace
}  // namespace bindery::testing
