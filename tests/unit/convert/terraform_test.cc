// Terraform's JSON configuration.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/convert/convert.h"

namespace bindery::convert {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr const char* kAll = R"({
"terraform": {"required_version": ">= 1.5"},
"locals": {"team": "role:r1"},
"data": {"datadog_current_user": {"me": {}}},
"resource": [
  {"google_network_security_authorization_policy_iam_binding": {"payments_viewers": [{
    "project": "acme", "location": "global", "name": "payments", "role": "roles/viewer",
    "members": ["user:ana@example.com"],
    "condition": [{"title": "only-x", "expression": "resource.name == 'x'"}],
    "lifecycle": {"prevent_destroy": true, "ignore_changes": ["condition[0].title"]},
    "timeouts": {"create": "5m"}}]}},
  {"google_backup_dr_management_server_iam_binding": {"payments_viewers": {
    "name": "projects/acme/locations/eu/managementServers/main", "role": "roles/backupdr.user",
    "members": "${google_network_security_authorization_policy_iam_binding.payments_viewers.members}",
    "condition": null, "//": "a comment",
    "depends_on": ["google_network_security_authorization_policy_iam_binding.payments_viewers"]}}},
  {"datadog_restriction_policy": {"board": {
    "resource_id": "dashboard:abc-def-ghi",
    "bindings": {"relation": "editor", "principals": ["${local.team}", "org:${data.datadog_current_user.me.org_id}"]}}}}
],
"import": [{"to": "datadog_restriction_policy.board", "id": "dashboard:abc-def-ghi"}],
"moved": {"from": "datadog_restriction_policy.old_board", "to": "datadog_restriction_policy.board"}
})";

TEST(Terraform, BlocksBecomeManifests) {
  const Conversion made = Converted(kAll);
  EXPECT_THAT(MakeRemarks(made),
              ::testing::ElementsAre(HasSubstr("it is called \"payments-viewers-2\""),
                                     HasSubstr("on primitive roles")));
  EXPECT_EQ(ManifestsOf(made), R"(apiVersion: monitoring
kind: getCurrentUser
metadata:
  name: me
---
apiVersion: cloudnative:networksecurity/v1
kind: AuthorizationPolicyIamBinding
metadata:
  name: payments-viewers
spec:
  name: projects/acme/locations/global/authorizationPolicies/payments
  role: roles/viewer
  members:
    - user:ana@example.com
  condition:
    title: only-x
    expression: "resource.name == 'x'"
options:
  protect: true
  ignoreChanges:
    - condition.title
  customTimeouts:
    create: 5m
---
apiVersion: cloudnative:backupdr/v1
kind: ManagementServerIamBinding
metadata:
  name: payments-viewers-2
spec:
  name: projects/acme/locations/eu/managementServers/main
  role: roles/backupdr.user
  members: "${payments-viewers.members}"
options:
  dependsOn:
    - payments-viewers
---
apiVersion: monitoring
kind: RestrictionPolicy
metadata:
  name: board
spec:
  resourceId: dashboard:abc-def-ghi
  bindings:
    - relation: editor
      principals:
        - role:r1
        - "org:${me.orgId}"
options:
  import: dashboard:abc-def-ghi
  aliases:
    - old-board
)");
}

std::string AllRemarks(const Conversion& made) {
  std::string all;
  for (const std::string& remark : MakeRemarks(made)) all += remark + "\n";
  return all;
}

TEST(Terraform, MembersAndAuditConfigurationsHaveTheirKinds) {
  const Conversion made = Converted(R"({"resource": {
"google_project_iam_member": {"ana": {"project": "acme", "role": "roles/viewer", "member": "user:ana@example.com"}},
"google_project_iam_audit_config": {"logs": {"project": "acme", "service": "allServices",
  "audit_log_config": [{"log_type": "DATA_READ", "exempted_members": ["user:ci@example.com"]}, {"log_type": "ADMIN_READ"}]}}}})");
  EXPECT_EQ(AllRemarks(made), "");
  EXPECT_EQ(ManifestsOf(made), R"(apiVersion: cloudnative:cloudresourcemanager/v3
kind: ProjectIamMember
metadata:
  name: ana
spec:
  name: projects/acme
  role: roles/viewer
  member: user:ana@example.com
---
apiVersion: cloudnative:cloudresourcemanager/v3
kind: ProjectIamAuditConfig
metadata:
  name: logs
spec:
  name: projects/acme
  service: allServices
  auditLogConfigs:
    - logType: DATA_READ
      exemptedMembers:
        - user:ci@example.com
    - logType: ADMIN_READ
)");
}

TEST(Terraform, APolicyOfADataSourceOfTheFileBecomesAnIamPolicy) {
  const Conversion made = Converted(R"({"data": {"google_iam_policy": {"all": {
"binding": [{"role": "roles/viewer", "members": ["user:ana@example.com"]},
  {"role": "roles/browser", "members": ["group:sre@example.com"],
   "condition": {"title": "t", "expression": "true"}}],
"audit_config": {"service": "allServices", "audit_log_configs": [{"log_type": "DATA_READ"}]}}}},
"resource": {"google_project_iam_policy": {"acme": {"project": "acme",
  "policy_data": "${data.google_iam_policy.all.policy_data}"}}}})");
  EXPECT_EQ(AllRemarks(made), "");
  EXPECT_EQ(ManifestsOf(made), R"(apiVersion: cloudnative:cloudresourcemanager/v3
kind: ProjectIamPolicy
metadata:
  name: acme
spec:
  name: projects/acme
  bindings:
    - role: roles/viewer
      members:
        - user:ana@example.com
    - role: roles/browser
      members:
        - group:sre@example.com
      condition:
        title: t
        expression: "true"
  auditConfigs:
    - service: allServices
      auditLogConfigs:
        - logType: DATA_READ
)");
}

TEST(Terraform, APolicyWhoseDataIsIgnoredIgnoresItsBindings) {
  const Conversion made = Converted(R"({"data": {"google_iam_policy": {"all": {
"binding": [{"role": "roles/viewer", "members": ["user:ana@example.com"]}]}}},
"resource": {"google_project_iam_policy": {"acme": {"project": "acme",
  "policy_data": "${data.google_iam_policy.all.policy_data}",
  "lifecycle": {"ignore_changes": ["policy_data"]}}}}})");
  EXPECT_EQ(AllRemarks(made), "");
  EXPECT_THAT(ManifestsOf(made), HasSubstr("ignoreChanges:\n    - bindings\n"));
}

TEST(Terraform, APolicyThatIsNotWrittenOutIsLeftOut) {
  const std::pair<const char*, const char*> cases[] = {
      {R"("data": {"google_iam_policy": {"x": {"binding": []}}})", ""},
      {R"("data": {"google_iam_policy": {"x": {"dynamic": {"binding": {}}}}})",
       "only a policy that is written out"},
      {R"("data": {"google_iam_policy": {"x": {"for_each": "${y.z}"}}})",
       "only a policy that is written out"},
      {R"("data": {"google_iam_policy": {"y": {}}})", "of a data source in the same file"},
      {R"("locals": {"a": 1})", "of a data source in the same file"},
      {R"("data": {"google_iam_policy": {"x": {"binding": {"role": "roles/viewer", "members": "${var.who}"}}}})",
       "\"var.who\" is an input variable"},
      {R"("data": {"google_iam_policy": {"x": {"name": "topics/other"}}})", "has no field for it"},
  };
  for (const auto& [data, reason] : cases) {
    const Conversion made = Converted("{" + std::string(data) + R"(, "resource":
{"google_pubsub_topic_iam_policy": {"a": {"project": "acme", "topic": "orders",
  "policy_data": "${data.google_iam_policy.x.policy_data}"}}}})");
    EXPECT_THAT(made.drafts, IsEmpty()) << data;
    EXPECT_THAT(AllRemarks(made), HasSubstr(reason)) << data;
    EXPECT_THAT(AllRemarks(made), HasSubstr("the whole resource")) << data;
  }
}

TEST(Terraform, WhatCannotBeCarriedOverIsSaidWithItsReason) {
  const std::pair<const char*, const char*> cases[] = {
      {R"("google_x_iam_member": {"a": {}})", "bindery has no kind for"},
      {R"("google_x_iam_policy": {"a": {}})", "its policy is the result of a data source"},
      {R"("aws_s3_bucket": {"a": {}})", "bindery has no kind for \"aws_s3_bucket\""},
      {R"("datadog_restriction_policy": {"a": {"count": "${var.n}"}})",
       "the file does not tell how many"},
      {R"("datadog_restriction_policy": {"a": {"for_each": "${x.y}"}})",
       "\"for_each\" makes several"},
      {R"("datadog_restriction_policy": {"a": {"dynamic": {}}})", "dynamic blocks"},
      {R"("datadog_restriction_policy": {"a": {"resource_id": "${var.x}", "bindings": []}})",
       "\"var.x\" is an input variable"},
      {R"("datadog_restriction_policy": {"a": {"resource_id": "${f(1)}", "bindings": []}})",
       "more than a reference"},
      {R"("datadog_restriction_policy": {"a": {"resource_id": "%{if x}", "bindings": []}})",
       "directives cannot be carried over"},
      {R"("datadog_restriction_policy": {"a": {"resource_id": "${google_x.y.id}", "bindings": []}})",
       "the file has no \"google_x.y\""},
      {R"("datadog_restriction_policy": {"a": {"resourceId": "x"}})", "has no field for it"},
      {R"("datadog_restriction_policy": {"a": 1})", "expected a map, found an integer"},
      {R"("google_backup_dr_management_server_iam_binding": {"a": {"name": "x", "role": "roles/a.b", "members": ["allUsers"]}})",
       "neither a full resource name nor a \"location\""},
  };
  for (const auto& [resource, reason] : cases) {
    const Conversion made = Converted(R"({"resource": {)" + std::string(resource) + "}}");
    EXPECT_THAT(made.drafts, IsEmpty()) << resource;
    EXPECT_THAT(AllRemarks(made), HasSubstr(reason)) << resource;
  }
}

TEST(Terraform, MetaArgumentsWithoutCounterpartAreLeftOutByThemselves) {
  const Conversion made = Converted(R"({
"variable": {"x": {}}, "output": {"y": {"value": 1}}, "provider": {"google": {}}, "module": {"m": {}},
"resource": {"datadog_restriction_policy": {"a": {
  "resource_id": "dashboard:abc-def-ghi", "bindings": [{"relation": "editor", "principals": ["org:1"]}],
  "provider": "datadog.eu", "provisioner": [], "depends_on": ["google_x.y"],
  "lifecycle": [{"ignore_changes": "all", "create_before_destroy": true, "precondition": {}}]}}}})");
  ASSERT_THAT(made.drafts, SizeIs(1));
  EXPECT_THAT(ManifestsOf(made), HasSubstr("options:\n  ignoreChanges:\n    - bindings\n"));
  const std::string all = AllRemarks(made);
  for (const char* expected :
       {"variable.x: ", "output.y: ", "module.m: ", "note: 2:68: provider.google: ",
        "a.provider: set options.provider", "a.provisioner: bindery runs no programs",
        "a.depends_on[0]: \"google_x.y\" is not carried over",
        "a.lifecycle.precondition: ", "a.lifecycle.create_before_destroy: "}) {
    EXPECT_THAT(all, HasSubstr(expected));
  }
}

TEST(Terraform, AShortNameIsNotWhatTheManifestCallsSo) {
  const Conversion made = Converted(R"({"resource": {
"google_backup_dr_management_server_iam_binding": {
  "a": {"location": "eu", "name": "main", "role": "roles/a.b", "members": ["allUsers"]},
  "b": {"name": "${google_backup_dr_management_server_iam_binding.a.name}", "location": "eu", "role": "roles/c.d", "members": ["allUsers"]}}}})");
  ASSERT_THAT(made.drafts, SizeIs(1));
  EXPECT_THAT(AllRemarks(made), HasSubstr("is a short name there"));
  EXPECT_THAT(ManifestsOf(made), HasSubstr("name: locations/eu/managementServers/main\n"));
}

TEST(Terraform, DatasetsAndRestrictionQueriesHaveTheirKinds) {
  const Conversion made = Converted(R"({"resource": {
    "datadog_dataset": {"pay": {"name": "Payments", "principals": ["role:a"],
      "product_filters": [{"product": "logs", "filters": ["@team:pay"]}]}},
    "datadog_logs_restriction_query": {"pay": {"restriction_query": "team:pay",
      "role_ids": ["a"]}}}})");
  EXPECT_THAT(MakeRemarks(made), ElementsAre(HasSubstr("it is called \"pay-2\"")));
  EXPECT_EQ(ManifestsOf(made), R"(apiVersion: monitoring
kind: Dataset
metadata:
  name: pay
spec:
  name: Payments
  principals:
    - role:a
  productFilters:
    - product: logs
      filters:
        - "@team:pay"
---
apiVersion: monitoring
kind: LogsRestrictionQuery
metadata:
  name: pay-2
spec:
  restrictionQuery: team:pay
  roleIds:
    - a
)");
}

}  // namespace
}  // namespace bindery::convert
