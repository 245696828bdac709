#pragma once

#include <string>
#include <vector>

namespace bindery::convert {

/// A small valid input with each part that its format may have.
struct Sample {
  const char* name;
  const char* file;
  const char* text;   ///< JSON; of `yaml` the list of the documents.
  bool yaml = false;  ///< Written as YAML.
  const char* target = "";
};

inline std::vector<Sample> ListSamples() {
  constexpr const char* kProject = "//cloudresourcemanager.googleapis.com/projects/acme";
  constexpr const char* kState = R"json({"version": 4, "terraform_version": "1.11.4", "serial": 3,
    "lineage": "x", "outputs": {"o": {"value": "v", "type": "string"}}, "check_results": [],
    "resources": [
      {"module": "module.iam", "mode": "managed", "type": "google_project_iam_binding",
       "name": "viewers", "each": "map",
       "provider": "provider[\"registry.terraform.io/hashicorp/google\"]", "instances": [
        {"index_key": "a", "status": "tainted", "schema_version": 0, "private": "p",
         "dependencies": ["google_project.p"],
         "attributes": {"condition": [{"title": "t", "description": "d", "expression":
           "request.time < timestamp(\"2027-01-01T00:00:00Z\")"}], "etag": "BwY=",
           "id": "acme/roles/logging.viewer", "members": ["user:ana@example.com"], "project": "acme",
           "role": "roles/logging.viewer"},
         "sensitive_attributes": [[{"type": "get_attr", "value": "etag"}]]},
        {"deposed": "0011aabb", "attributes": {"project": "acme", "role": "roles/viewer",
         "members": ["user:old@example.com"], "etag": "x", "condition": []}}]},
      {"mode": "managed", "type": "google_kms_key_ring_iam_member", "name": "ring", "instances": [
        {"attributes": {"key_ring_id": "us/r", "project": "acme", "role": "roles/cloudkms.viewer",
         "member": "user:ana@example.com", "condition": []}}]},
      {"mode": "managed", "type": "google_pubsub_topic_iam_policy", "name": "all", "instances": [
        {"attributes": {"project": "acme", "topic": "orders", "policy_data":
         "{\"bindings\": [{\"role\": \"roles/viewer\", \"members\": [\"user:b@example.com\"]}]}"}}]},
      {"mode": "managed", "type": "google_bigquery_dataset", "name": "d", "instances": [
        {"attributes": {"dataset_id": "d", "access": []}}]},
      {"mode": "data", "type": "google_project", "name": "p", "instances": [{"attributes": {}}]}]})json";
  constexpr const char* kShown = R"json({"format_version": "1.0", "terraform_version": "1.11.4",
    "checks": [], "values": {"outputs": {"o": {"sensitive": false, "value": "v"}}, "root_module": {
      "resources": [
        {"address": "google_project_iam_audit_config.logs", "mode": "managed",
         "type": "google_project_iam_audit_config", "name": "logs",
         "provider_name": "registry.terraform.io/hashicorp/google", "schema_version": 0,
         "values": {"project": "acme", "service": "allServices", "etag": "x", "id": "i",
           "audit_log_config": [{"log_type": "DATA_READ",
                                 "exempted_members": ["user:ana@example.com"]}]},
         "sensitive_values": {"audit_log_config": [{"exempted_members": [false]}]},
         "depends_on": ["google_project.p"], "tainted": true}],
      "child_modules": [{"address": "module.iam", "resources": [
        {"address": "module.iam.google_storage_bucket_iam_member.b[\"x\"]", "mode": "managed",
         "type": "google_storage_bucket_iam_member", "name": "b", "index": "x",
         "values": {"bucket": "b/example", "role": "roles/storage.objectViewer",
           "member": "user:ana@example.com", "condition": [{"title": "t", "description": "",
           "expression": "request.time < timestamp(\"2027-01-01T00:00:00Z\")"}]}},
        {"address": "module.iam.google_storage_bucket_iam_member.b[\"x\"]", "mode": "managed",
         "type": "google_storage_bucket_iam_member", "name": "b", "index": "x",
         "deposed_key": "0011aabb", "values": {"bucket": "b/example", "role": "roles/viewer",
           "member": "user:old@example.com"}}]}]}}})json";
  constexpr const char* kPlan = R"json({"format_version": "1.2", "terraform_version": "1.11.4",
    "variables": {"v": {"value": "x"}}, "configuration": {"root_module": {}}, "applyable": true,
    "prior_state": {"format_version": "1.0", "terraform_version": "1.11.4", "values": {"root_module":
      {"resources": [{"address": "google_project_iam_member.ana", "mode": "managed",
         "type": "google_project_iam_member", "name": "ana", "values": {"project": "acme",
         "role": "roles/viewer", "member": "user:ana@example.com"}}]}}},
    "planned_values": {"root_module": {"resources": [
        {"address": "google_project_iam_member.new", "mode": "managed",
         "type": "google_project_iam_member", "name": "new", "values": {"project": "acme",
         "role": "roles/editor", "member": "user:new@example.com"}}]}},
    "resource_drift": [], "output_changes": {}, "deferred_changes": [],
    "resource_changes": [
      {"address": "google_project_iam_member.ana", "mode": "managed",
       "type": "google_project_iam_member", "name": "ana", "change": {"actions": ["delete"],
       "before": {"project": "acme", "role": "roles/viewer", "member": "user:ana@example.com"},
       "after": null, "after_unknown": false, "before_sensitive": {}, "after_sensitive": false}},
      {"address": "module.m.google_project_iam_member.new[\"k\"]", "module_address": "module.m",
       "mode": "managed", "type": "google_project_iam_member", "name": "new", "index": "k",
       "action_reason": "r", "change": {"actions": ["create"], "before": null,
       "after": {"project": "acme", "role": "roles/browser", "member": "user:new@example.com",
                 "condition": []},
       "after_unknown": {"etag": true, "id": true, "condition": []}, "before_sensitive": false,
       "after_sensitive": {"condition": []}}}]})json";
  constexpr const char* kStack = R"json({"version": 3, "deployment": {
    "manifest": {"time": "t"}, "secrets_providers": {"type": "passphrase"}, "metadata": {},
    "resources": [
      {"urn": "urn:pulumi:dev::shop::pulumi:pulumi:Stack::shop-dev", "custom": false,
       "type": "pulumi:pulumi:Stack"},
      {"urn": "urn:pulumi:dev::shop::gcp:projects/iAMBinding:IAMBinding::viewers", "custom": true,
       "id": "i", "type": "gcp:projects/iAMBinding:IAMBinding", "parent": "urn:x",
       "protect": true, "retainOnDelete": true, "ignoreChanges": ["members"],
       "provider": "urn:pulumi:dev::shop::pulumi:providers:gcp::default_8_0_0::1", "aliases": [],
       "inputs": {"__defaults": [], "project": "acme", "role": "roles/logging.viewer",
         "members": ["user:ana@example.com"], "condition": {"title": "t", "expression": "true"}},
       "outputs": {"etag": "BwY=", "id": "i", "project": "acme", "role": "roles/logging.viewer",
         "members": ["user:ana@example.com"], "condition": {"title": "t", "expression": "true"}}},
      {"urn": "urn:pulumi:dev::shop::gcp:pubsub/topicIAMMember:TopicIAMMember::gone", "custom": true,
       "type": "gcp:pubsub/topicIAMMember:TopicIAMMember", "delete": true, "inputs": {},
       "outputs": {"project": "acme", "topic": "t", "role": "roles/viewer", "member": "user:a@b.cd"}},
      {"urn": "urn:pulumi:dev::shop::gcp:pubsub/topicIAMMember:TopicIAMMember::seen", "custom": true,
       "type": "gcp:pubsub/topicIAMMember:TopicIAMMember", "external": true, "inputs": {},
       "outputs": {"project": "acme", "topic": "t", "role": "roles/viewer", "member": "user:a@b.cd"}}],
    "pending_operations": [{"type": "updating", "resource":
      {"urn": "urn:pulumi:dev::shop::gcp:projects/iAMBinding:IAMBinding::viewers", "custom": true,
       "type": "gcp:projects/iAMBinding:IAMBinding"}}]}})json";
  constexpr const char* kCheckpoint = R"json({"version": 3, "checkpoint": {
    "stack": "organization/shop/dev", "config": {}, "latest": {"manifest": {}, "resources": [
      {"urn": "urn:pulumi:dev::shop::gcp:storage/bucketIAMMember:BucketIAMMember::b", "custom": true,
       "type": "gcp:storage/bucketIAMMember:BucketIAMMember",
       "inputs": {"bucket": "acme", "role": "roles/storage.objectViewer", "member": "allUsers"},
       "outputs": {"bucket": "b/acme", "role": "roles/storage.objectViewer", "member": "allUsers",
                   "condition": null}}]}}})json";
  constexpr const char* kProgram = R"json({"name": "shop", "runtime": "yaml", "description": "d",
    "config": {"gcp:project": {"value": "acme"}},
    "variables": {"who": "user:ana@example.com", "me": {"fn::invoke": {
      "function": "monitoring:getCurrentUser"}}},
    "resources": {
      "google": {"type": "pulumi:providers:gcp", "properties": {"project": "shop"},
                 "defaultProvider": true},
      "viewers": {"type": "gcp:projects:IAMBinding", "properties": {"project": "acme",
        "role": "roles/logging.viewer", "members": ["${who}"],
        "condition": {"title": "t", "description": "d", "expression": "true"}},
        "options": {"protect": true, "retainOnDelete": true, "ignoreChanges": ["members"],
          "dependsOn": ["${topic}"], "aliases": [{"name": "old"}],
          "customTimeouts": {"create": "5m"}}},
      "topic": {"type": "gcp:pubsub:TopicIAMMember", "properties": {"topic": "orders",
        "role": "roles/pubsub.viewer", "member": "${who}"}}}})json";
  constexpr const char* kPolicy = R"json({"version": 3, "etag": "BwY=", "bindings": [
      {"role": "roles/viewer", "members": ["user:ana@example.com"]},
      {"role": "roles/logging.viewer", "members": ["user:ana@example.com"], "condition": {"title": "t",
       "description": "d", "expression": "request.time < timestamp(\"2027-01-01T00:00:00Z\")"}}],
    "auditConfigs": [{"service": "allServices", "auditLogConfigs": [
      {"logType": "DATA_READ", "exemptedMembers": ["user:ana@example.com"]}]}]})json";
  constexpr const char* kResults = R"json([
    {"assetType": "pubsub.googleapis.com/Topic", "project": "projects/1", "folders": ["folders/1"],
     "organization": "organizations/1", "explanation": {},
     "resource": "//pubsub.googleapis.com/projects/acme/topics/one",
     "policy": {"bindings": [{"role": "roles/viewer", "members": ["user:ana@example.com"]}]}},
    {"assetType": "pubsub.googleapis.com/Topic", "ancestors": ["projects/1"], "updateTime": "t",
     "name": "//pubsub.googleapis.com/projects/acme/topics/two",
     "iamPolicy": {"bindings": [{"role": "roles/viewer", "members": ["user:b@example.com"]}]}}])json";
  constexpr const char* kConnector = R"json([
    {"apiVersion": "iam.cnrm.cloud.google.com/v1beta1", "kind": "IAMPolicyMember",
     "metadata": {"name": "ana", "namespace": "team", "labels": {"tier": "one"}, "generation": 1,
       "annotations": {"cnrm.cloud.google.com/deletion-policy": "abandon", "example.com/x": "y"}},
     "spec": {"member": "user:ana@example.com", "role": "roles/pubsub.viewer",
       "condition": {"title": "t", "description": "d", "expression": "true"},
       "resourceRef": {"apiVersion": "pubsub.cnrm.cloud.google.com/v1beta1", "kind": "PubSubTopic",
                       "name": "orders", "namespace": "team"}}, "status": {"conditions": []}},
    {"apiVersion": "iam.cnrm.cloud.google.com/v1beta1", "kind": "IAMPartialPolicy",
     "metadata": {"name": "part"},
     "spec": {"resourceRef": {"kind": "Project", "external": "acme"}, "bindings": [
       {"role": "roles/logging.viewer", "members": [{"member": "user:ana@example.com"},
         {"memberFrom": {"serviceAccountRef": {"external": "a@acme.iam.gserviceaccount.com"}}}],
        "condition": {"title": "t", "expression": "true"}}]}},
    {"apiVersion": "iam.cnrm.cloud.google.com/v1beta1", "kind": "IAMPolicy",
     "metadata": {"name": "all"},
     "spec": {"resourceRef": {"kind": "Project", "external": "projects/shop"},
       "bindings": [{"role": "roles/logging.viewer", "members": ["user:ana@example.com"],
                     "condition": {"title": "t", "expression": "true"}}],
       "auditConfigs": [{"service": "allServices", "auditLogConfigs": [
         {"logType": "DATA_READ", "exemptedMembers": ["user:ana@example.com"]}]}]}},
    {"apiVersion": "iam.cnrm.cloud.google.com/v1beta1", "kind": "IAMAuditConfig",
     "metadata": {"name": "logs"},
     "spec": {"resourceRef": {"kind": "Project", "external": "acme"}, "service": "allServices",
       "auditLogConfigs": [{"logType": "DATA_READ", "exemptedMembers": ["user:a@example.com"]}]}},
    {"apiVersion": "pubsub.cnrm.cloud.google.com/v1beta1", "kind": "PubSubTopic",
     "metadata": {"name": "orders", "namespace": "team"}, "spec": {"resourceID": "orders-1"}},
    {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "team",
     "annotations": {"cnrm.cloud.google.com/project-id": "acme"}}},
    {"apiVersion": "v1", "kind": "List", "metadata": {}, "items": [
      {"apiVersion": "iam.cnrm.cloud.google.com/v1beta1", "kind": "IAMPolicyMember",
       "metadata": {"name": "cara"}, "spec": {"member": "user:cara@example.com",
       "role": "roles/browser", "resourceRef": {"kind": "Project", "external": "acme"}}}]}])json";
  constexpr const char* kConfiguration = R"json({
    "provider": {"google": [{"project": "acme", "region": "us"}, {"alias": "b", "project": "beta"}]},
    "variable": {"who": {"default": "user:ana@example.com", "type": "string"}},
    "locals": {"role": "roles/viewer"},
    "data": {"google_iam_policy": {"p": {"binding": [{"role": "roles/viewer",
      "members": ["user:ana@example.com"]}]}}},
    "resource": {"google_pubsub_topic_iam_policy": {"all": {"topic": "orders", "policy_data":
        "${data.google_iam_policy.p.policy_data}"}},
      "google_pubsub_topic_iam_binding": {"t": {"topic": "topic", "role": "roles/pubsub.viewer",
        "members": ["${var.who}"], "provider": "google",
        "condition": [{"title": "t", "description": "d", "expression": "true"}],
        "depends_on": ["google_project_iam_member.a"],
        "lifecycle": {"prevent_destroy": true, "ignore_changes": ["members"]},
        "timeouts": {"create": "5m"}}},
      "google_project_iam_member": {"a": {"project": "acme", "role": "${local.role}",
        "member": "${var.who}"},
        "n": {"for_each": {"x": "user:x@example.com"}, "project": "acme", "role": "roles/browser",
              "member": "${each.value}"}}},
    "import": [{"to": "google_project_iam_member.a",
                "id": "acme roles/viewer user:ana@example.com"}],
    "moved": [{"from": "google_project_iam_member.old", "to": "google_project_iam_member.a"}]})json";
  return {
      {"state", "terraform.tfstate", kState},
      {"shown state", "show.json", kShown},
      {"plan", "plan.json", kPlan},
      {"stack", "stack.json", kStack},
      {"checkpoint", "checkpoint.json", kCheckpoint},
      {"program", "Pulumi.yaml", kProgram, true},
      {"policy", "policy.json", kPolicy, false, kProject},
      {"policy in YAML", "policy.yaml", kPolicy, true, kProject},
      {"results", "results.json", kResults},
      {"results in YAML", "results.yaml", kResults, true},
      {"Config Connector", "iam.yaml", kConnector, true},
      {"configuration", "main.tf.json", kConfiguration},
  };
}

}  // namespace bindery::convert
