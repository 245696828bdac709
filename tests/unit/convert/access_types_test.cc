// Resources that grant access, and have no kind, in every form.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <span>
#include <string>

#include "unit/convert/exports.h"

namespace bindery::convert {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// A text of that form with one resource of a type with values, as JSON.
struct FormOfTexts {
  const char* file;
  std::string (*text)(const std::string& type, const std::string& values);
};

std::string StateText(const std::string& type, const std::string& values) {
  return R"({"version": 4, "terraform_version": "1.11.4", "lineage": "x", "resources": [
      {"mode": "managed", "type": ")" +
         type + R"(", "name": "it", "instances": [{"attributes": )" + values + "}]}]}";
}

std::string ShownText(const std::string& type, const std::string& values) {
  return R"({"format_version": "1.0", "values": {"root_module": {"resources": [
      {"address": "a.it", "mode": "managed", "name": "it", "type": ")" +
         type + R"(", "values": )" + values + "}]}}}";
}

std::string PlanText(const std::string& type, const std::string& values) {
  return R"({"format_version": "1.2", "resource_changes": [
      {"address": "a.it", "mode": "managed", "name": "it", "type": ")" +
         type + R"(", "change": {"actions": ["create"], "before": null, "after": )" + values +
         "}}]}";
}

std::string ConfigurationText(const std::string& type, const std::string& values) {
  return R"({"resource": {")" + type + R"(": {"it": )" + values + "}}}";
}

std::string StackText(const std::string& type, const std::string& values) {
  return R"({"version": 3, "deployment": {"resources": [
      {"urn": "urn:pulumi:dev::shop::x::it", "custom": true, "type": ")" +
         type + R"(", "outputs": )" + values + "}]}}";
}

std::string ProgramText(const std::string& type, const std::string& values) {
  return R"({"runtime": "yaml", "resources": {"it": {"type": ")" + type + R"(", "properties": )" +
         values + "}}}";
}

std::string ConnectorText(const std::string& type, const std::string& values) {
  return R"({"apiVersion": "some.cnrm.cloud.google.com/v1beta1", "kind": ")" + type +
         R"(", "metadata": {"name": "it"}, "spec": )" + values + "}";
}

constexpr FormOfTexts kTerraform[] = {{"state.tfstate", StateText},
                                      {"shown.json", ShownText},
                                      {"plan.json", PlanText},
                                      {"main.tf.json", ConfigurationText}};
constexpr FormOfTexts kPulumi[] = {{"stack.json", StackText}, {"Pulumi.json", ProgramText}};
constexpr FormOfTexts kConnectorForms[] = {{"manifest.json", ConnectorText}};

struct AccessTypeCase {
  std::span<const FormOfTexts> forms;
  const char* type;
  const char* values;
  bool counts;
};

constexpr const char* kList = R"({"access": [{"role": "OWNER"}]})";
/// What the service gives to each data set, as states and code have it.
constexpr const char* kGivenToEach = R"({"access": [
    {"role": "OWNER", "special_group": "projectOwners", "domain": "", "view": []},
    {"role": "READER", "special_group": "projectReaders", "user_by_email": ""},
    {"role": "WRITER", "special_group": "projectWriters"}]})";
constexpr const char* kGivenAndMore = R"({"access": [
    {"role": "OWNER", "special_group": "projectOwners"},
    {"role": "READER", "special_group": "allAuthenticatedUsers"}]})";
constexpr const char* kGivenUnderCondition = R"({"access": [
    {"role": "OWNER", "special_group": "projectOwners", "condition": [{"expression": "true"}]}]})";
constexpr const char* kEmptyList = R"({"access": [], "project": "acme"})";

TEST(AccessTypes, WithoutAKindAreNamedInEveryForm) {
  const AccessTypeCase cases[] = {
      {kTerraform, "google_bigquery_dataset", kList, true},
      {kTerraform, "google_bigquery_dataset", kEmptyList, false},
      {kTerraform, "google_bigquery_dataset", "{}", false},
      {kTerraform, "google_bigquery_dataset", kGivenToEach, false},
      {kTerraform, "google_bigquery_dataset", kGivenAndMore, true},
      {kTerraform, "google_bigquery_dataset", kGivenUnderCondition, true},
      {kTerraform, "google_bigquery_table", kList, false},
      {kTerraform, "google_cloud_identity_group_membership", "{}", true},
      {kTerraform, "google_cloud_identity_group", "{}", false},
      {kTerraform, "googleworkspace_group_member", "{}", true},
      {kTerraform, "googleworkspace_group_members", "{}", true},
      {kTerraform, "googleworkspace_role_assignment", "{}", true},
      {kTerraform, "googleworkspace_group", "{}", false},
      {kTerraform, "google_compute_instance_group_membership", "{}", false},
      {kTerraform, "google_privileged_access_manager_entitlement", "{}", true},
      {kTerraform, "google_project_iam_custom_role", "{}", false},
      {kTerraform, "aws_iam_policy", "{}", false},
      {kTerraform, "kubernetes_role_binding", "{}", false},
      {kPulumi, "gcp:bigquery/dataset:Dataset", kList, true},
      {kPulumi, "gcp:bigquery:Dataset", kList, true},
      {kPulumi, "google-native:bigquery/v2:Dataset", kList, true},
      {kPulumi, "gcp:bigquery/dataset:Dataset", kEmptyList, false},
      {kPulumi, "gcp:cloudidentity/groupMembership:GroupMembership", "{}", true},
      {kPulumi, "google-native:cloudidentity/v1:Membership", "{}", true},
      {kPulumi, "gcp:privilegedaccessmanager/entitlement:entitlement", "{}", true},
      {kPulumi, "gcp:storage/bucket:Bucket", "{}", false},
      {kPulumi, "aws:iam/policy:Policy", "{}", false},
      {kConnectorForms, "BigQueryDataset", kList, true},
      {kConnectorForms, "BigQueryDataset", kEmptyList, false},
      {kConnectorForms, "PrivilegedAccessManagerEntitlement", "{}", true},
      {kConnectorForms, "CloudIdentityMembership", "{}", true},
      {kConnectorForms, "StorageBucketAccessControl", "{}", true},
      {kConnectorForms, "IAMAccessBoundaryPolicy", "{}", true},
      {kConnectorForms, "IAMCustomRole", "{}", false},
      {kConnectorForms, "IAMWorkforcePool", "{}", false},
      {kConnectorForms, "PubSubTopic", "{}", false},
  };
  for (const AccessTypeCase& c : cases) {
    for (const FormOfTexts& form : c.forms) {
      const std::string text = form.text(c.type, c.values);
      const Expected<Conversion> made = ConvertedFile(text, form.file);
      ASSERT_TRUE(made) << text;
      EXPECT_THAT(made->drafts, IsEmpty()) << text;
      if (c.counts) {
        EXPECT_THAT(LeftOut(*made), ElementsAre(HasSubstr("the whole resource: "))) << text;
      } else {
        EXPECT_THAT(LeftOut(*made), IsEmpty()) << text;
      }
    }
  }
}

TEST(AccessTypes, OfADataSetTheFieldIsNamed) {
  const auto made = ConvertedFile(StateText("google_bigquery_dataset", kList), "a.tfstate");
  ASSERT_TRUE(made);
  EXPECT_THAT(LeftOut(*made), ElementsAre(HasSubstr("its \"access\" grants access")));
  const auto dynamic = ConvertedFile(
      ConfigurationText("google_bigquery_dataset", R"({"dynamic": {"access": {}}})"), "m.tf.json");
  ASSERT_TRUE(dynamic);
  EXPECT_THAT(LeftOut(*dynamic), ElementsAre(HasSubstr("its \"access\" grants access")));
}

TEST(AccessTypes, DocumentsOfOthersBesideConfigConnectorsAreNotJudgedByTheirWords) {
  const auto made = ConvertedFile(
      "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicyBinding\n"
      "metadata: {name: b}\nspec: {}\n---\n"
      "apiVersion: pubsub.cnrm.cloud.google.com/v1beta1\nkind: PubSubTopic\n"
      "metadata: {name: t}\n",
      "all.yaml");
  ASSERT_TRUE(made);
  EXPECT_THAT(LeftOut(*made), IsEmpty());
}

}  // namespace
}  // namespace bindery::convert
