// Pulumi YAML programs.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/convert/convert.h"

namespace bindery::convert {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

TEST(Pulumi, ResourcesBecomeManifestsWithTheirOptions) {
  const Conversion made = Converted(R"(
name: access
runtime: yaml
variables:
  team: "role:r1"
  everyone: [viewer, "cost $$5"]
  me:
    fn::invoke:
      function: monitoring:index/getCurrentUser:getCurrentUser
      return: orgId
resources:
  mainBoard:
    type: monitoring:index/restrictionPolicy:RestrictionPolicy
    properties:
      resourceId: dashboard:abc-def-ghi
      bindings:
        - relation: editor
          principals: ["${team}", "org:${me}"]
    options:
      protect: true
      retainOnDelete: true
      dependsOn: ["${second}"]
      aliases: [oldBoard, {name: olderBoard}, "urn:pulumi:dev::p::t::mainBoard"]
      ignoreChanges: ["bindings[0].principals"]
      import: dashboard:abc-def-ghi
      customTimeouts: {create: 5m}
  second:
    type: datadog:RestrictionPolicy
    properties:
      resourceId: "notebook:${mainBoard.bindings[0].relation}"
      bindings: []
)");
  EXPECT_THAT(MakeRemarks(made), IsEmpty());
  EXPECT_EQ(ManifestsOf(made), R"(apiVersion: monitoring
kind: getCurrentUser
metadata:
  name: me
---
apiVersion: monitoring
kind: RestrictionPolicy
metadata:
  name: main-board
spec:
  resourceId: dashboard:abc-def-ghi
  bindings:
    - relation: editor
      principals:
        - role:r1
        - "org:${me.orgId}"
options:
  protect: true
  retainOnDelete: true
  dependsOn:
    - second
  aliases:
    - old-board
    - older-board
  ignoreChanges:
    - "bindings[0].principals"
  import: dashboard:abc-def-ghi
  customTimeouts:
    create: 5m
---
apiVersion: monitoring
kind: RestrictionPolicy
metadata:
  name: second
spec:
  resourceId: "notebook:${main-board.bindings[0].relation}"
  bindings: []
)");
}

TEST(Pulumi, ACallWithinAPropertyBecomesALookupThatIsSharedByEqualOnes) {
  const Conversion made = Converted(R"(
resources:
  a: &a
    type: monitoring:RestrictionPolicy
    properties:
      resourceId: dashboard:abc-def-ghi
      bindings: [{relation: editor, principals: [{fn::invoke: {function: monitoring:getCurrentUser, return: id}}]}]
  b:
    type: monitoring:RestrictionPolicy
    properties:
      resourceId: dashboard:bbb-def-ghi
      bindings: [{relation: editor, principals: [{fn::invoke: {function: monitoring:getCurrentUser, return: orgId}}]}]
)");
  EXPECT_THAT(MakeRemarks(made), IsEmpty());
  ASSERT_THAT(made.drafts, SizeIs(3));
  EXPECT_EQ(made.drafts[0].name, "get-current-user");
  EXPECT_THAT(ManifestsOf(made), HasSubstr("\"${get-current-user.id}\""));
  EXPECT_THAT(ManifestsOf(made), HasSubstr("\"${get-current-user.orgId}\""));
}

std::string Board(const std::string& properties, const std::string& options = "{}") {
  return "variables: {plain: [x], secret: {fn::secret: x}}\nconfig: {size: {type: string}}\n"
         "resources:\n  board:\n    type: monitoring:RestrictionPolicy\n    properties: " +
         properties + "\n    options: " + options + "\n";
}

TEST(Pulumi, WhatCannotBeCarriedOverLeavesTheWholeResourceOut) {
  const std::pair<const char*, const char*> cases[] = {
      {"{resourceId: \"${size}\", bindings: []}", "it is configuration"},
      {"{resourceId: \"${pulumi.stack}\", bindings: []}", "nothing of a stack"},
      {"{resourceId: \"${bord.id}\", bindings: []}", "the program has no \\\"bord\\\""},
      {"{resourceId: \"${board}\", bindings: []}", "only its fields can be referred to"},
      {"{resourceId: \"a${plain}\", bindings: []}", "cannot be part of a text"},
      {"{resourceId: \"${secret}\", bindings: []}", "that variable is left out"},
      {"{resourceId: {fn::join: [a, b]}, bindings: []}", "\\\"fn::join\\\" cannot be carried over"},
      {"{resourceId: {fn::invoke: {function: aws:getX}}, bindings: []}",
       "no kind \\\"aws:getX\\\""},
      {"{resource_id: \"dashboard:abc-def-ghi\", bindings: []}",
       "did you mean \\\"resourceId\\\"?"},
      {"{resourceId: nothing, bindings: []}", "spec.resourceId"},
      {"[]", "expected a map, found a list"},
  };
  for (const auto& [properties, reason] : cases) {
    const Conversion made = Converted(Board(properties));
    EXPECT_THAT(made.drafts, IsEmpty()) << properties;
    std::string all;
    for (const std::string& remark : MakeRemarks(made)) all += remark + "\n";
    const std::string plain = [reason = reason] {
      std::string text = reason;
      for (auto at = text.find('\\'); at != std::string::npos; at = text.find('\\')) {
        text.erase(at, 1);
      }
      return text;
    }();
    EXPECT_THAT(all, HasSubstr(plain)) << properties;
  }
}

TEST(Pulumi, AnOptionWithoutCounterpartIsLeftOutByItself) {
  const Conversion made = Converted(Board(
      "{resourceId: \"dashboard:abc-def-ghi\", bindings: [{relation: editor, principals: "
      "[\"org:1\"]}]}",
      "{parent: \"${board}\", deleteBeforeReplace: true, provider: \"${eu}\", version: 1.2.3, "
      "protect: \"${x.y}\", ignoreChanges: [resourceId, bindings], dependsOn: [\"${nobody}\"]}"));
  ASSERT_THAT(made.drafts, SizeIs(1));
  EXPECT_THAT(ManifestsOf(made), HasSubstr("options:\n  ignoreChanges:\n    - bindings\n"));
  std::string all;
  for (const std::string& remark : MakeRemarks(made)) all += remark + "\n";
  EXPECT_THAT(all, HasSubstr("7:15: resources.board.options.parent: manifests have no parents"));
  EXPECT_THAT(all, HasSubstr("options.deleteBeforeReplace: "));
  EXPECT_THAT(all, HasSubstr("options.provider: set options.provider"));
  EXPECT_THAT(all, HasSubstr("note: 7:81: resources.board.options.version: there are no plugins"));
  EXPECT_THAT(all, HasSubstr("resources.board: options.protect: "));
  EXPECT_THAT(all, HasSubstr("resources.board: options.ignoreChanges[0]: "));
  EXPECT_THAT(all, HasSubstr("options.dependsOn[0]: the program has no \"nobody\""));
}

TEST(Pulumi, WhoRefersToWhatIsLeftOutIsLeftOutToo) {
  const Conversion made = Converted(R"(
resources:
  a: {type: "monitoring:RestrictionPolicy", properties: {resourceId: "dashboard:aaa-def-ghi", bindings: "${b.bindings}"}}
  b: {type: "monitoring:RestrictionPolicy", properties: {resourceId: "dashboard:bbb-def-ghi", bindings: "${c.bindings}"}}
  c: {type: "monitoring:RestrictionPolicy", properties: {resourceId: nothing, bindings: []}}
  d: {type: "monitoring:RestrictionPolicy", properties: {resourceId: "dashboard:ddd-def-ghi", bindings: []}, options: {dependsOn: ["${c}"]}}
)");
  ASSERT_THAT(made.drafts, SizeIs(1));
  EXPECT_EQ(made.drafts[0].name, "d");
  EXPECT_THAT(ManifestsOf(made), Not(HasSubstr("options")));
}

TEST(Pulumi, NamesThatBecomeTheSameAreToldApart) {
  const Conversion made = Converted(R"(
resources:
  my_board: {type: "monitoring:RestrictionPolicy", properties: {resourceId: "dashboard:aaa-def-ghi", bindings: []}}
  myBoard: {type: "monitoring:RestrictionPolicy", properties: {resourceId: "${my_board.resourceId}", bindings: "${my_board.bindings}"}}
)");
  ASSERT_THAT(made.drafts, SizeIs(2));
  EXPECT_EQ(made.drafts[1].name, "my-board-2");
  EXPECT_THAT(ManifestsOf(made), HasSubstr("resourceId: \"${my-board.resourceId}\""));
  EXPECT_THAT(
      MakeRemarks(made),
      ::testing::Contains("note: 4:3: resources.myBoard: the name \"my-board\" is taken: it "
                          "is called \"my-board-2\""));
}

TEST(Pulumi, TypesOfTheGcpPackageBecomeTheKindsOfTheirResources) {
  const Conversion made = Converted(R"(
runtime: yaml
variables: {team: "group:sre@example.com"}
resources:
  editors:
    type: gcp:pubsub/topicIAMBinding:TopicIAMBinding
    properties:
      project: acme
      topic: orders
      role: roles/pubsub.editor
      members: ["${team}"]
      condition: {title: t, expression: "true"}
  owner:
    type: gcp:projects:IAMMember
    properties: {project: acme, role: roles/viewer, member: "user:ana@example.com"}
  audit:
    type: gcp:projects/iAMAuditConfig:IAMAuditConfig
    properties:
      project: acme
      service: allServices
      auditLogConfigs: [{logType: ADMIN_READ, exemptedMembers: ["user:ana@example.com"]}]
  gateway:
    type: gcp:apigateway/gatewayIamBinding:GatewayIamBinding
    properties: {region: eu, gateway: g, role: roles/viewer, members: [allUsers]}
  logs:
    type: datadog:index/logsRestrictionQuery:LogsRestrictionQuery
    properties: {restrictionQuery: "team:pay", roleIds: [abc]}
)");
  EXPECT_THAT(MakeRemarks(made), ElementsAre(HasSubstr("does not document that a topic accepts")));
  EXPECT_EQ(ManifestsOf(made), R"(apiVersion: cloudnative:pubsub/v1
kind: TopicIamBinding
metadata:
  name: editors
spec:
  name: projects/acme/topics/orders
  role: roles/pubsub.editor
  members:
    - group:sre@example.com
  condition:
    title: t
    expression: "true"
---
apiVersion: cloudnative:cloudresourcemanager/v3
kind: ProjectIamMember
metadata:
  name: owner
spec:
  name: projects/acme
  role: roles/viewer
  member: user:ana@example.com
---
apiVersion: cloudnative:cloudresourcemanager/v3
kind: ProjectIamAuditConfig
metadata:
  name: audit
spec:
  name: projects/acme
  service: allServices
  auditLogConfigs:
    - logType: ADMIN_READ
      exemptedMembers:
        - user:ana@example.com
---
apiVersion: cloudnative:apigateway/v1
kind: GatewayIamBinding
metadata:
  name: gateway
spec:
  name: locations/eu/gateways/g
  role: roles/viewer
  members:
    - allUsers
---
apiVersion: monitoring
kind: LogsRestrictionQuery
metadata:
  name: logs
spec:
  restrictionQuery: team:pay
  roleIds:
    - abc
)");
}

TEST(Pulumi, WhatTheGcpPackageTakesFromElsewhereIsLeftOut) {
  const Conversion made = Converted(R"(
runtime: yaml
resources:
  policy:
    type: gcp:pubsub:TopicIAMPolicy
    properties: {project: acme, topic: orders, policyData: "${nowhere.policyData}"}
  nowhere:
    type: gcp:apigateway:GatewayIamBinding
    properties: {gateway: g, role: roles/viewer, members: []}
  extra:
    type: gcp:pubsub:TopicIAMBinding
    properties: {topic: orders, role: roles/viewer, members: [], shape: round}
  twice:
    type: gcp:pubsub:TopicIAMMember
    properties: {topic: orders, topicId: others, role: roles/viewer, member: allUsers}
)");
  EXPECT_THAT(made.drafts, IsEmpty());
  const std::vector<std::string> remarks = MakeRemarks(made);
  EXPECT_THAT(remarks, ::testing::Contains(
                           HasSubstr("policyData: expected \"${NAME.policyData}\" of a variable")));
  EXPECT_THAT(remarks, ::testing::Contains(HasSubstr("nor a \"location\" is given")));
  EXPECT_THAT(remarks, ::testing::Contains(HasSubstr("shape")));
  EXPECT_THAT(remarks, ::testing::Contains(HasSubstr("resources.twice.properties: the resource is "
                                                     "named twice, the second time by "
                                                     "\"topic_id\"")));
}

TEST(Pulumi, AWholePolicyIsAFunctionsResultOrText) {
  constexpr const char* kWhole = R"(
apiVersion: cloudnative:pubsub/v1
kind: TopicIamPolicy
metadata:
  name: policy
spec:
  name: projects/acme/topics/orders
  bindings:
    - role: roles/pubsub.editor
      members:
        - group:sre@example.com
)";
  const std::string call = R"(
          fn::invoke:
            function: gcp:organizations:getIAMPolicy
            arguments: {bindings: [{role: roles/pubsub.editor, members: ["group:sre@example.com"]}]})";
  const std::string returned = call + "\n            return: policyData";
  const std::pair<std::string, std::string> cases[] = {
      {"variables:\n  all:" + call + "\n", " ${all.policyData}"},
      {"variables:\n  all:" + returned + "\n", " ${all}"},
      {"", returned},
      {"", R"( '{"version": 3, "etag": "x", "bindings": [{"role": "roles/pubsub.editor",
                 "members": ["group:sre@example.com"]}]}')"},
  };
  for (const auto& [variables, policy_data] : cases) {
    const Conversion made = Converted("runtime: yaml\n" + variables + R"(
resources:
  policy:
    type: gcp:pubsub:TopicIAMPolicy
    properties:
      project: acme
      topic: orders
      policyData:)" + policy_data + "\n");
    EXPECT_EQ(ManifestsOf(made), kWhole + 1) << variables << policy_data;
  }
}

TEST(Pulumi, ANameOfTheGcpPackageIsNotWhatTheManifestCallsSo) {
  const Conversion made = Converted(R"(
runtime: yaml
resources:
  topic:
    type: gcp:pubsub:TopicIAMBinding
    properties: {project: acme, topic: orders, role: roles/viewer, members: [allUsers]}
  other:
    type: gcp:pubsub:TopicIAMBinding
    properties: {project: acme, topic: "${topic.name}", role: roles/editor, members: [allUsers]}
)");
  EXPECT_THAT(made.drafts, SizeIs(1));
  EXPECT_THAT(MakeRemarks(made), ::testing::Contains(HasSubstr("is a short name there")));
}

}  // namespace
}  // namespace bindery::convert
