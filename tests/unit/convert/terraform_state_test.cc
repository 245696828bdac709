// States of Terraform, as the file of version 4 and as `terraform show -json` prints them.

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
using ::testing::Not;

/// A state of version 4 with these resources.
std::string GetState(const std::string& resources) {
  return R"({"version": 4, "terraform_version": "1.11.4", "serial": 3, "lineage": "x",
             "outputs": {}, "check_results": null, "resources": [)" +
         resources + "]}";
}

std::string MemberOfProject(const std::string& instances, const std::string& more = "") {
  return R"({"mode": "managed", "type": "google_project_iam_member", "name": "ana",
             "provider": "provider[\"registry.terraform.io/hashicorp/google\"]")" +
         more + R"(, "instances": [)" + instances + "]}";
}

std::string Instance(const std::string& more = "", const std::string& role = "roles/viewer") {
  return R"({"schema_version": 0, "attributes": {"condition": [], "etag": "BwY=",
             "id": "acme/roles/viewer/user:ana@example.com", "member": "user:ana@example.com",
             "project": "acme", "role": ")" +
         role + "\"}" + more + "}";
}

/// What `terraform show -json` prints of a state with these resources in its root module.
std::string ShownOf(const std::string& resources) {
  return R"({"format_version": "1.0", "terraform_version": "1.11.4",
             "values": {"root_module": {"resources": [)" +
         resources + "]}}}";
}

std::string ShownMember(const std::string& values, const std::string& more = "") {
  return R"({"address": "google_project_iam_member.ana", "mode": "managed",
             "type": "google_project_iam_member", "name": "ana",
             "provider_name": "registry.terraform.io/hashicorp/google", "schema_version": 0,
             "values": )" +
         values + more + "}";
}

constexpr const char* kAna =
    R"({"project": "acme", "role": "roles/viewer", "member": "user:ana@example.com"})";
constexpr const char* kAnasGrant =
    R"(ana: {"name":"projects/acme","role":"roles/viewer","member":"user:ana@example.com"})";

TEST(TerraformStates, OfVersion4AreConverted) {
  const Conversion made = ConvertedExport(GetState(MemberOfProject(Instance())));
  EXPECT_THAT(Specs(made), ElementsAre(kAnasGrant));
  EXPECT_THAT(LeftOut(made), IsEmpty());
  EXPECT_EQ(made.form, ProgramForm::kTerraform);
}

TEST(TerraformStates, InstancesAreNamedByModuleAndKey) {
  const Conversion made = ConvertedExport(
      GetState(MemberOfProject(Instance(R"(, "index_key": "roles/viewer")") + "," +
                                   Instance(R"(, "index_key": "roles/browser")", "roles/browser"),
                               R"(, "module": "module.iam[\"a.b\"].module.deep")") +
               "," + MemberOfProject(Instance(R"(, "index_key": 1)", "roles/editor"))));
  ASSERT_EQ(made.drafts.size(), 3U);
  EXPECT_EQ(made.drafts[0].name, "iam-a-b-deep-ana-roles-viewer");
  EXPECT_EQ(made.drafts[0].origin,
            "module.iam[\"a.b\"].module.deep.google_project_iam_member.ana[\"roles/viewer\"]");
  EXPECT_EQ(made.drafts[1].name, "iam-a-b-deep-ana-roles-browser");
  EXPECT_EQ(made.drafts[2].name, "ana-1");
  EXPECT_THAT(LeftOut(made), IsEmpty());
}

TEST(TerraformStates, WhatIsNoAccessIsPassedOver) {
  const Conversion made = ConvertedExport(GetState(
      MemberOfProject(Instance() + "," + Instance(R"(, "deposed": "0011aabb")", "roles/editor")) +
      R"(, {"mode": "data", "type": "google_iam_policy", "name": "p", "instances": []}
         , {"mode": "managed", "type": "google_storage_bucket", "name": "b", "instances": [{}]}
         , {"mode": "managed", "type": "google_project_iam_custom_role", "name": "r",
            "instances": [{}]})"));
  EXPECT_THAT(Specs(made), ElementsAre(kAnasGrant));
  EXPECT_THAT(LeftOut(made), IsEmpty());
  EXPECT_THAT(Notes(made), ElementsAre(HasSubstr("1 data source is passed over"),
                                       HasSubstr("1 deposed instance is"),
                                       HasSubstr("2 resources that grant no access")));
}

TEST(TerraformStates, AccessWithoutAKindIsLeftOut) {
  const std::string types[] = {"google_bigquery_dataset_iam_member",
                               "google_bigquery_row_access_policy",
                               "google_privileged_access_manager_entitlement",
                               "google_project_default_service_accounts",
                               "google_gke_hub_scope_rbac_role_binding",
                               "datadog_authn_mapping",
                               "datadog_service_account",
                               "datadog_team_membership",
                               "datadog_user",
                               "datadog_user_role"};
  for (const std::string& type : types) {
    const Conversion made = ConvertedExport(GetState(R"({"mode": "managed", "type": ")" + type +
                                                     R"(", "name": "d", "instances": [{}]})"));
    EXPECT_THAT(LeftOut(made), ElementsAre(HasSubstr(type + ".d: the whole resource"))) << type;
  }
}

TEST(TerraformStates, DefinitionsOfRolesAndTeamsGrantNothing) {
  for (const std::string type : {"datadog_role", "datadog_team", "datadog_monitor",
                                 "datadog_dashboard", "google_project_iam_custom_role"}) {
    const Conversion made = ConvertedExport(GetState(R"({"mode": "managed", "type": ")" + type +
                                                     R"(", "name": "d", "instances": [{}]})"));
    EXPECT_THAT(LeftOut(made), IsEmpty()) << type;
  }
}

TEST(TerraformStates, ATaintedInstanceAndAnotherProviderAreNoted) {
  const std::string resource = MemberOfProject(Instance(R"(, "status": "tainted")"));
  std::string aliased = resource;
  aliased.replace(aliased.find("google\\\"]"), 9, "google\\\"].other");
  const Conversion made = ConvertedExport(GetState(aliased));
  EXPECT_THAT(Specs(made), ElementsAre(kAnasGrant));
  EXPECT_THAT(Notes(made), ElementsAre(HasSubstr("tainted"), HasSubstr("provider \"other\"")));
}

TEST(TerraformStates, WhatIsSensitiveIsLeftOutAndNeverPrinted) {
  const Conversion of_file = ConvertedExport(GetState(MemberOfProject(
      Instance(R"(, "sensitive_attributes": [[{"type": "get_attr", "value": "member"}]])"))));
  const Conversion shown =
      ConvertedExport(ShownOf(ShownMember(kAna, R"(, "sensitive_values": {"member": true})")));
  for (const Conversion* made : {&of_file, &shown}) {
    EXPECT_THAT(made->drafts, IsEmpty());
    EXPECT_THAT(LeftOut(*made), ElementsAre(HasSubstr("some of it is sensitive")));
    for (const std::string& text : MakeRemarks(*made))
      EXPECT_THAT(text, Not(HasSubstr("user:ana")));
    ASSERT_EQ(made->held.size(), 1U);
    EXPECT_THAT(yaml::ToJson(made->held[0].spec).dump(), Not(HasSubstr("user:ana")));
  }
}

TEST(TerraformStates, ASensitiveEtagSaysNothing) {
  const Conversion made = ConvertedExport(
      GetState(MemberOfProject(Instance(R"(, "sensitive_attributes": [[{"type": "get_attr",
                                          "value": "etag"}]])"))));
  EXPECT_THAT(Specs(made), ElementsAre(kAnasGrant));
}

TEST(TerraformStates, WhatNobodyKnowsIsReported) {
  const std::string unknown_key = MemberOfProject(Instance(R"(, "Attributes": {})"));
  const std::string unknown_value =
      R"({"mode": "managed", "type": "google_project_iam_member", "name": "a", "instances": [
          {"attributes": {"project": "acme", "role": "roles/viewer", "Members": ["user:b@example.com"],
                          "member": "user:ana@example.com"}}]})";
  EXPECT_THAT(LeftOut(ConvertedExport(GetState(unknown_key))),
              ElementsAre(HasSubstr("resources[0].instances[0].Attributes")));
  EXPECT_THAT(LeftOut(ConvertedExport(GetState(unknown_value))),
              ElementsAre(HasSubstr("\"Members\"")));
  const Conversion section = ConvertedExport(
      R"({"version": 4, "terraform_version": "1.11.4", "resources": [], "Resources": [{}]})");
  EXPECT_THAT(LeftOut(section), ElementsAre(HasSubstr("did you mean \"resources\"")));
  EXPECT_THAT(LeftOut(ConvertedExport(GetState(R"({"mode": "Managed"})"))),
              ElementsAre(HasSubstr("expected a \"mode\"")));
}

TEST(TerraformStates, AWholePolicyIsReadFromItsText) {
  const Conversion made = ConvertedExport(GetState(
      R"({"mode": "managed", "type": "google_pubsub_topic_iam_policy", "name": "t", "instances": [
          {"attributes": {"project": "acme", "topic": "projects/acme/topics/t", "etag": "x",
           "policy_data": "{\"bindings\":[{\"role\":\"roles/pubsub.viewer\",\"members\":[\"user:ana@example.com\"]},{\"role\":\"roles/pubsub.viewer\",\"members\":[\"user:bob@example.com\"]}]}"}}]})"));
  EXPECT_THAT(Specs(made), ElementsAre(R"(t: {"name":"projects/acme/topics/t","bindings":[{"role":)"
                                       R"("roles/pubsub.viewer","members":["user:ana@example.com",)"
                                       R"("user:bob@example.com"]}]})"));
}

TEST(TerraformStates, ARemovedMemberIsAbsent) {
  const Conversion made = ConvertedExport(GetState(
      R"({"mode": "managed", "type": "google_project_iam_member_remove", "name": "r", "instances": [
          {"attributes": {"project": "acme", "role": "roles/editor", "member": "user:ana@example.com"}}]})"));
  EXPECT_THAT(Specs(made), ElementsAre(HasSubstr(R"("absent":true)")));
  EXPECT_THAT(LeftOut(made), IsEmpty());
}

TEST(TerraformStates, DatadogsBindingsOfOneRelationAreOne) {
  const Conversion made = ConvertedExport(GetState(
      R"({"mode": "managed", "type": "datadog_restriction_policy", "name": "p", "instances": [
          {"attributes": {"id": "dashboard:a-b-c", "resource_id": "dashboard:a-b-c", "bindings": [
            {"relation": "editor", "principals": ["role:94172442-be03-11e9-a77a-3b7612558ac1"]},
            {"relation": "editor", "principals": ["team:94172442-be03-11e9-a77a-3b7612558ac2"]}]}}]})"));
  EXPECT_THAT(Specs(made),
              ElementsAre(HasSubstr(R"(["role:94172442-be03-11e9-a77a-3b7612558ac1",)"
                                    R"("team:94172442-be03-11e9-a77a-3b7612558ac2"])")));
}

TEST(ShownStates, HoldModules) {
  const std::string text = R"json({"format_version": "1.0", "terraform_version": "1.11.4",
    "values": {"root_module": {"resources": [)json" +
                           ShownMember(kAna) + R"json(], "child_modules": [
      {"address": "module.iam", "resources": [
        {"address": "module.iam.google_storage_bucket_iam_binding.b[\"x\"]", "mode": "managed",
         "type": "google_storage_bucket_iam_binding", "name": "b", "index": "x",
         "values": {"bucket": "b/example", "role": "roles/storage.objectViewer",
                    "condition": [{"description": "", "title": "t", "expression":
                                   "request.time < timestamp(\"2027-01-01T00:00:00Z\")"}],
                    "members": ["user:ana@example.com"]}}]}]}}})json";
  const Conversion made = ConvertedExport(text);
  ASSERT_EQ(made.drafts.size(), 2U);
  EXPECT_EQ(made.drafts[1].name, "iam-b-x");
  EXPECT_THAT(Specs(made)[1], HasSubstr(R"("condition":{"expression":"request.time)"));
  EXPECT_THAT(LeftOut(made), IsEmpty());
}

TEST(ShownStates, MayBeEmpty) {
  const Conversion made = ConvertedExport(R"({"format_version": "1.0"})");
  EXPECT_THAT(made.drafts, IsEmpty());
  EXPECT_THAT(LeftOut(made), IsEmpty());
}

TEST(ShownStates, DeposedOnesArePassedOver) {
  const Conversion made = ConvertedExport(
      ShownOf(ShownMember(kAna) + "," + ShownMember(kAna, R"(, "deposed_key": "0011aabb")")));
  EXPECT_THAT(Specs(made), ElementsAre(kAnasGrant));
  EXPECT_THAT(LeftOut(made), IsEmpty());
}

/// A plan: what exists, and changes.
std::string ComposePlan(const std::string& existing, const std::string& changes) {
  return R"({"format_version": "1.2", "terraform_version": "1.11.4", "configuration": {},
    "prior_state": {"format_version": "1.0", "values": {"root_module": {"resources": [)" +
         existing + R"(]}}}, "resource_drift": [], "resource_changes": [)" + changes + "]}";
}

std::string Change(const std::string& name, const std::string& actions, const std::string& rest) {
  return R"({"address": "google_project_iam_member.)" + name +
         R"(", "mode": "managed", "type": "google_project_iam_member", "name": ")" + name +
         R"(", "change": {"actions": [)" + actions + "], " + rest + "}}";
}

TEST(Plans, WhatExistsIsConvertedAsItIs) {
  const Conversion made = ConvertedExport(
      ComposePlan(ShownMember(kAna), Change("ana", R"("delete", "create")", R"("after": null)")));
  EXPECT_THAT(Specs(made), ElementsAre(kAnasGrant));
  EXPECT_THAT(Notes(made), ElementsAre(HasSubstr("before the plan (delete, create)")));
  EXPECT_THAT(LeftOut(made), IsEmpty());
}

TEST(Plans, MayListWhatExistsInTheirChangesAlone) {
  const Conversion made = ConvertedExport(
      std::string(R"({"format_version": "1.2", "resource_changes": [)") +
      Change("ana", "\"no-op\"", std::string("\"before\": ") + kAna + ", \"after\": " + kAna) +
      R"(], "planned_values": {"root_module": {"resources": [)" + ShownMember(kAna) + "]}}}");
  EXPECT_THAT(Specs(made), ElementsAre(kAnasGrant));
  EXPECT_THAT(LeftOut(made), IsEmpty());
}

TEST(Plans, WhatIsCreatedIsConvertedIfItIsKnown) {
  const std::string known = std::string(R"("before": null, "after": )") + kAna +
                            R"(, "after_unknown": {"etag": true, "id": true, "condition": []})";
  const Conversion made = ConvertedExport(ComposePlan("", Change("ana", "\"create\"", known)));
  EXPECT_THAT(Specs(made), ElementsAre(kAnasGrant));
  EXPECT_THAT(LeftOut(made), IsEmpty());

  const std::string unknown =
      R"("after": {"project": "acme", "role": "roles/viewer"}, "after_unknown": {"member": true})";
  const Conversion later = ConvertedExport(ComposePlan("", Change("ana", "\"create\"", unknown)));
  EXPECT_THAT(later.drafts, IsEmpty());
  EXPECT_THAT(LeftOut(later), ElementsAre(HasSubstr("known only once the plan is applied")));
  EXPECT_EQ(later.held.size(), 1U);
}

TEST(Plans, AnUnknownPartOfABlockIsNoAbsentPart) {
  const Conversion made = ConvertedExport(
      ComposePlan("", R"({"address": "google_project_iam_audit_config.logs", "mode": "managed",
             "type": "google_project_iam_audit_config", "name": "logs", "change": {
             "actions": ["create"], "before": null, "after": {"project": "acme",
             "service": "allServices", "audit_log_config": [{"log_type": "DATA_READ"}]},
             "after_unknown": {"id": true, "audit_log_config": [{"exempted_members": true}]}}})"));
  EXPECT_THAT(Specs(made), IsEmpty());
  EXPECT_THAT(LeftOut(made), ElementsAre(HasSubstr("known only once the plan is applied")));
}

TEST(TerraformStates, ANameIsCompletedByItsOwnProjectOrNone) {
  const auto state_with = [](const std::string& arguments) {
    return ConvertedExport(GetState(
        R"({"mode": "managed", "type": "google_kms_key_ring_iam_member", "name": "k",
            "instances": [{"attributes": {"role": "roles/cloudkms.viewer",
            "member": "user:ana@example.com", )" +
        arguments + "}}]}"));
  };
  EXPECT_THAT(Specs(state_with(R"("project": "acme", "key_ring_id": "locations/us/keyRings/r")")),
              ElementsAre(HasSubstr(R"("name":"projects/acme/locations/us/keyRings/r")")));
  const Conversion made = state_with(R"("key_ring_id": "us/r")");
  EXPECT_THAT(Specs(made), IsEmpty());
  EXPECT_THAT(LeftOut(made), ElementsAre(HasSubstr("nothing here names its project")));
  ASSERT_EQ(made.held.size(), 1U);
  EXPECT_THAT(made.held.front().spec.Find("name")->text, HasSubstr("projects/\x01/locations"));
}

TEST(TerraformStates, AttributesThatTheServiceMakesAreLeftAside) {
  const Conversion made = ConvertedExport(GetState(
      R"({"mode": "managed", "type": "datadog_dataset", "name": "web", "instances": [{"attributes":
          {"id": "5d1c", "created_at": "2026-01-01", "created_by": "1d3f", "name": "Web",
           "principals": ["role:94172442-be03-11e9-a77a-3b7612558ac1"],
           "product_filters": [{"product": "logs", "filters": ["@service:web"]}]}}]},
         {"mode": "managed", "type": "datadog_logs_restriction_query", "name": "web",
          "instances": [{"attributes": {"id": "7f3d", "created_at": "2026-01-01",
           "modified_at": "2026-01-02", "restriction_query": "service:web",
           "role_ids": ["94172442-be03-11e9-a77a-3b7612558ac1"]}}]})"));
  EXPECT_THAT(Specs(made),
              ElementsAre(HasSubstr(R"("name":"Web","principals":)"),
                          HasSubstr(R"("restrictionQuery":"service:web","roleIds":)")));
  EXPECT_THAT(LeftOut(made), IsEmpty());
}

TEST(TerraformStates, NamesWithTheVersionOfTheApiAreNames) {
  const auto converted = [](const std::string& service) {
    return Specs(ConvertedExport(GetState(
        R"({"mode": "managed", "type": "google_cloud_run_service_iam_member", "name": "s",
            "instances": [{"attributes": {"project": "acme", "location": "eu", "service": ")" +
        service + R"(", "role": "roles/run.invoker", "member": "allUsers"}}]})")));
  };
  EXPECT_THAT(converted("v1/projects/acme/locations/eu/services/s"),
              ElementsAre(HasSubstr(R"("name":"projects/acme/locations/eu/services/s")")));
  EXPECT_THAT(converted("v1/projects/acme/services/s"), IsEmpty()) << "another form";
}

TEST(States, WhatCannotBeConvertedIsRefusedWithAWayOut) {
  const std::pair<const char*, const char*> cases[] = {
      {R"({"version": 3, "terraform_version": "0.11.0", "modules": []})", "only version 4 is read"},
      {R"({"encrypted_data": "x", "serial": 1})", "is an encrypted state"},
      {R"({"format_version": "2.0"})", "format_version that is not known"},
      {R"({"format_version": "1.0", "provider_schemas": {}})", "holds schemas"},
      {R"({"version": 4, "terraform_version": "1.11.4", "resources": [)", "export.json:1:"},
  };
  for (const auto& [text, reason] : cases) {
    EXPECT_THAT(ConvertedFile(text, "export.json"),
                FailsWith(Code::kInvalidArgument, HasSubstr(reason)))
        << text;
  }
  EXPECT_THAT(ConvertedFile("resource \"a\" \"b\" {\n}\n", "-"),
              FailsWith(Code::kInvalidArgument, HasSubstr("terraform show -json")));
  EXPECT_THAT(ConvertedFile("PK\x03\x04", "-"),
              FailsWith(Code::kInvalidArgument, HasSubstr("a saved plan is not read")));
}

TEST(States, WrongTypesAnywhereAreRemarks) {
  for (
      const char* text :
      {R"({"version": 4, "lineage": 1, "resources": {}})",
       R"({"version": 4, "lineage": 1, "resources": [1]})",
       R"({"version": 4, "lineage": 1, "resources": [{"mode": "managed", "type": 1, "instances": [1]}]})",
       R"({"version": 4, "lineage": 1, "resources": [{"mode": "managed", "type": "google_project_iam_member",
            "name": "a", "instances": [{"attributes": {"project": [], "member": {}}}]}]})",
       R"({"format_version": "1.0", "values": 1})",
       R"({"format_version": "1.0", "values": {"root_module": [1]}})",
       R"({"format_version": "1.0", "values": {"root_module": {"resources": 1, "child_modules": [1]}}})",
       R"({"format_version": "1.2", "prior_state": 1, "resource_changes": [1, {"change": 1}]})"}) {
    EXPECT_THAT(ConvertedFile(text, "export.json"), IsOk()) << text;
  }
}

}  // namespace
}  // namespace bindery::convert
