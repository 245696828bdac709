// Policies as gcloud prints them, and Config Connector's manifests.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/matchers.h"
#include "unit/convert/exports.h"

namespace bindery::convert {
namespace {

using ::testing::ElementsAre;
using testing::FailsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::IsOk;

constexpr const char* kPolicy = R"(bindings:
- members:
  - user:ana@example.com
  role: roles/viewer
etag: BwWWja0YfJA=
version: 1
)";

Conversion ConvertedYaml(const std::string& text) {
  Expected<Conversion> made = ConvertedFile(text, "file.yaml");
  return made ? std::move(*made) : Conversion{};
}

TEST(GcloudPolicies, AreOfTheResourceThatIsNamed) {
  const std::string project = "//cloudresourcemanager.googleapis.com/projects/acme";
  const auto made = ConvertedFile(kPolicy, "policy.yaml", project);
  ASSERT_TRUE(made);
  EXPECT_THAT(Specs(*made), ElementsAre("projects-acme: {\"name\":\"" + project +
                                        R"(","bindings":[{"role":"roles/viewer","members":)"
                                        R"(["user:ana@example.com"]}]})"));
  EXPECT_THAT(LeftOut(*made), IsEmpty());
  EXPECT_THAT(ConvertedFile(kPolicy, "policy.yaml"),
              FailsWith(Code::kInvalidArgument, HasSubstr("name it with --target")));
}

TEST(GcloudPolicies, HoldAccessOnRequestThatNoManifestDeclares) {
  const std::string text = R"(bindings:
- members:
  - user:ana@example.com
  role: roles/viewer
- condition:
    expression: request.time < timestamp("2030-01-01T00:00:00Z")
    title: 'Created by: PAM'
  members:
  - user:oncall@example.com
  role: roles/browser
)";
  const auto made =
      ConvertedFile(text, "policy.yaml", "//cloudresourcemanager.googleapis.com/projects/acme");
  ASSERT_TRUE(made);
  ASSERT_EQ(Specs(*made).size(), 1U);
  EXPECT_THAT(Specs(*made)[0], ::testing::Not(HasSubstr("oncall")));
  EXPECT_THAT(Specs(*made)[0], HasSubstr("user:ana@example.com"));
  EXPECT_THAT(LeftOut(*made), IsEmpty());
  EXPECT_THAT(Notes(*made), ElementsAre(HasSubstr("1 binding of access on request is left aside")));
  // Other kinds have no such service: the title is a title.
  const auto topic =
      ConvertedFile(text, "policy.yaml", "//pubsub.googleapis.com/projects/acme/topics/t");
  ASSERT_TRUE(topic);
  EXPECT_THAT(Specs(*topic), ElementsAre(HasSubstr("oncall")));
}

TEST(GcloudPolicies, OfASearchNameTheirResources) {
  const Conversion made = ConvertedExport(R"([
    {"assetType": "pubsub.googleapis.com/Topic", "project": "projects/1", "folders": [],
     "resource": "//pubsub.googleapis.com/projects/acme/topics/t",
     "policy": {"bindings": [{"role": "roles/viewer", "members": ["user:ana@example.com"]}]}},
    {"assetType": "x", "resource": "//pubsub.googleapis.com/projects/acme/topics/none", "policy": {}},
    {"assetType": "x", "resource": "//example.com/nothing",
     "policy": {"bindings": [{"role": "roles/viewer", "members": ["user:ana@example.com"]}]}}])");
  ASSERT_EQ(made.drafts.size(), 1U);
  EXPECT_EQ(made.drafts[0].name, "projects-acme-topics-t");
  EXPECT_EQ(made.drafts[0].kind->token.kind, "TopicIamPolicy");
  EXPECT_THAT(LeftOut(made), ElementsAre(HasSubstr("no kind for \"//example.com/nothing\"")));
}

TEST(GcloudPolicies, OfASearchByPermissionsAreParts) {
  const std::string found = R"({"assetType": "pubsub.googleapis.com/Topic",
      "resource": "//pubsub.googleapis.com/projects/acme/topics/t",
      "policy": {"bindings": [{"role": "roles/viewer", "members": ["user:ana@example.com"]}]},
      "explanation": {)";
  const Conversion whole = ConvertedExport("[" + found + "}}]");
  EXPECT_EQ(Specs(whole).size(), 1U);
  EXPECT_THAT(Notes(whole),
              ElementsAre(HasSubstr("a search with a query shows only the bindings")));
  const Conversion part = ConvertedExport(
      "[" + found +
      R"("matchedPermissions": {"roles/viewer": {"permissions": ["pubsub.topics.get"]}}}}])");
  EXPECT_THAT(Specs(part), IsEmpty());
  EXPECT_THAT(LeftOut(part), ElementsAre(HasSubstr("the search asked for permissions")));
  EXPECT_EQ(part.held.size(), 1U);
}

TEST(GcloudPolicies, OfASearchAreDocumentsToo) {
  const std::string policy =
      "policy:\n  bindings:\n  - members:\n    - user:ana@example.com\n    role: roles/viewer\n";
  const std::string resource = "resource: //pubsub.googleapis.com/projects/acme/topics/";
  const Conversion made = ConvertedYaml(
      "---\nassetType: pubsub.googleapis.com/Topic\n" + policy + resource +
      "one\n---\nassetType: pubsub.googleapis.com/Topic\n" + policy + resource + "two\n");
  EXPECT_EQ(Specs(made).size(), 2U);
  EXPECT_THAT(LeftOut(made), IsEmpty());
  EXPECT_EQ(made.form, ProgramForm::kGcloud);
}

TEST(GcloudPolicies, OfSeveralSearchesMayBeSeveralLists) {
  const auto list = [](const std::string& topic) {
    return "---\n- assetType: pubsub.googleapis.com/Topic\n"
           "  resource: //pubsub.googleapis.com/projects/acme/topics/" +
           topic +
           "\n  policy: {bindings: [{role: roles/viewer, members: [\"user:ana@example.com\"]}]}\n";
  };
  EXPECT_EQ(Specs(ConvertedYaml(list("one") + list("two"))).size(), 2U);
}

TEST(GcloudPolicies, OfAWrongFormHoldTheirGrants) {
  const auto made = ConvertedFile(R"({"etag": "x", "bindings": [7]})", "policy.json",
                                  "//pubsub.googleapis.com/projects/acme/topics/t");
  ASSERT_TRUE(made);
  EXPECT_THAT(Specs(*made), IsEmpty());
  EXPECT_EQ(made->held.size(), 1U);
}

TEST(GcloudPolicies, OfASearchMayBeNone) {
  for (const char* file : {"x.json", "x.yaml"}) {
    const auto made = ConvertedFile("[]\n", file);
    ASSERT_THAT(made, IsOk());
    EXPECT_THAT(LeftOut(*made), IsEmpty());
    EXPECT_THAT(Notes(*made), ElementsAre(HasSubstr("found no policy")));
  }
}

TEST(GcloudPolicies, ThatAreFlattenedAreRefused) {
  EXPECT_THAT(ConvertedFile(R"([{"bindings": {"role": "r", "members": "user:a@example.com"},
                                "etag": "x"}])",
                            "x.json"),
              FailsWith(Code::kInvalidArgument, HasSubstr("leave --flatten out")));
}

constexpr const char* kConnector = R"(
apiVersion: iam.cnrm.cloud.google.com/v1beta1
kind: IAMPolicyMember
metadata: {name: ana, annotations: {cnrm.cloud.google.com/deletion-policy: abandon}}
spec:
  member: user:ana@example.com
  role: roles/viewer
  resourceRef: {kind: Project, external: projects/acme}
---
apiVersion: pubsub.cnrm.cloud.google.com/v1beta1
kind: PubSubTopic
metadata: {name: orders, annotations: {cnrm.cloud.google.com/project-id: acme}}
---
apiVersion: iam.cnrm.cloud.google.com/v1beta1
kind: IAMPartialPolicy
metadata: {name: orders}
spec:
  resourceRef: {kind: PubSubTopic, name: orders}
  bindings:
    - role: roles/pubsub.viewer
      members:
        - member: user:ana@example.com
        - memberFrom: {serviceAccountRef: {name: app}}
---
apiVersion: iam.cnrm.cloud.google.com/v1beta1
kind: IAMPolicy
metadata: {name: sa}
spec:
  resourceRef: {kind: IAMServiceAccount, external: projects/acme/serviceAccounts/a@acme.iam.gserviceaccount.com}
  bindings:
    - role: roles/iam.serviceAccountUser
      members: [user:ana@example.com]
---
apiVersion: iam.cnrm.cloud.google.com/v1beta1
kind: IAMAuditConfig
metadata: {name: logs}
spec:
  resourceRef: {kind: Project, external: acme}
  service: allServices
  auditLogConfigs: [{logType: DATA_READ}]
)";

TEST(ConfigConnector, ManifestsOfIamAreConverted) {
  const Conversion made = ConvertedYaml(kConnector);
  EXPECT_THAT(
      Specs(made),
      ElementsAre(
          R"(ana: {"name":"projects/acme","role":"roles/viewer","member":"user:ana@example.com"})",
          R"(orders-pubsub-viewer: {"name":"projects/acme/topics/orders","role":"roles/pubsub.viewer","member":"user:ana@example.com"})",
          HasSubstr("sa: {\"name\":\"projects/acme/serviceAccounts/"),
          R"(logs: {"name":"projects/acme","service":"allServices","auditLogConfigs":[{"logType":"DATA_READ"}]})"));
  EXPECT_THAT(LeftOut(made), ElementsAre(HasSubstr("known by a reference alone")));
  EXPECT_EQ(made.held.size(), 1U);
  EXPECT_THAT(ManifestText(made.drafts[0]), HasSubstr("retainOnDelete: true"));
}

TEST(ConfigConnector, AnAccountIsNamedByItsAddress) {
  const auto text_with = [](const std::string& project) {
    return "apiVersion: iam.cnrm.cloud.google.com/v1beta1\nkind: IAMPolicyMember\n"
           "metadata: {name: a}\nspec:\n  member: user:a@example.com\n"
           "  role: roles/iam.serviceAccountUser\n"
           "  resourceRef: {kind: IAMServiceAccount, name: app}\n---\n"
           "apiVersion: iam.cnrm.cloud.google.com/v1beta1\nkind: IAMServiceAccount\n"
           "metadata: {name: app, annotations: {cnrm.cloud.google.com/project-id: \"" +
           project + "\"}}\n";
  };
  EXPECT_THAT(Specs(ConvertedYaml(text_with("acme"))),
              ElementsAre(HasSubstr(
                  R"("name":"projects/acme/serviceAccounts/app@acme.iam.gserviceaccount.com")")));
  const Conversion of_domain = ConvertedYaml(text_with("example.com:acme"));
  EXPECT_THAT(Specs(of_domain), IsEmpty());
  EXPECT_THAT(LeftOut(of_domain), ElementsAre(HasSubstr("write \"external\"")));
}

TEST(ConfigConnector, LabelsAreCarriedOver) {
  const Conversion made = ConvertedYaml(
      "apiVersion: iam.cnrm.cloud.google.com/v1beta1\nkind: IAMPartialPolicy\n"
      "metadata:\n  name: a\n  labels: {team: shop, app.kubernetes.io/part-of: \"web\", "
      "none: \"\", on: true}\n"
      "  annotations: {enabled: true, cnrm.cloud.google.com/deletion-policy: Abandon}\n"
      "spec:\n  resourceRef: {kind: Project, external: projects/acme}\n  bindings:\n"
      "  - {role: roles/viewer, members: [{member: \"user:a@example.com\"}]}\n");
  ASSERT_EQ(made.drafts.size(), 1U);
  EXPECT_THAT(ManifestText(made.drafts[0]),
              HasSubstr("  labels:\n    team: shop\n    app.kubernetes.io/part-of: web\nspec:"));
  const std::string quote =
      "expected a text, found a boolean: Kubernetes refuses the manifest, too: put the value in "
      "quotes";
  EXPECT_THAT(
      LeftOut(made),
      ElementsAre(HasSubstr("metadata.annotations.enabled: " + quote),
                  HasSubstr("metadata.labels.on: " + quote),
                  HasSubstr("metadata.labels.none: a label of a manifest must not be empty"),
                  HasSubstr("\"deletion-policy\" is \"Abandon\", which Config Connector does")));
}

TEST(ConfigConnector, NamesBelongToTheirNamespace) {
  const auto topic = [](const std::string& space) {
    return "apiVersion: pubsub.cnrm.cloud.google.com/v1beta1\nkind: PubSubTopic\n"
           "metadata: {name: orders, namespace: " +
           space + ", annotations: {cnrm.cloud.google.com/project-id: " + space + "}}\n---\n";
  };
  const auto converted = [&](const std::string& more) {
    return ConvertedYaml(topic("one") + topic("two") +
                         "apiVersion: iam.cnrm.cloud.google.com/v1beta1\nkind: IAMPolicyMember\n"
                         "metadata: {name: a, namespace: two}\n"
                         "spec:\n  member: user:a@example.com\n  role: roles/pubsub.viewer\n"
                         "  resourceRef: {kind: PubSubTopic, name: orders" +
                         more + "}\n");
  };
  EXPECT_THAT(Specs(converted("")), ElementsAre(HasSubstr("projects/two/topics/orders")));
  EXPECT_THAT(Specs(converted(", namespace: one")),
              ElementsAre(HasSubstr("projects/one/topics/orders")));
  EXPECT_THAT(LeftOut(converted(", namespace: three")),
              ElementsAre(HasSubstr("is not in the file")));
}

TEST(ConfigConnector, ATargetIsInTheProjectThatTheFileNames) {
  const std::string member =
      "---\napiVersion: iam.cnrm.cloud.google.com/v1beta1\nkind: IAMPolicyMember\n"
      "metadata: {name: a, namespace: team}\nspec:\n  member: user:a@example.com\n"
      "  role: roles/pubsub.viewer\n  resourceRef: {kind: PubSubTopic, ";
  const std::string topic =
      "apiVersion: pubsub.cnrm.cloud.google.com/v1beta1\nkind: PubSubTopic\n"
      "metadata: {name: t, namespace: team}\n";
  const std::string space =
      "apiVersion: v1\nkind: Namespace\nmetadata: {name: team, annotations: "
      "{cnrm.cloud.google.com/project-id: acme}}\n";
  const auto found = [](const std::string& text) {
    const Conversion made = ConvertedYaml(text);
    return std::pair(Specs(made), LeftOut(made));
  };
  const auto named = ElementsAre(HasSubstr(R"("name":"projects/acme/topics/t")"));
  const std::string by_name = member + "name: t}\n";
  EXPECT_THAT(found(topic + by_name + "---\n" + space).first, named) << "by the namespace";
  EXPECT_THAT(found(topic + "spec: {projectRef: {external: projects/acme}}\n" + by_name).first,
              named);
  EXPECT_THAT(found(space + member + "external: t}\n").first, named);
  EXPECT_THAT(found(space + member + "external: projects/acme/topics/t}\n").first, named);
  EXPECT_THAT(found(space + member + "external: topics/t}\n").first, named);
  const std::string project =
      "apiVersion: resourcemanager.cnrm.cloud.google.com/v1beta1\nkind: Project\n"
      "metadata: {name: p, namespace: team}\nspec: {resourceID: other}\n---\n";
  std::string of_project = member + "name: p}\n";
  of_project.replace(of_project.find("PubSubTopic"), 11, "Project");
  EXPECT_THAT(found(project + space + of_project).first,
              ElementsAre(HasSubstr(R"("name":"projects/other")")));
  for (const std::string& text :
       {topic + by_name, topic + "spec: {projectRef: {name: p}}\n" + by_name}) {
    EXPECT_THAT(found(text).first, IsEmpty()) << text;
    EXPECT_THAT(found(text).second, ElementsAre(HasSubstr("names its project"))) << text;
  }
}

TEST(ConfigConnector, WhatNobodyKnowsIsReported) {
  const std::string head =
      "apiVersion: iam.cnrm.cloud.google.com/v1beta1\nkind: IAMPolicyMember\nmetadata: {name: a}\n";
  const std::string spec = "member: user:a@example.com, role: roles/viewer, resourceRef: ";
  const std::pair<std::string, const char*> cases[] = {
      {"spec: {" + spec + "{kind: Project, external: acme}, Condition: {title: t}}", "Condition"},
      {"Spec: {}\nspec: {" + spec + "{kind: Project, external: acme}}", "Spec"},
      {"spec: {" + spec + "{kind: PubSubTopic, name: t}}", "is not in the file"},
      {"spec: {" + spec + "{kind: Nothing, external: t}}", "no kind for the policies of"},
      {"spec: {role: roles/viewer}", "no spec.resourceRef"},
      {"spec: {memberFrom: {serviceAccountRef: {external: a@acme.iam.gserviceaccount.com}}, " +
           spec + "{kind: Project, external: acme}}",
       "a \"member\" and a \"memberFrom\""},
  };
  for (const auto& [text, reason] : cases) {
    EXPECT_THAT(LeftOut(ConvertedYaml(head + text + "\n")), ElementsAre(HasSubstr(reason))) << text;
  }
}

/// A state of Terraform with this resource.
std::string StateOf(const std::string& resource) {
  return R"({"version": 4, "terraform_version": "1.11.4", "serial": 3, "lineage": "x",
             "outputs": {}, "check_results": null, "resources": [)" +
         resource + "]}";
}

std::string ProjectResource(const std::string& type, const std::string& attributes) {
  return R"({"mode": "managed", "type": "google_project_)" + type +
         R"(", "name": "r", "provider": )"
         R"("provider[\"registry.terraform.io/hashicorp/google\"]", "instances": [{"schema_version": 0,
             "attributes": {"project": "acme", )" +
         attributes + "}}]}";
}

TEST(Exports, DeletedPrincipalsHoldNothingAndAreLeftAside) {
  constexpr const char* kGone = "deleted:user:bob@example.com?uid=1";
  const std::string gone = std::string("\"") + kGone + "\"";
  const Conversion made = ConvertedExport(StateOf(ProjectResource(
      "iam_binding",
      R"("role": "roles/browser", "members": ["user:ana@example.com", )" + gone + "]")));
  EXPECT_THAT(Specs(made), ElementsAre(HasSubstr(R"("members":["user:ana@example.com"])")));
  EXPECT_THAT(LeftOut(made), IsEmpty());
  EXPECT_THAT(Notes(made),
              ElementsAre("google_project_iam_binding.r: 1 deleted principal (deleted:…) is left "
                          "aside: it holds nothing"));

  const std::string policy =
      R"({\"bindings\": [{\"role\": \"roles/browser\", \"members\": [\"user:ana@example.com\", \")" +
      std::string(kGone) + R"(\"]}, {\"role\": \"roles/viewer\", \"members\": [\")" + kGone +
      R"(\"]}]})";
  const Conversion whole = ConvertedExport(
      StateOf(ProjectResource("iam_policy", R"("policy_data": ")" + policy + "\"")));
  EXPECT_THAT(Specs(whole),
              ElementsAre(HasSubstr(
                  R"("bindings":[{"role":"roles/browser","members":["user:ana@example.com"]}])")));
  EXPECT_THAT(LeftOut(whole), IsEmpty());

  for (const std::string& alone :
       {ProjectResource("iam_member", R"("role": "roles/browser", "member": )" + gone),
        ProjectResource("iam_binding", R"("role": "roles/browser", "members": [)" + gone + "]")}) {
    const Conversion none = ConvertedExport(StateOf(alone));
    EXPECT_THAT(Specs(none), IsEmpty());
    EXPECT_THAT(LeftOut(none), IsEmpty());
    EXPECT_THAT(
        Notes(none),
        ElementsAre(": 1 resource that names only deleted principals and access on request is "
                    "passed over"));
  }
}

}  // namespace
}  // namespace bindery::convert
