// What `pulumi stack export` prints.

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
using ::testing::Not;

std::string ExportOf(const std::string& resources, const std::string& more = "") {
  return R"({"version": 3, "deployment": {"manifest": {}, "metadata": {}, "resources": [)" +
         resources + "]" + more + "}}";
}

std::string Ana(const std::string& more = "", const std::string& name = "ana",
                const std::string& member = "\"user:ana@example.com\"") {
  return R"({"urn": "urn:pulumi:dev::shop::gcp:projects/iAMMember:IAMMember::)" + name +
         R"(", "custom": true, "id": "x", "type": "gcp:projects/iAMMember:IAMMember",
             "inputs": {"__defaults": [], "project": "acme", "role": "roles/viewer", "member": )" +
         member + R"(}, "outputs": {"etag": "BwY=", "id": "x", "project": "acme",
             "role": "roles/viewer", "member": )" +
         member + "}" + more + "}";
}

constexpr const char* kAnaSpec =
    R"(ana: {"name":"projects/acme","role":"roles/viewer","member":"user:ana@example.com"})";

TEST(PulumiExports, AreConverted) {
  const Conversion made = ConvertedExport(ExportOf(Ana(R"(, "protect": true, "parent": "urn:x")")));
  EXPECT_THAT(Specs(made), ElementsAre(kAnaSpec));
  EXPECT_THAT(LeftOut(made), IsEmpty());
  EXPECT_THAT(ManifestText(made.drafts.front()), HasSubstr("options:\n  protect: true\n"));
  EXPECT_EQ(made.form, ProgramForm::kPulumi);
}

TEST(PulumiExports, OfCheckpointsAreConvertedToo) {
  const Conversion made =
      ConvertedExport(R"({"version": 3, "checkpoint": {"stack": "dev", "latest": {"resources": [)" +
                      Ana() + "]}}}");
  EXPECT_THAT(Specs(made), ElementsAre(kAnaSpec));
  EXPECT_THAT(LeftOut(made), IsEmpty());
}

TEST(PulumiExports, ANameMayHoldColons) {
  const Conversion made = ConvertedExport(ExportOf(Ana("", "team::ana")));
  ASSERT_EQ(made.drafts.size(), 1U);
  EXPECT_EQ(made.drafts[0].name, "team--ana");
}

TEST(PulumiExports, WhatIsNoAccessIsPassedOver) {
  const Conversion made = ConvertedExport(ExportOf(
      Ana() + "," + Ana(R"(, "delete": true)") + "," + Ana(R"(, "external": true)") +
      R"(, {"urn": "urn:pulumi:dev::shop::pulumi:pulumi:Stack::shop-dev", "type": "pulumi:pulumi:Stack"}
         , {"urn": "urn:pulumi:dev::shop::gcp:storage/bucket:Bucket::b", "type": "gcp:storage/bucket:Bucket"})"));
  EXPECT_THAT(Specs(made), ElementsAre(kAnaSpec));
  EXPECT_THAT(LeftOut(made), IsEmpty());
}

TEST(PulumiExports, OfVersionFourNameTheirFeatures) {
  std::string text = ExportOf(Ana());
  text.replace(text.find("3"), 1,
               R"(4, "features": ["refreshBeforeUpdate", "views", "hooks", "taint"])");
  const Conversion made = ConvertedExport(text);
  EXPECT_THAT(Specs(made), ElementsAre(kAnaSpec));
  EXPECT_THAT(LeftOut(made), IsEmpty());
}

TEST(PulumiExports, OfTheSecondVersionOfSecurityCommandCenterAreOfTheSameSources) {
  const std::string type =
      "gcp:securitycenter/v2OrganizationSourceIamMember:V2OrganizationSourceIamMember";
  const Conversion made = ConvertedExport(
      ExportOf(R"({"urn": "urn:pulumi:dev::shop::)" + type + R"(::s", "type": ")" + type +
               R"(", "inputs": {"organization": "1", "source": "organizations/1/sources/2",
          "role": "roles/viewer", "member": "user:ana@example.com"}})"));
  EXPECT_THAT(Specs(made), ElementsAre(HasSubstr(R"("name":"organizations/1/sources/2")")));
  EXPECT_THAT(LeftOut(made), IsEmpty());
}

TEST(PulumiExports, WithAFeatureThatNobodyKnowsAreRefused) {
  std::string text = ExportOf(Ana());
  text.replace(text.find("3"), 1, R"(4, "features": ["views", "halves"])");
  EXPECT_THAT(ConvertedFile(text, "export.json"),
              FailsWith(Code::kInvalidArgument, HasSubstr("not known: \"halves\"")));
}

TEST(PulumiExports, WhatAnInterruptedReplacementDeletedIsLeftOut) {
  const Conversion made = ConvertedExport(ExportOf(Ana(R"(, "pendingReplacement": true)")));
  EXPECT_THAT(Specs(made), IsEmpty());
  EXPECT_THAT(LeftOut(made), ElementsAre(HasSubstr("pulumi up creates it anew")));
  EXPECT_EQ(made.held.size(), 1U);
}

TEST(PulumiExports, AnInputThatIsASecretIsOneInTheOutputs) {
  std::string text = ExportOf(Ana());
  const std::string plain = R"("user:ana@example.com")";
  text.replace(text.find(plain), plain.size(),
               R"({"4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
                   "ciphertext": "v1:abc"})");
  const Conversion made = ConvertedExport(text);
  EXPECT_THAT(Specs(made), IsEmpty());
  EXPECT_THAT(LeftOut(made), ElementsAre(HasSubstr("some of it is secret")));
}

TEST(PulumiExports, AccessWithoutAKindIsLeftOut) {
  for (const std::string type :
       {"datadog:index/userRole:UserRole", "datadog:index/authnMapping:AuthnMapping",
        "datadog:index/teamMembership:TeamMembership", "datadog:ServiceAccount",
        "gcp:bigquery/datasetAccess:DatasetAccess"}) {
    const Conversion made = ConvertedExport(ExportOf(
        R"({"urn": "urn:pulumi:dev::shop::x::it", "custom": true, "type": ")" + type + R"("})"));
    EXPECT_THAT(LeftOut(made), ElementsAre(HasSubstr("urn:pulumi:dev::shop::x::it"))) << type;
  }
}

TEST(PulumiExports, SecretsAreLeftOutAndNeverPrinted) {
  for (const char* value :
       {R"({"4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
            "plaintext": "\"user:ana@example.com\""})",
        R"({"4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
            "ciphertext": "v1:abc"})"}) {
    const Conversion made = ConvertedExport(ExportOf(Ana("", "ana", value)));
    EXPECT_THAT(made.drafts, IsEmpty());
    EXPECT_THAT(LeftOut(made), ElementsAre(HasSubstr("some of it is secret")));
    EXPECT_THAT(MakeRemarks(made).front(), Not(HasSubstr("user:ana")));
    ASSERT_EQ(made.held.size(), 1U);
    EXPECT_THAT(yaml::ToJson(made.held[0].spec).dump(), Not(HasSubstr("user:ana")));
  }
}

TEST(PulumiExports, UnknownValuesAreLeftOut) {
  const Conversion made =
      ConvertedExport(ExportOf(Ana("", "ana", "\"04da6b54-80e4-46f7-96ec-b56ff0331ba9\"")));
  EXPECT_THAT(LeftOut(made), ElementsAre(HasSubstr("no plain values")));
}

TEST(PulumiExports, APendingOperationIsReported) {
  const Conversion made = ConvertedExport(ExportOf(
      Ana(), R"(, "pending_operations": [{"type": "creating", "resource": )" + Ana("", "bob") +
                 R"(}, {"type": "updating", "resource": )" + Ana() + "}]"));
  EXPECT_THAT(Specs(made), ElementsAre(kAnaSpec));
  EXPECT_THAT(LeftOut(made), ElementsAre(HasSubstr("interrupted (creating)")));
  EXPECT_THAT(Notes(made), ElementsAre(HasSubstr("interrupted (updating)")));
}

TEST(PulumiExports, OfOtherPackagesAreConverted) {
  const Conversion made = ConvertedExport(ExportOf(
      R"({"urn": "urn:pulumi:dev::shop::google-native:storage/v1:BucketIamBinding::b",
          "type": "google-native:storage/v1:BucketIamBinding",
          "inputs": {"name": "b/data", "role": "roles/storage.objectViewer", "members": ["user:ana@example.com"]},
          "outputs": {"etag": "x", "name": "b/data", "role": "roles/storage.objectViewer", "members": ["user:ana@example.com"]}}
         , {"urn": "urn:pulumi:dev::shop::datadog:index/restrictionPolicy:RestrictionPolicy::p",
          "type": "datadog:index/restrictionPolicy:RestrictionPolicy",
          "outputs": {"id": "dashboard:a-b-c", "resourceId": "dashboard:a-b-c", "bindings": [
            {"relation": "editor", "principals": ["role:94172442-be03-11e9-a77a-3b7612558ac1"]}]}})"));
  EXPECT_THAT(LeftOut(made), IsEmpty());
  ASSERT_EQ(made.drafts.size(), 2U);
  EXPECT_EQ(made.drafts[0].kind->token.kind, "BucketIamBinding");
  EXPECT_EQ(made.drafts[1].kind->token.kind, "RestrictionPolicy");
}

TEST(PulumiExports, WhatNobodyKnowsIsReported) {
  EXPECT_THAT(LeftOut(ConvertedExport(ExportOf(Ana(R"(, "Inputs": {})")))),
              ElementsAre(HasSubstr("deployment.resources[0].Inputs")));
  EXPECT_THAT(LeftOut(ConvertedExport(ExportOf(Ana(), R"(, "Resources": [])"))),
              ElementsAre(HasSubstr("did you mean \"resources\"")));
  EXPECT_THAT(ConvertedFile(R"({"version": 1, "deployment": {}})", "x.json"),
              FailsWith(Code::kInvalidArgument, HasSubstr("only versions 3 and 4")));
}

}  // namespace
}  // namespace bindery::convert
