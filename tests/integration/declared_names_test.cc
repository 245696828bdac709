// Manifests whose target or role is not plain: by the number of a project, and by references.

#include "integration/world.h"

namespace bindery::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kScope = "organizations/100000000001";
constexpr const char* kSeedOfTopics = R"(
projects: [{id: acme, number: "415104041262", parent: organizations/100000000001}]
iamPolicies:
  //cloudresourcemanager.googleapis.com/projects/acme: {bindings: []}
  //pubsub.googleapis.com/projects/acme/topics/t:
    bindings: [{role: roles/pubsub.publisher, members: ["user:a@example.com", "user:b@example.com"]}]
)";

class DeclaredNames : public ::testing::Test {
 protected:
  DeclaredNames() {
    world.Configure("reconcile: {mode: observe}\n");
    std::string text = world.dir().Read("bindery.yaml");
    const std::string mark = "{networksecurity:";
    text.replace(text.find(mark), mark.size(),
                 "{pubsub: \"" + world.CloudUrl() + "/pubsub.googleapis.com\", networksecurity:");
    world.dir().Write("bindery.yaml", text);
    const Outcome scan = world.Run({"scan", "--scope", kScope});
    EXPECT_EQ(scan.exit_code, 0) << scan.err;
  }

  void Declare(const std::string& kind, const std::string& name, const std::string& spec) const {
    world.dir().Write("manifests/" + name + ".yaml",
                      "apiVersion: cloudnative:pubsub/v1\nkind: " + kind +
                          "\nmetadata: {name: " + name + "}\nspec: {" + spec + "}\n");
  }

  World world{kSeedOfTopics};
};

constexpr const char* kByNumber =
    "name: projects/415104041262/topics/t, role: roles/pubsub.publisher, members: ";

TEST_F(DeclaredNames, AnImportKnowsWhatIsDeclaredUnderTheNumberOfAProject) {
  Declare("TopicIamBinding", "b",
          kByNumber + std::string("[\"user:a@example.com\", \"user:b@example.com\"]"));
  const Json made = world.RunJson({"import", "--scope", kScope});
  EXPECT_EQ(made.at("classes").at("declared"), 2) << made.dump(1);
  EXPECT_EQ(made.at("manifests"), 0);
  const Outcome one = world.Run(
      {"import", "cloudnative:pubsub/v1:TopicIamBinding", "again", "projects/acme/topics/t"});
  EXPECT_EQ(one.exit_code, 2);
  EXPECT_THAT(one.err, HasSubstr("is declared by \"b\" (b.yaml:1)"));
}

TEST_F(DeclaredNames, AScanTellsTheIdOfANumberWhereTheServiceDoesNot) {
  Declare("TopicIamBinding", "b",
          kByNumber + std::string("[\"user:a@example.com\", \"user:b@example.com\"]"));
  world.SetFaults(Json::parse(R"([{"operation": "cloudresourcemanager.get", "status": 403}])"));
  const Json made = world.RunJson({"import", "--scope", kScope});
  EXPECT_EQ(made.at("classes").at("declared"), 2) << made.dump(1);
}

TEST_F(DeclaredNames, NothingIsWrittenWhereNobodyTellsTheIdOfANumber) {
  Declare("TopicIamBinding", "b",
          "name: projects/999000999000/topics/t, role: roles/pubsub.publisher, members: "
          "[\"user:a@example.com\"]");
  world.SetFaults(Json::parse(R"([{"operation": "cloudresourcemanager.get", "status": 403}])"));
  const Outcome made = world.Run({"import", "--scope", kScope});
  EXPECT_EQ(made.exit_code, 1) << made.err;
  EXPECT_THAT(made.out, HasSubstr("0 manifests in 0 new files"));
  EXPECT_THAT(made.out, HasSubstr("the manifest \"b\" (b.yaml:1) names its target by a number "
                                  "whose id the service does not tell"));
}

TEST_F(DeclaredNames, AServiceThatDoesNotAnswerIsAskedOnceForEachNumber) {
  std::string list;
  for (int number = 0; number < 9; ++number) {
    list +=
        R"({"name": "//pubsub.googleapis.com/projects/50000000000)" + std::to_string(number) +
        R"(/topics/t", "assetType": "pubsub.googleapis.com/Topic", "iamPolicy": {"bindings": )" +
        R"([{"role": "roles/viewer", "members": ["user:a@example.com"]}]}})" + "\n";
  }
  world.dir().Write("lines.json", list);
  Declare("TopicIamBinding", "b",
          "name: projects/acme/topics/t, role: roles/pubsub.publisher, members: "
          "[\"user:a@example.com\"]");
  world.SetFaults(Json::parse(R"([{"operation": "cloudresourcemanager.get", "status": 503}])"));
  const auto asked = [&] { return world.Count("cloudresourcemanager.get"); };
  const auto before = asked();
  static_cast<void>(world.Run({"import", "--assets", world.dir() / "lines.json", "--stdout"}));
  const auto first = asked() - before;
  world.dir().Write("lines.json", list.substr(0, list.find('\n') + 1));
  static_cast<void>(world.Run({"import", "--assets", world.dir() / "lines.json", "--stdout"}));
  EXPECT_GT(first, 0);
  const auto of_one = asked() - before - first;
  EXPECT_EQ(first, 9 * of_one);
}

TEST_F(DeclaredNames, AnExportByNumberIsDeclaredByManifestsByIdAsWell) {
  Declare("TopicIamBinding", "b",
          "name: projects/acme/topics/t, role: roles/pubsub.publisher, members: "
          "[\"user:a@example.com\", \"user:b@example.com\"]");
  world.dir().Write("list.json",
                    R"([{"name": "//pubsub.googleapis.com/projects/415104041262/topics/t",
      "assetType": "pubsub.googleapis.com/Topic", "ancestors": ["projects/415104041262"],
      "iamPolicy": {"bindings": [{"role": "roles/pubsub.publisher",
                                  "members": ["user:a@example.com", "user:b@example.com"]}]}}])");
  const Json made = world.RunJson({"import", "--assets", world.dir() / "list.json"});
  EXPECT_EQ(made.at("classes").at("declared"), 2) << made.dump(1);
  EXPECT_EQ(made.at("manifests"), 0);
}

TEST_F(DeclaredNames, ADifferenceJoinsTheManifestUnderTheNumberOfAProject) {
  Declare("TopicIamBinding", "b", kByNumber + std::string("[\"user:a@example.com\"]"));
  EXPECT_EQ(world.Run({"run", "--once"}).exit_code, 1);
  const Json drift = world.RunJson({"drift"});
  ASSERT_EQ(drift.at("items").size(), 1U) << drift.dump(1);
  const std::string item = std::to_string(drift.at("items").at(0).at("id").get<std::int64_t>());
  const Outcome adopted = world.Run({"adopt", item});
  EXPECT_EQ(adopted.exit_code, 0) << adopted.err;
  EXPECT_THAT(world.dir().Read("manifests/b.yaml"),
              HasSubstr("[\"user:a@example.com\", \"user:b@example.com\"]"));
  EXPECT_EQ(world.Run({"plan"}).exit_code, 0);
}

TEST_F(DeclaredNames, AReferenceToAFieldOfAManifestNamesTheTargetOrTheRole) {
  Declare("TopicIamMember", "v",
          "name: projects/acme/topics/t, role: roles/pubsub.publisher, member: "
          "\"user:a@example.com\"");
  for (const std::string name_and_role :
       {"name: \"${v.name}\", role: roles/pubsub.publisher",
        "name: \"projects/acme/topics/t\", role: \"${v.role}\""}) {
    Declare("TopicIamBinding", "b", name_and_role + ", members: [\"user:a@example.com\"]");
    const Outcome made = world.Run({"import", "--scope", kScope});
    EXPECT_EQ(made.exit_code, 1) << made.out << made.err;
    EXPECT_THAT(made.out, HasSubstr("declares the role without them"));
    EXPECT_THAT(made.out, Not(HasSubstr("uses references")));
  }
}

TEST_F(DeclaredNames, NothingIsWrittenWhereTheValueOfAReferenceIsNotKnown) {
  Declare("TopicIamMember", "v",
          "name: projects/acme/topics/t, role: roles/pubsub.publisher, member: "
          "\"user:a@example.com\"");
  for (const std::string name_and_role :
       {"name: \"${v.etag}\", role: roles/pubsub.publisher",
        "name: \"projects/acme/topics/t\", role: \"${v.etag}\""}) {
    Declare("TopicIamBinding", "b", name_and_role + ", members: [\"user:a@example.com\"]");
    const Outcome made = world.Run({"import", "--scope", kScope});
    EXPECT_EQ(made.exit_code, 1) << made.out << made.err;
    EXPECT_THAT(made.out, HasSubstr("0 manifests in 0 new files"));
    EXPECT_THAT(made.out, HasSubstr("the manifest \"b\" (b.yaml:1) uses references, so that its "
                                    "target or role is not known"));
    const Outcome one = world.Run(
        {"import", "cloudnative:pubsub/v1:TopicIamMember", "again", "projects/acme/topics/t"});
    EXPECT_EQ(one.exit_code, 2);
    EXPECT_THAT(one.err, HasSubstr("uses references"));
  }
  Declare("TopicIamBinding", "b",
          "name: \"projects/other/topics/${v.role}\", role: roles/pubsub.viewer, members: "
          "[\"user:a@example.com\"]");
  const Outcome other = world.Run({"import", "--scope", kScope});
  EXPECT_THAT(other.out, Not(HasSubstr("uses references")))
      << "it names a topic of another project";
}

TEST_F(DeclaredNames, AKindIsOneOfTheWrittenManifestsOrAnError) {
  const auto import = [&](const std::string& shape, const std::string& kind) {
    return world.Run({"import", "--scope", kScope, "--stdout", "--as", shape, "--kind", kind});
  };
  for (const auto& [shape, kind] :
       {std::pair{"member", "TopicIamMember"}, std::pair{"member", "*Member"},
        std::pair{"policy", "topiciampolicy"}, std::pair{"binding", "pubsub/v1:Topic*"}}) {
    const Outcome made = import(shape, kind);
    EXPECT_EQ(made.exit_code, 0) << kind << made.err;
    EXPECT_THAT(made.out, HasSubstr("kind: TopicIam")) << kind;
  }
  for (const auto& [shape, kind] :
       {std::pair{"member", "TopicIamBinding"}, std::pair{"binding", "nosuch"},
        std::pair{"binding", "RestrictionPolicy"}}) {
    const Outcome made = import(shape, kind);
    EXPECT_EQ(made.exit_code, 2) << kind;
    EXPECT_THAT(made.err, HasSubstr("fits no kind of the manifests")) << kind;
  }
}

TEST_F(DeclaredNames, AGivenTargetThatNoKindKnowsIsAnError) {
  world.dir().Write("p.yaml", "bindings: [{role: roles/viewer, members: [\"user:a@x.org\"]}]\n");
  for (const std::string name : {"//cloudresourcemanager.googleapis.com/projects/acme/",
                                 "//pubsub.googleapis.com/projects/acme/topics/t:getIamPolicy"}) {
    const Outcome made = world.Run({"import", "--policies", name + "=" + (world.dir() / "p.yaml")});
    EXPECT_EQ(made.exit_code, 2) << name << made.out;
    EXPECT_THAT(made.err, HasSubstr("no kind manages \"" + name + "\"")) << name;
  }
}

TEST_F(DeclaredNames, WhatAManifestAcceptsIsNotDeclared) {
  world.dir().Write("manifests/accepted.yaml",
                    "apiVersion: bindery\nkind: AcceptedDrift\nmetadata: {name: ok}\nspec:\n"
                    "  match: {class: undeclared, member: \"user:b@example.com\"}\n"
                    "  reason: r\n  owner: o\n  until: 2090-01-01\n");
  const Json made = world.RunJson({"import", "--scope", kScope});
  EXPECT_EQ(made.at("classes").at("accepted"), 1) << made.dump(1);
  EXPECT_EQ(made.at("classes").at("imported"), 1);
  EXPECT_EQ(world.Run({"run", "--once"}).exit_code, 0);
  EXPECT_EQ(world.RunJson({"coverage"}).at("classes").at("accepted"), 1);
}

TEST_F(DeclaredNames, FoldersThatBinderyDoesNotReadGetNoManifests) {
  world.SetEnvironment("BINDERY_MANIFESTS_RECURSIVE", "false");
  const Outcome refused = world.Run({"import", "--scope", kScope});
  EXPECT_EQ(refused.exit_code, 2) << refused.out;
  EXPECT_THAT(refused.err, HasSubstr("manifests.recursive is false"));
  EXPECT_THAT(refused.err, HasSubstr("--layout project"));
  EXPECT_EQ(world.Run({"import", "--scope", kScope, "--layout", "project"}).exit_code, 0);
  EXPECT_EQ(world.Run({"plan"}).exit_code, 0);
}

TEST_F(DeclaredNames, NoEmptyPlanIsPromisedBesideGapsOfTheImport) {
  world.SetPolicy("projects/acme",
                  Json::array({{{"role", "roles/viewer"}, {"members", {"user:a@example.com"}}}}));
  ASSERT_EQ(world.Run({"scan", "--scope", kScope}).exit_code, 0);
  const std::string promise = "bindery plan shows that nothing changes";
  const auto import = [&] {
    Outcome made = world.Run({"import", "--scope", kScope});
    std::filesystem::remove_all(world.dir() / "manifests/acme");
    return made;
  };
  EXPECT_THAT(import().out, HasSubstr(promise));
  world.dir().Write("manifests/x.yaml", "kind: [\n");
  const Outcome broken = import();
  EXPECT_THAT(broken.out, HasSubstr("not known: what manifests with errors declare: the manifests "
                                    "directory has 1 error"));
  EXPECT_THAT(broken.out, Not(HasSubstr(promise)));
  std::filesystem::remove(world.dir() / "manifests/x.yaml");
  Declare("TopicIamBinding", "b", kByNumber + std::string("[\"user:a@example.com\"]"));
  const Outcome partial = import();
  EXPECT_EQ(partial.exit_code, 1);
  EXPECT_THAT(partial.out, HasSubstr("1 left out"));
  EXPECT_THAT(partial.out, HasSubstr("bindery plan shows what the policies hold beside"));
  EXPECT_THAT(partial.out, Not(HasSubstr(promise)));
}

TEST_F(DeclaredNames, OfTwoPoliciesOfOneResourceNoneIsTaken) {
  const auto write = [&](const std::string& other) {
    std::string text;
    for (const std::string& member : {std::string("user:a@example.com"), other}) {
      text += R"({"name": "//pubsub.googleapis.com/projects/acme/topics/t", "assetType": )"
              R"("pubsub.googleapis.com/Topic", "iamPolicy": {"bindings": [{"role": )"
              R"("roles/pubsub.publisher", "members": [")" +
              member + "\"]}]}}\n";
    }
    world.dir().Write("lines.json", text);
    return world.Run({"import", "--assets", world.dir() / "lines.json", "--stdout"});
  };
  EXPECT_EQ(write("user:a@example.com").exit_code, 0) << "twice the same";
  const Outcome made = write("user:b@example.com");
  EXPECT_EQ(made.exit_code, 1);
  EXPECT_EQ(made.out, "");
  EXPECT_THAT(made.err, HasSubstr("left out of projects/acme/topics/t: the export has several "
                                  "policies of it, which differ"));
}

/// A line of an export: the topic t of a project.
std::string TopicLine(const std::string& project) {
  return R"({"name": "//pubsub.googleapis.com/projects/)" + project +
         R"(/topics/t", "assetType": "pubsub.googleapis.com/Topic", "iamPolicy": {"bindings": )"
         R"([{"role": "roles/pubsub.publisher", "members": ["user:a@example.com", )"
         R"("user:b@example.com"]}]}})" +
         "\n";
}

TEST_F(DeclaredNames, AnImportOfTwoNamesOfOnePolicyWritesItsManifestsOnce) {
  world.dir().Write("lines.json", TopicLine("415104041262") + TopicLine("acme"));
  const Json made = world.RunJson({"import", "--assets", world.dir() / "lines.json"});
  EXPECT_EQ(made.at("policies"), 1) << made.dump(1);
  EXPECT_EQ(made.at("manifests"), 1);
  EXPECT_THAT(world.dir().Read("manifests/acme/pubsub-topic/t.yaml"),
              HasSubstr("name: projects/acme/topics/t"));
  EXPECT_EQ(world.Run({"plan"}).exit_code, 0);
}

TEST_F(DeclaredNames, OfTwoNamesThatMayBeOfOnePolicyOneIsLeftOut) {
  world.SetFaults(Json::parse(R"([{"operation": "cloudresourcemanager.get", "status": 403}])"));
  world.dir().Write("lines.json",
                    TopicLine("999000999000") + TopicLine("unknown") + TopicLine("999000999001"));
  const Outcome made = world.Run({"import", "--assets", world.dir() / "lines.json"});
  EXPECT_EQ(made.exit_code, 1) << made.err;
  EXPECT_THAT(made.out, HasSubstr("1 manifest in 1 new file"));
  EXPECT_THAT(made.out, HasSubstr("projects/999000999000/topics/t: may be the same policy as that "
                                  "of projects/unknown/topics/t"));
  EXPECT_THAT(world.dir().Read("manifests/unknown/pubsub-topic/t.yaml"),
              HasSubstr("name: projects/unknown/topics/t"));
  // A project whose number is known is no other one.
  std::filesystem::remove_all(world.dir() / "manifests/unknown");
  world.dir().Write("lines.json", TopicLine("999000999000") + TopicLine("acme"));
  const Json known = world.RunJson({"import", "--assets", world.dir() / "lines.json"});
  EXPECT_EQ(known.at("leftOut").size(), 0U) << known.dump(1);
}

TEST_F(DeclaredNames, WhatTheServiceTellsAnImportTellsTheNextPlanNothing) {
  world.dir().Write("lines.json",
                    TopicLine("acme") + TopicLine("415104041262") + TopicLine("999000999000"));
  // A plan knows the numbers that a scan recorded.
  std::filesystem::remove_all(world.dir() / "state");
  const Outcome made = world.Run({"import", "--assets", world.dir() / "lines.json"});
  EXPECT_EQ(made.exit_code, 1) << made.out << made.err;
  EXPECT_THAT(made.out, HasSubstr("left out of projects/999000999000/topics/t"));
  EXPECT_EQ(world.Run({"validate"}).exit_code, 0);
}

TEST_F(DeclaredNames, AnImportByNumbersAloneAsksForNone) {
  world.dir().Write("lines.json", TopicLine("415104041262") + TopicLine("999000999000"));
  const auto before = world.Count("cloudresourcemanager.get");
  const Json made = world.RunJson({"import", "--assets", world.dir() / "lines.json"});
  EXPECT_EQ(made.at("manifests"), 2) << made.dump(1);
  EXPECT_EQ(world.Count("cloudresourcemanager.get"), before);
}

TEST_F(DeclaredNames, AListOfTwoNamesOfOnePolicyIsImportedOnce) {
  world.dir().Write("ids", "projects/415104041262/topics/t\nprojects/acme/topics/t\n");
  const Outcome made = world.Run(
      {"import", "cloudnative:pubsub/v1:TopicIamBinding", "all", "--all", world.dir() / "ids"});
  EXPECT_EQ(made.exit_code, 0) << made.err;
  EXPECT_EQ(world.Run({"plan"}).exit_code, 0);
}

}  // namespace
}  // namespace bindery::testing
