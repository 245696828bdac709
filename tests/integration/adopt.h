#pragma once

#include <filesystem>
#include <set>
#include <string>

#include "integration/world.h"

namespace bindery::testing {

namespace fs = std::filesystem;

// An organization for imports and adoptions.

inline constexpr const char* kOrganization = "organizations/100000000001";
inline constexpr int kProjects = 3;
inline constexpr int kTopics = 4;
/// The organization, the projects, and the topics of each.
inline constexpr int kPolicies = 1 + kProjects * (1 + kTopics);

/// In each project: people, a service agent, a deleted user, just-in-time access, and a role under
/// two conditions.
inline std::string BindingsOfProject(int number) {
  const std::string n = std::to_string(number);
  return "[{role: roles/viewer, members: [\"group:all@example.com\", \"user:ana@example.com\"]},\n"
         "     {role: roles/pubsub.serviceAgent, members: [\"serviceAccount:service-" +
         n +
         "@gcp-sa-pubsub.iam.gserviceaccount.com\"]},\n"
         "     {role: roles/browser, members: "
         "[\"deleted:user:old@example.com?uid=123456789012345678901\"]},\n"
         "     {role: roles/storage.admin, members: [\"user:oncall@example.com\"], condition: "
         "{title: "
         "\"Created by: PAM\", expression: \"request.time < "
         "timestamp(\\\"2090-01-01T00:00:00Z\\\")\"}},\n"
         "     {role: roles/pubsub.editor, members: [\"user:bob@example.com\"]},\n"
         "     {role: roles/pubsub.editor, members: [\"user:eva@example.com\"], condition: {title: "
         "week, expression: \"request.time < timestamp(\\\"2090-01-01T00:00:00Z\\\")\"}}]";
}

inline std::string SeedOfOrganization(int topics) {
  std::string seed = "folders:\n  - {name: folders/20}\n";
  std::string projects = "projects:\n";
  std::string policies =
      "iamPolicies:\n  //cloudresourcemanager.googleapis.com/organizations/100000000001:\n"
      "    bindings: [{role: roles/owner, members: [\"user:root@example.com\"]}]\n";
  for (int i = 0; i < kProjects; ++i) {
    const std::string project = "p-" + std::to_string(100 + i);
    const int number = 300000000 + i;
    projects += "  - {id: " + project + ", number: \"" + std::to_string(number) +
                "\", parent: folders/20}\n";
    policies += "  //cloudresourcemanager.googleapis.com/projects/" + project +
                ":\n    bindings:\n     " + BindingsOfProject(number) + "\n";
    for (int j = 0; j < topics; ++j) {
      policies += "  //pubsub.googleapis.com/projects/" + project + "/topics/t" +
                  std::to_string(j) +
                  ":\n    bindings: [{role: roles/pubsub.publisher, members: "
                  "[\"user:ana@example.com\", \"user:bob@example.com\"]}]\n";
    }
  }
  return seed + projects + policies;
}

class Adopt : public ::testing::Test {
 protected:
  explicit Adopt(int topics = kTopics) : world(SeedOfOrganization(topics)) { Configure(""); }

  void Configure(const std::string& settings) const {
    world.Configure(settings);
    std::string text = world.dir().Read("bindery.yaml");
    const std::string mark = "{networksecurity:";
    text.replace(text.find(mark), mark.size(),
                 "{pubsub: \"" + world.CloudUrl() + "/pubsub.googleapis.com\", networksecurity:");
    world.dir().Write("bindery.yaml", text);
  }

  void Scan() const {
    const Outcome scan = world.Run({"scan", "--scope", kOrganization});
    ASSERT_EQ(scan.exit_code, 0) << scan.err;
  }

  /// As gcloud prints the results of a search.
  void WriteAssets() const {
    const HttpResult answer = world.Cloud(
        "GET", "/v1/" + std::string(kOrganization) + ":searchAllIamPolicies?pageSize=500");
    world.dir().Write("assets.json", ParseJson(answer.body)->at("results").dump());
  }

  void ExpectEmptyPlan() const {
    const Outcome plan = world.Run({"plan", "--base", world.dir() / "manifests"});
    EXPECT_EQ(plan.exit_code, 0) << plan.out << plan.err;
    EXPECT_EQ(world.Run({"validate"}).exit_code, 0);
  }

  [[nodiscard]] std::set<std::string> Files() const {
    std::set<std::string> files;
    const fs::path directory = world.dir() / "manifests";
    for (const auto& entry : fs::recursive_directory_iterator(directory)) {
      if (entry.is_regular_file() && entry.path().extension() == ".yaml") {
        files.insert(entry.path().lexically_relative(directory).string());
      }
    }
    return files;
  }

  /// The id of the only difference of a class.
  [[nodiscard]] std::string MakeItem(const std::string& drift_class,
                                     const std::string& member) const {
    const Json report = world.RunJson({"drift", "--all"});
    for (const Json& item : report.at("items")) {
      if (item.at("class") == drift_class && item.at("grant").at("member") == member) {
        return std::to_string(item.at("id").get<std::int64_t>());
      }
    }
    return "no such item in " + report.dump();
  }

  World world;
};

}  // namespace bindery::testing
