// Single members, whole policies and audit configurations: what they declare, and what is written.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/access/claim_part.h"
#include "providers/google/roles/audit_configs.h"
#include "providers/google/rows/iam_kinds.h"
#include "providers/registry/kinds.h"
#include "support/matchers.h"
#include "unit/providers/subjects.h"

namespace bindery::google {
namespace {

using std::chrono::seconds;
using ::testing::ElementsAre;
using testing::FailsWith;
using ::testing::HasSubstr;
using testing::IsOk;
using testing::Project;

Json Parsed(const char* text) { return *ParseJson(text); }

/// The body of the request that makes `spec` true where the policy is `live`.
Json Written(const reconcilers::Kind& kind, const Json& spec, const Json& live) {
  cloud::Connection connection;
  connection.endpoints = {{"cloudresourcemanager", "http://crm"}};
  reconcilers::Desired desired;
  desired.keep_undeclared = true;
  desired.claims.push_back({"m", *kind.Declare(spec, "")});
  const auto read = kind.BuildGet(connection, "projects/p", seconds(1));
  const auto seen = kind.ParseResponse(*read, live.dump());
  const auto call =
      kind.BuildSet(connection, "projects/p", kind.Plan(desired, *seen), *seen, seconds(1));
  return call ? *ParseJson(call->request.body) : Json(ToString(call.error()));
}

TEST(IamShapes, EveryRowHasItsShapes) {
  const providers::Kinds kinds;
  for (const char* kind :
       {"ProjectIamBinding", "ProjectIamMember", "ProjectIamPolicy", "ProjectIamAuditConfig"}) {
    const reconcilers::Kind* found = kinds.Find({"google-native:cloudresourcemanager/v1", kind});
    ASSERT_NE(found, nullptr) << kind;
    EXPECT_EQ(found->schema().token.Text(),
              std::string("cloudnative:cloudresourcemanager/v3:") + kind);
    EXPECT_EQ(found->traits().policy, "cloudresourcemanager:Project");
  }
  EXPECT_EQ(kinds.FindByTargets("cloudresourcemanager:Project")->schema().token.kind,
            "ProjectIamBinding");
  const IamRow& bucket = *FindIamRow("storage/v1:Bucket");
  ASSERT_FALSE(bucket.audit_configs);
  EXPECT_EQ(kinds.Find({"cloudnative:storage/v1", "BucketIamAuditConfig"}), nullptr)
      << "its policy has none";
}

TEST(IamShapes, KindsOfOneShapeShareTheirFields) {
  for (const IamShape shape : kIamShapes) {
    const manifests::FieldList& topics = IamSchema(*FindIamRow("pubsub/v1:Topic"), shape).inputs;
    const manifests::FieldList& secrets =
        IamSchema(*FindIamRow("secretmanager/v1:Secret"), shape).inputs;
    ASSERT_GT(topics.size(), 1U);
    const manifests::Field& shared = *std::next(topics.begin());
    EXPECT_EQ(&shared, &*std::next(secrets.begin())) << shared.name;
    EXPECT_NE(topics.front().pattern, secrets.front().pattern) << "a name is of its kind";
  }
}

TEST(IamShapes, AConditionIsJudgedByWhatItsServiceTakes) {
  struct Case {
    const char* row;
    IamShape shape;
    const char* members;
    const char* code;  ///< Empty: nothing is said.
  };
  const Case cases[] = {
      {"cloudresourcemanager/v3:Project", IamShape::kBinding, R"("members":["user:a@x.com"])", ""},
      {"networksecurity/v1:AuthorizationPolicy", IamShape::kBinding, R"("members":["allUsers"])",
       ""},
      {"pubsub/v1:Topic", IamShape::kMember, R"("member":"user:a@x.com")",
       "ConditionNotDocumented"},
      {"storage/v1:Bucket", IamShape::kMember, R"("member":"allUsers")", "PublicWithCondition"},
      {"storage/v1:Bucket", IamShape::kBinding,
       R"("members":["user:a@x.com","allAuthenticatedUsers"])", "PublicWithCondition"},
      {"run/v2:Service", IamShape::kMember, R"("member":"allUsers")", "PublicWithCondition"},
      {"storage/v1:Bucket", IamShape::kMember, R"("member":"user:a@x.com")", ""},
  };
  const std::string head = R"({"name":"n","role":"roles/storage.objectViewer",)";
  const std::string tail =
      R"(,"condition":{"title":"t","expression":"resource.name == 'projects/_/buckets/b'"}})";
  for (const Case& one : cases) {
    const Json spec = Parsed((head + one.members + tail).c_str());
    std::string codes;
    for (const auto& [at, failure] : IamSchema(*FindIamRow(one.row), one.shape).check_all(spec)) {
      codes += failure.code;
      EXPECT_EQ(failure.warning, failure.code == "ConditionNotDocumented");
    }
    EXPECT_EQ(codes, one.code) << one.row << one.members;
  }
}

TEST(IamShapes, ConditionsOnABucketAreAboutThatBucket) {
  const struct {
    const char* row;
    const char* name;
    const char* expression;
    bool warned;
  } cases[] = {
      {"storage/v1:Bucket", "b/data", "resource.name == 'projects/_/buckets/data'", false},
      {"storage/v1:Bucket", "b/data", "resource.name == 'projects/_/buckets/other'", true},
      {"storage/v1:Bucket", "gs://data", "resource.name == 'projects/_/buckets/other'", true},
      {"storage/v1:Bucket", "b/${bucket.name}", "resource.name == 'projects/_/buckets/a'", false},
      {"storage/v1:Bucket", "b/${bucket.name}", "resource.name == 'b/a'", true},
      {"storage/v1:ManagedFolder", "b/data/managedFolders/f",
       "resource.name.startsWith('projects/_/buckets/data/managedFolders/f')", false},
      {"storage/v1:ManagedFolder", "b/data/managedFolders/f",
       "resource.name.startsWith('projects/_/buckets/f')", true},
      {"secretmanager/v1:Secret", "projects/p/secrets/s", "resource.name == 'a'", false},
      {"cloudresourcemanager/v3:Project", "projects/p", "resource.name == 'a'", false},
  };
  for (const auto& one : cases) {
    const Json spec = {{"name", one.name},
                       {"role", "roles/storage.objectViewer"},
                       {"member", "user:a@x.com"},
                       {"condition", {{"title", "t"}, {"expression", one.expression}}}};
    std::string codes;
    for (const auto& [at, failure] :
         IamSchema(*FindIamRow(one.row), IamShape::kMember).check_all(spec)) {
      codes += failure.code;
    }
    EXPECT_EQ(codes, one.warned ? "ResourceNameLiteralCheck" : "") << one.name << one.expression;
  }
}

TEST(IamShapes, AMemberClaimsOneGrantUnderItsCondition) {
  const auto kind = MakeIamMember(Project());
  const auto plain = kind->Declare(
      Parsed(R"({"name":"projects/p","role":"roles/viewer","member":"user:Ana@X.com"})"), "");
  ASSERT_THAT(plain, IsOk());
  EXPECT_EQ(plain->role, "roles/viewer user:ana@x.com if -");
  EXPECT_THAT(plain->grants, ElementsAre(Grant{"roles/viewer", "user:Ana@X.com"}));
  const auto absent = kind->Declare(
      Parsed(R"({"name":"projects/p","role":"roles/viewer","member":"user:a@x","absent":true})"),
      "");
  EXPECT_EQ(absent->role, "roles/viewer user:a@x if *");
  EXPECT_TRUE(absent->absent);
  EXPECT_TRUE(absent->grants.empty());
}

TEST(IamShapes, IdsNameTheirPart) {
  struct Case {
    std::unique_ptr<reconcilers::Kind> kind;
    const char* id;
    const char* part;
  };
  const Case cases[] = {
      {MakeIamMember(Project()), "projects/p roles/viewer user:Ana@x",
       "roles/viewer user:ana@x if *"},
      {MakeIamMember(Project()), "projects/p roles/viewer user:a@x a title",
       "roles/viewer user:a@x if *"},
      {MakeIamBinding(Project()), "projects/p roles/viewer a title", "roles/viewer"},
      {MakeIamPolicy(Project()), "projects/p", ""},
      {MakeIamAuditConfig(Project()), "projects/p storage.googleapis.com",
       "auditConfigs/storage.googleapis.com"},
      {MakeIamAuditConfig(Project()), "projects/p", ""},
  };
  for (const Case& test : cases) {
    const auto parsed = test.kind->ParseId(test.id, "");
    ASSERT_THAT(parsed, IsOk()) << test.id;
    EXPECT_EQ(parsed->role, test.part) << test.id;
  }
  EXPECT_THAT(MakeIamPolicy(Project())->ParseId("projects/p roles/viewer", ""),
              FailsWith(Code::kInvalidArgument, HasSubstr("the name of its resource")));
}

TEST(IamShapes, WhatIsThereIsWhatTheyDeclare) {
  const char* live = R"({"etag":"x","bindings":[
      {"role":"roles/viewer","members":["user:a@x","group:b@x"]},
      {"role":"roles/editor","members":["user:a@x"],"condition":{"expression":"true","title":"t"}}],
      "auditConfigs":[{"service":"allServices","auditLogConfigs":[
        {"logType":"DATA_READ","exemptedMembers":["user:a@x"]},{"logType":"ADMIN_READ"}]}]})";
  cloud::Connection connection;
  connection.endpoints = {{"cloudresourcemanager", "http://crm"}};
  const std::pair<std::unique_ptr<reconcilers::Kind>, std::size_t> kinds[] = {
      {MakeIamBinding(Project()), 2},
      {MakeIamMember(Project()), 3},
      {MakeIamPolicy(Project()), 1},
      {MakeIamAuditConfig(Project()), 1},
  };
  for (const auto& [kind, parts] : kinds) {
    const auto read = kind->BuildGet(connection, "projects/p", seconds(1));
    const auto seen = kind->ParseResponse(*read, live);
    ASSERT_THAT(seen, IsOk());
    const std::vector<std::string> there = kind->Roles(*seen);
    EXPECT_EQ(there.size(), parts) << kind->schema().token.kind;
    for (const std::string& part : there) {
      const auto spec = kind->Inputs("projects/p", part, *seen);
      ASSERT_THAT(spec, IsOk()) << part;
      reconcilers::Desired desired;
      desired.keep_undeclared = true;
      desired.claims.push_back({"m", *kind->Declare(*spec, "")});
      EXPECT_EQ(desired.claims[0].declaration.role, part);
      EXPECT_FALSE(kind->Plan(desired, *seen).writes()) << spec->dump();
    }
  }
}

TEST(IamShapes, AnAuditConfigurationIsWrittenWithItsMask) {
  const Json live =
      Parsed(R"({"etag":"x","bindings":[{"role":"roles/owner","members":["user:a@x"]}],
      "auditConfigs":[{"service":"storage.googleapis.com","auditLogConfigs":[{"logType":"DATA_READ"}]},
                      {"service":"allServices","auditLogConfigs":[{"logType":"DATA_WRITE"},
                        {"logType":"DATA_READ","exemptedMembers":["user:eve@x"]}]}]})");
  const Json body = Written(*MakeIamAuditConfig(Project()),
                            Parsed(R"({"name":"projects/p","service":"allServices",
                                 "auditLogConfigs":[{"logType":"DATA_READ"},{"logType":"ADMIN_READ"}]})"),
                            live);
  EXPECT_EQ(body.at("updateMask"), "bindings,etag,auditConfigs");
  EXPECT_EQ(body.at("policy").at("bindings"), live.at("bindings"));
  EXPECT_EQ(
      body.at("policy").at("auditConfigs"),
      Parsed(R"([{"service":"storage.googleapis.com","auditLogConfigs":[{"logType":"DATA_READ"}]},
                       {"service":"allServices","auditLogConfigs":[{"logType":"DATA_READ"},
                                                                   {"logType":"ADMIN_READ"}]}])"));
}

TEST(IamShapes, ABindingLeavesTheAuditConfigurationOutOfItsMask) {
  const Json body =
      Written(*MakeIamMember(Project()),
              Parsed(R"({"name":"projects/p","role":"roles/viewer","member":"user:a@x"})"),
              Parsed(R"({"etag":"x","auditConfigs":[{"service":"allServices"}]})"));
  EXPECT_EQ(body.at("updateMask"), "bindings,etag");
  EXPECT_EQ(body.at("policy").at("auditConfigs"), Parsed(R"([{"service":"allServices"}])"));
}

TEST(AuditConfigs, AreUnitsThatAreEditedOneByOne) {
  struct Case {
    const char* before;
    std::vector<Grant> adds;
    std::vector<Grant> removes;
    const char* after;
  };
  const std::string all = "auditConfigs/allServices";
  const Case cases[] = {
      {"[]",
       {{all, "DATA_READ"}},
       {},
       R"([{"service":"allServices","auditLogConfigs":[{"logType":"DATA_READ"}]}])"},
      {R"([{"service":"allServices","auditLogConfigs":[{"logType":"DATA_READ"}]}])",
       {{all, "DATA_READ exempts user:a@x"}},
       {},
       R"([{"service":"allServices","auditLogConfigs":[{"logType":"DATA_READ","exemptedMembers":["user:a@x"]}]}])"},
      {R"([{"service":"allServices","auditLogConfigs":[{"logType":"DATA_READ","exemptedMembers":["user:A@x"]}]}])",
       {},
       {{all, "DATA_READ exempts user:a@x"}},
       R"([{"service":"allServices","auditLogConfigs":[{"logType":"DATA_READ"}]}])"},
      {R"([{"service":"allServices","auditLogConfigs":[{"logType":"DATA_READ"}]},{"service":"odd","note":1}])",
       {},
       {{all, "DATA_READ"}, {"roles/viewer", "user:a@x"}},
       R"([{"service":"odd","note":1}])"},
  };
  for (const Case& test : cases) {
    EXPECT_EQ(EditAuditConfigs(Parsed(test.before), test.adds, test.removes), Parsed(test.after))
        << test.before;
  }
}

TEST(IamShapes, SpecsAreCheckedAsAWhole) {
  struct Case {
    IamShape shape;
    const char* spec;
    const char* at;
  };
  const Case cases[] = {
      {IamShape::kMember, R"({"absent":true,"condition":{"expression":"true","title":"t"}})",
       "condition"},
      {IamShape::kPolicy,
       R"({"name":"projects/p","bindings":[{"role":"roles/viewer","members":["user:a@x"]},
                       {"role":"roles/viewer","members":["user:b@x"]}]})",
       "bindings[1].role"},
      {IamShape::kPolicy,
       R"({"name":"projects/p","bindings":[{"role":"roles/viewer",)"
       R"("members":["user:a@x","user:A@x"]}]})",
       "bindings[0].members[1]"},
      {IamShape::kPolicy,
       R"({"name":"projects/p",)"
       R"("auditConfigs":[{"service":"allServices"},{"service":"allServices"}]})",
       "auditConfigs[1].service"},
      {IamShape::kAuditConfig,
       R"({"auditLogConfigs":[{"logType":"DATA_READ"},{"logType":"DATA_READ"}]})",
       "auditLogConfigs[1].logType"},
  };
  for (const Case& test : cases) {
    const auto failures = IamSchema(Project(), test.shape).check_all(Parsed(test.spec));
    ASSERT_EQ(failures.size(), 1U) << test.spec;
    EXPECT_EQ(failures[0].first, test.at);
  }
}

TEST(IamShapes, AWholePolicyTakesItsNameInParts) {
  const providers::Kinds kinds;
  struct Case {
    const char* token;
    const char* parts;
    const char* target;  // empty: refused
  };
  const Case cases[] = {
      {"pubsub/v1:Topic", R"("project":"p","topicId":"t")", "projects/p/topics/t"},
      {"pubsub/v1:Topic", R"("project":"p","topic":"t")", "projects/p/topics/t"},
      {"pubsub/v1:Topic", R"("topicId":"t")", "projects/default/topics/t"},
      {"pubsub/v1:Topic", R"("project":"p")", ""},
      {"pubsub/v1:Topic", R"("project":"415104041262","topicId":"t")", ""},
      {"pubsub/v1:Topic", R"("project":"p","topicId":"t/../s")", ""},
      {"pubsub/v1:Topic", R"("name":"projects/p/topics/t","topicId":"t")", ""},
      {"pubsub/v1:Topic", "\"name\":\"projects/p/topics/t\"", "projects/p/topics/t"},
      {"cloudresourcemanager/v3:Folder", R"("folderId":"1")", "folders/1"},
      {"storage/v1:Bucket", R"("bucket":"b")", "b/b"},
      {"compute/v1:Instance", R"("project":"p","zone":"z","resource":"i")",
       "projects/p/zones/z/instances/i"},
      {"cloudresourcemanager/v1:Project", R"("resource":"p")", "projects/p"},
      {"cloudresourcemanager/v1beta1:Project", R"("resource":"p")", "projects/p"},
      {"cloudresourcemanager/v1:Project", R"("resource":"415104041262")", ""},
      {"deploymentmanager/v2:Deployment", R"("project":"p","resource":"d")",
       "projects/p/global/deployments/d"},
      {"deploymentmanager/v2beta:Deployment", R"("resource":"d")",
       "projects/default/global/deployments/d"},
      {"deploymentmanager/alpha:Deployment", R"("project":"p","resource":"d")",
       "projects/p/global/deployments/d"},
      {"iap/v1:V1", R"("v1Id":"projects/p/iap_web/compute/services/s")",
       "projects/p/iap_web/compute/services/s"},
      {"iap/v1beta1:V1beta1", R"("v1beta1Id":"projects/p/iap_tunnel")", "projects/p/iap_tunnel"},
      {"iap/v1:V1", R"("v1Id":"projects/p/topics/t")", ""},
      {"iap/v1:V1", R"("v1Id":"projects/p/iap_web","project":"p")", ""},
      {"secretmanager/v1:Secret", R"("project":"p","secretId":"s")", "projects/p/secrets/s"},
      {"secretmanager/v1:Secret", R"("project":"p","location":"eu","secretId":"s")",
       "projects/p/locations/eu/secrets/s"},
  };
  for (const Case& c : cases) {
    const reconcilers::Kind* kind =
        kinds.Find({"cloudnative:" + std::string(c.token).substr(0, std::string(c.token).find(':')),
                    std::string(c.token).substr(std::string(c.token).find(':') + 1) + "IamPolicy"});
    ASSERT_NE(kind, nullptr) << c.token;
    const Json spec = Parsed(
        ("{" + std::string(c.parts) + R"(,"bindings":[{"role":"roles/viewer","members":[]}]})")
            .c_str());
    const auto failures = kind->schema().check_all(spec);
    EXPECT_EQ(failures.empty(), *c.target != '\0') << c.parts;
    if (*c.target == '\0') continue;
    const auto declared = kind->Declare(spec, "default");
    ASSERT_THAT(declared, IsOk()) << c.parts;
    EXPECT_EQ(declared->target, c.target);
  }
}

}  // namespace
}  // namespace bindery::google
