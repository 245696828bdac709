// Keys that a format does not have: none is passed over in silence.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "unit/convert/exports.h"

namespace bindery::convert {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// A partial policy of Config Connector with these further keys of its parts.
struct PartialPolicy {
  std::string document = {};
  std::string spec = {};
  std::string reference = {};
  std::string binding = {};
  std::string member = {};
  std::string source = {};   ///< Of memberFrom.
  std::string account = {};  ///< Of memberFrom.serviceAccountRef.
};

std::string TextOfPolicy(const PartialPolicy& more) {
  return R"({"apiVersion": "iam.cnrm.cloud.google.com/v1beta1", "kind": "IAMPartialPolicy",
             "metadata": {"name": "p"})" +
         more.document + R"(, "spec": {"resourceRef": {"kind": "Project", "external": "acme")" +
         more.reference + R"(}, "bindings": [{"role": "roles/viewer", "members": [
             {"member": "user:ana@example.com")" +
         more.member + R"(},
             {"memberFrom": {"serviceAccountRef": {"external": "a@acme.iam.gserviceaccount.com")" +
         more.account + "}" + more.source + "}}]" + more.binding + "}]" + more.spec + "}}";
}

TEST(UnknownKeys, OfConfigConnectorLeaveOutWhatTheyAreOf) {
  constexpr const char* kMore = R"(, "zzz": 1)";
  struct Case {
    const char* why;
    PartialPolicy policy;
    std::size_t drafts;
    const char* named;
  };
  const Case cases[] = {
      {"none", {}, 2, ""},
      {"without a value", {.spec = R"(, "zzz": null)"}, 2, ""},
      {"of the document", {.document = kMore}, 2, "zzz: it is not known"},
      {"of the spec", {.spec = kMore}, 0, "\"spec.zzz\""},
      {"of the reference", {.reference = kMore}, 0, "\"spec.resourceRef.zzz\""},
      {"of the reference, in another case",
       {.reference = R"(, "Name": "x")"},
       0,
       "did you mean \"name\"?"},
      {"of a binding", {.binding = kMore}, 0, "\"zzz\""},
      {"of a member", {.member = kMore}, 1, "\"members.zzz\""},
      {"of a source", {.source = kMore}, 1, "\"memberFrom.zzz\""},
      {"of an account", {.account = kMore}, 1, "\"memberFrom.serviceAccountRef.zzz\""},
  };
  for (const Case& c : cases) {
    const Conversion made = ConvertedExport(TextOfPolicy(c.policy));
    EXPECT_EQ(made.drafts.size(), c.drafts) << c.why;
    EXPECT_EQ(made.held.size(), c.drafts == 0 && c.policy.binding.empty() ? 1U : 2U - c.drafts)
        << c.why;
    if (c.named[0] == 0) {
      EXPECT_THAT(LeftOut(made), IsEmpty()) << c.why;
    } else {
      EXPECT_THAT(LeftOut(made), Contains(HasSubstr(c.named))) << c.why;
    }
  }
}

TEST(UnknownKeys, OfAReferenceCountInEveryKindOfConfigConnector) {
  for (const std::string rest :
       {R"("kind": "IAMPolicyMember", "spec": {"role": "roles/viewer", "member": "allUsers", )",
        R"("kind": "IAMPolicy", "spec": {"bindings": [], )",
        R"("kind": "IAMAuditConfig", "spec": {"service": "allServices",
             "auditLogConfigs": [{"logType": "DATA_READ"}], )"}) {
    const Conversion made = ConvertedExport(
        R"({"apiVersion": "iam.cnrm.cloud.google.com/v1beta1", "metadata": {"name": "p"}, )" +
        rest + R"("resourceRef": {"kind": "Project", "external": "acme", "zzz": 1}}})");
    EXPECT_THAT(made.drafts, IsEmpty()) << rest;
    EXPECT_THAT(LeftOut(made), ElementsAre(HasSubstr("\"spec.resourceRef.zzz\""))) << rest;
  }
}

TEST(UnknownKeys, OfTheMetadataOfConfigConnectorCount) {
  struct Case {
    const char* metadata;
    const char* named;  ///< Empty: nothing is left out.
  };
  const Case cases[] = {
      {R"({"name": "p", "namespace": "n", "labels": {"A": "b"}, "uid": "1"})", ""},
      {R"({"name": "p", "annotations": {"Team": "x", "cnrm.cloud.google.com/project-id": "acme"}})",
       ""},
      {R"({"Name": "p"})",
       "metadata.Name: it is not known what this holds, did you mean \"name\"?"},
      {R"({"name": "p", "Namespace": "n"})", "did you mean \"namespace\"?"},
      {R"({"name": "p", "zzz": "n"})", "metadata.zzz: it is not known"},
      {R"({"name": "p", "annotations": {"cnrm.cloud.google.com/Project-Id": "acme"}})",
       "did you mean \"cnrm.cloud.google.com/project-id\"?"},
      {R"({"name": "p", "annotations": {"cnrm.cloud.google.com/Deletion-policy": "abandon"}})",
       "did you mean \"cnrm.cloud.google.com/deletion-policy\"?"},
  };
  for (const Case& c : cases) {
    const Conversion made = ConvertedExport(
        R"({"apiVersion": "iam.cnrm.cloud.google.com/v1beta1", "kind": "IAMPolicyMember",
            "spec": {"role": "roles/viewer", "member": "user:ana@example.com",
                     "resourceRef": {"kind": "Project", "external": "acme"}}, "metadata": )" +
        std::string(c.metadata) + "}");
    EXPECT_EQ(made.drafts.size(), 1U) << c.metadata;
    if (c.named[0] == 0) {
      EXPECT_THAT(LeftOut(made), IsEmpty()) << c.metadata;
    } else {
      EXPECT_THAT(LeftOut(made), Contains(HasSubstr(c.named))) << c.metadata;
    }
  }
}

TEST(UnknownKeys, OfBlocksOfTerraformCount) {
  const std::string resource =
      R"({"resource": {"google_project_iam_member": {"a": {"project": "acme",
          "role": "roles/viewer", "member": "user:ana@example.com"}}}, )";
  const std::string id = "acme roles/viewer user:ana@example.com";
  struct Case {
    std::string block;
    const char* named;  ///< Empty: nothing is left out that counts.
  };
  const Case cases[] = {
      {R"("import": [{"to": "google_project_iam_member.a", "id": ")" + id + "\"}]", ""},
      {R"("import": {"//": "x", "to": "google_project_iam_member.a", "id": ")" + id + "\"}", ""},
      {R"("import": [{"To": "google_project_iam_member.a", "id": ")" + id + "\"}]",
       "import.To: it is not known what this holds, did you mean \"to\"?"},
      {R"("import": [{"to": "google_project_iam_member.a", "Id": ")" + id + "\"}]",
       "import.Id: it is not known what this holds, did you mean \"id\"?"},
      {R"("import": [{"to": "google_project_iam_member.a", "id": "x", "zzz": 1}])", "import.zzz"},
      {R"("moved": {"from": "google_project_iam_member.b", "To": "google_project_iam_member.a"})",
       "moved.To"},
      {R"("removed": {"From": "google_project_iam_member.b"})", "removed.From"},
      {R"("variable": {"p": {"Default": "acme"}})", "variable.p.Default"},
      {R"("variable": {"p": {"default": "acme", "type": "string"}})", ""},
      {R"("provider": {"google": {"Project": "acme"}})", "did you mean \"project\"?"},
      {R"("provider": {"google": {"project": "acme", "user_project_override": true}})", ""},
  };
  for (const Case& c : cases) {
    const Conversion made = ConvertedFile(resource + c.block + "}", "main.tf.json").value();
    EXPECT_EQ(made.drafts.size(), 1U) << c.block;
    if (c.named[0] == 0) {
      EXPECT_THAT(LeftOut(made), IsEmpty()) << c.block;
    } else {
      EXPECT_THAT(LeftOut(made), Contains(HasSubstr(c.named))) << c.block;
    }
  }
}

TEST(UnknownKeys, OfAProviderOfPulumiCount) {
  const Conversion made = ConvertedFile(R"(runtime: yaml
resources:
  own: {type: "pulumi:providers:gcp", properties: {Project: acme}}
)",
                                        "Pulumi.yaml")
                              .value();
  EXPECT_THAT(LeftOut(made), ElementsAre(HasSubstr("did you mean \"project\"?")));
}

TEST(UnknownKeys, InThePlaceOfTheTypeCount) {
  const std::string member =
      R"("values": {"project": "acme", "role": "roles/viewer", "member": "user:ana@example.com"})";
  struct Case {
    const char* why;
    std::string text;
    const char* named;
  };
  const Case cases[] = {
      {"a state",
       R"({"version": 4, "terraform_version": "1.11.4", "lineage": "x", "resources": [
            {"mode": "managed", "Type": "google_project_iam_member", "name": "a",
             "instances": [{"attributes": {}}]}]})",
       "Type: it is not known"},
      {"a shown state",
       R"({"format_version": "1.0", "values": {"root_module": {"resources": [
            {"address": "a", "mode": "managed", "name": "a",
             "Type": "google_project_iam_member", )" +
           member + "}]}}}",
       "a: the whole resource: it has no \"type\""},
      {"a plan",
       R"({"format_version": "1.2", "resource_changes": [
            {"address": "a", "mode": "managed", "name": "a", "Type": "google_project_iam_member",
             "change": {"actions": ["create"], "after": {}}}]})",
       "a: the whole resource: it has no \"type\""},
      {"a stack",
       R"({"version": 3, "deployment": {"resources": [{"urn": "urn:pulumi:d::s::x::it",
            "custom": true, "Type": "gcp:projects/iAMMember:IAMMember"}]}})",
       "Type: it is not known"},
      {"a manifest of Config Connector",
       R"({"apiVersion": "iam.cnrm.cloud.google.com/v1beta1", "Kind": "IAMPolicyMember",
           "metadata": {"name": "a"}, "spec": {}})",
       "Kind: it is not known"},
      {"a list of such manifests",
       R"({"apiVersion": "iam.cnrm.cloud.google.com/v1beta1", "kind": "List", "Items": []})",
       "Items: it is not known"},
  };
  for (const Case& c : cases) {
    const Conversion made = ConvertedExport(c.text);
    EXPECT_THAT(made.drafts, IsEmpty()) << c.why;
    EXPECT_THAT(LeftOut(made), Contains(HasSubstr(c.named))) << c.why;
  }
}

TEST(UnknownKeys, OfAPolicyWithoutBindingsCount) {
  const std::string topic = "//pubsub.googleapis.com/projects/acme/topics/t";
  const auto found = [&topic](const std::string& text) {
    const auto made = ConvertedFile(text, "policy.json", topic);
    return made ? LeftOut(*made) : std::vector<std::string>();
  };
  EXPECT_THAT(found(R"({"etag": "x", "version": 1})"), IsEmpty());
  EXPECT_THAT(found(R"({"etag": "x", "Bindings": [{"role": "roles/viewer", "members": []}]})"),
              ElementsAre(HasSubstr("did you mean \"bindings\"?")));
}

}  // namespace
}  // namespace bindery::convert
