// What a configuration of Terraform tells of values that it does not write out.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/convert/exports.h"

namespace bindery::convert {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Conversion ConvertedConfiguration(const std::string& text) {
  Expected<Conversion> made = ConvertedFile(text, "main.tf.json");
  return made ? std::move(*made) : Conversion{};
}

/// A member of a topic with these arguments.
std::string TopicMember(const std::string& arguments) {
  return R"("google_pubsub_topic_iam_member": {"t": {"role": "roles/pubsub.publisher", )" +
         arguments + "}}";
}

TEST(TerraformKnown, AProviderCompletesTheName) {
  const std::string member = R"("member": "user:ana@example.com", "topic": "orders")";
  const std::pair<std::string, const char*> cases[] = {
      {R"("provider": {"google": {"project": "acme"}}, "resource": {)" + TopicMember(member) + "}",
       "projects/acme/topics/orders"},
      {R"("provider": {"google": [{"project": "acme"}, {"alias": "other", "project": "two"}]},
          "resource": {)" +
           TopicMember(member + R"(, "provider": "google.other")") + "}",
       "projects/two/topics/orders"},
      {R"("provider": {"google": {"project": "${var.p}"}}, "variable": {"p": {"default": "acme"}},
          "resource": {)" +
           TopicMember(member) + "}",
       "projects/acme/topics/orders"},
      {R"("provider": {"google": {"project": "acme"}}, "resource": {)" +
           TopicMember(R"("member": "user:ana@example.com", "topic": "projects/two/topics/t")") +
           "}",
       "projects/two/topics/t"},
      {R"("resource": {)" + TopicMember(member) + "}", "topics/orders"},
  };
  for (const auto& [text, name] : cases) {
    const Conversion made = ConvertedConfiguration("{" + text + "}");
    EXPECT_THAT(Specs(made), ElementsAre(HasSubstr(R"("name":")" + std::string(name) + "\"")))
        << text;
  }
}

TEST(TerraformKnown, AProviderWithoutAnAliasIsNotLeftOut) {
  const std::string member = R"("member": "user:ana@example.com", "topic": "orders", "provider": )";
  const std::string head = R"({"provider": {"google-beta": [{"project": "acme"},
      {"alias": "eu", "project": "acme"}]}, "resource": {)";
  const Conversion made =
      ConvertedConfiguration(head + TopicMember(member + "\"google-beta\"") + "}}");
  EXPECT_THAT(Specs(made), ElementsAre(HasSubstr("projects/acme/topics/orders")));
  EXPECT_THAT(LeftOut(made), IsEmpty());
  EXPECT_THAT(
      LeftOut(ConvertedConfiguration(head + TopicMember(member + "\"google-beta.eu\"") + "}}")),
      ElementsAre(HasSubstr("set options.provider")));
}

TEST(TerraformKnown, AProviderWhoseProjectIsNotKnownCompletesNothing) {
  const Conversion made = ConvertedConfiguration(
      R"({"provider": {"google": {"project": "${var.p}"}}, "resource": {)" +
      TopicMember(R"("member": "user:ana@example.com", "topic": "orders")") + "}}");
  EXPECT_THAT(made.drafts, IsEmpty());
  EXPECT_THAT(LeftOut(made).front(), HasSubstr("its provider's project"));
  EXPECT_EQ(made.held.size(), 1U);
}

TEST(TerraformKnown, AProjectMayBeThatOfAProviderOrOfTheConfigurationFile) {
  const std::string resource =
      R"("resource": {"google_project_iam_member": {"a": {"role": "roles/viewer",
                                                          "member": "user:ana@example.com"}}})";
  EXPECT_THAT(Specs(ConvertedConfiguration(R"({"provider": {"google": {"project": "acme"}}, )" +
                                           resource + "}")),
              ElementsAre(HasSubstr("projects/acme")));
  EXPECT_THAT(LeftOut(ConvertedConfiguration("{" + resource + "}")).front(),
              HasSubstr("nothing says which projects/{project} it is"));
}

TEST(TerraformKnown, AProjectIsNeverInvented) {
  const std::string on_project =
      R"("google_project_iam_member": {"a": {"role": "roles/viewer", "member": "user:a@example.com")";
  const std::string audit =
      R"("google_project_iam_audit_config": {"a": {"service": "allServices",
           "audit_log_config": {"log_type": "DATA_READ"})";
  const std::string on_topic =
      R"("google_pubsub_topic_iam_member": {"a": {"role": "roles/viewer", "topic": "t",
           "member": "user:a@example.com")";
  const std::string beta = R"(, "provider": "google-beta")";
  const std::string other = R"(, "provider": "google.other")";
  struct Case {
    std::string resource;
    const char* reason_without;  ///< Where bindery.yaml has no project.
    const char* name_with;       ///< Where bindery.yaml has one; empty: left out too.
  };
  const Case cases[] = {
      {on_project, "nothing says which", "projects/acme"},
      {audit, "nothing says which", "projects/acme"},
      {on_project + R"(, "provider": "google")", "nothing says which", "projects/acme"},
      {on_project + R"(, "provider": "${google}")", "nothing says which", "projects/acme"},
      {on_project + R"(, "provider": null)", "nothing says which", "projects/acme"},
      {on_project + beta, "its provider's project", ""},
      {on_topic + beta, "its provider's project", ""},
      {on_project + other, "its provider's project", ""},
      {on_topic + other, "its provider's project", ""},
  };
  static const providers::Kinds kKinds;
  for (const Case& c : cases) {
    const std::string text = R"({"resource": {)" + c.resource + "}}}}";
    for (const char* project : {"", "acme"}) {
      ConvertWish wish;
      wish.default_project = project;
      const auto made = ConvertProgram(text, "main.tf.json", wish, kKinds);
      ASSERT_TRUE(made) << text;
      const bool left_out = wish.default_project.empty() || c.name_with[0] == 0;
      EXPECT_EQ(made->drafts.size(), left_out ? 0U : 1U) << text << project;
      EXPECT_EQ(made->held.size(), left_out ? 1U : 0U) << text << project;
      if (left_out) {
        EXPECT_THAT(LeftOut(*made), ::testing::Contains(HasSubstr(c.reason_without))) << text;
      } else {
        EXPECT_THAT(Specs(*made), ElementsAre(HasSubstr(c.name_with))) << text;
      }
    }
  }
}

TEST(TerraformKnown, AProviderWithoutABlockHasNoProjectOfAnotherOne) {
  const std::string head = R"({"provider": {"google": {"project": "two"}}, "resource": {)";
  const std::string member = R"("member": "user:ana@example.com", "topic": "orders")";
  const auto resources = [&](const std::string& more) {
    return head + TopicMember(member + more) + "}}";
  };
  EXPECT_THAT(Specs(ConvertedConfiguration(resources(""))),
              ElementsAre(HasSubstr("projects/two/topics/orders")));
  const Conversion made = ConvertedConfiguration(resources(R"(, "provider": "google-beta")"));
  EXPECT_THAT(made.drafts, IsEmpty());
  EXPECT_THAT(LeftOut(made), ::testing::Contains(HasSubstr("its provider's project")));
  EXPECT_EQ(made.held.size(), 1U);
}

TEST(TerraformKnown, RepeatedBlocksAreSeveralResources) {
  const std::string head = R"({"locals": {"roles": {"v": "roles/viewer"}}, "resource": {
      "google_project_iam_member": {"each": {"project": "acme", "member": "user:ana@example.com", )";
  const Conversion set = ConvertedConfiguration(
      head + R"("for_each": "${toset([\"roles/viewer\", \"roles/browser\"])}",
                "role": "${each.value}"}}}})");
  ASSERT_EQ(set.drafts.size(), 2U);
  EXPECT_EQ(set.drafts[0].name, "each-roles-viewer");
  EXPECT_EQ(set.drafts[1].origin, "resource.google_project_iam_member.each[\"roles/browser\"]");
  EXPECT_THAT(Specs(set)[1], HasSubstr("\"role\":\"roles/browser\""));
  EXPECT_THAT(LeftOut(set), IsEmpty());

  const Conversion map =
      ConvertedConfiguration(head + R"("for_each": "${local.roles}", "role": "${each.value}"}}}})");
  EXPECT_THAT(Specs(map), ElementsAre(HasSubstr("each-v: ")));
  const Conversion none =
      ConvertedConfiguration(head + R"("count": 0, "role": "roles/viewer"}}}})");
  EXPECT_THAT(none.drafts, IsEmpty());
  EXPECT_THAT(LeftOut(none), IsEmpty());
  const Conversion unknown =
      ConvertedConfiguration(head + R"("for_each": "${var.roles}", "role": "${each.value}"}}}})");
  EXPECT_THAT(LeftOut(unknown), ElementsAre(HasSubstr("the file does not tell which")));
  EXPECT_EQ(unknown.held.size(), 1U);
}

TEST(TerraformKnown, OtherResourcesSayWhatTheyAre) {
  const Conversion made = ConvertedConfiguration(R"({
    "variable": {"team": {"default": "group:team@example.com"}, "key": {"default": "x", "sensitive": true}},
    "resource": {
      "google_service_account": {"app": {"account_id": "app", "project": "acme"}},
      "google_storage_bucket": {"data": {"name": "example-data", "location": "EU"}},
      "google_storage_bucket_iam_member": {
        "app": {"bucket": "${google_storage_bucket.data.name}", "role": "roles/storage.objectViewer",
                "member": "serviceAccount:${google_service_account.app.email}"},
        "team": {"bucket": "${google_storage_bucket.data.name}", "role": "roles/storage.admin",
                 "member": "${var.team}"},
        "secret": {"bucket": "b", "role": "roles/storage.admin", "member": "user:${var.key}"},
        "later": {"bucket": "${google_storage_bucket.data.url}", "role": "roles/storage.admin",
                  "member": "user:ana@example.com"}}}})");
  EXPECT_THAT(
      Specs(made),
      ElementsAre(
          R"(app: {"name":"b/example-data","role":"roles/storage.objectViewer","member":"serviceAccount:app@acme.iam.gserviceaccount.com"})",
          R"(team: {"name":"b/example-data","role":"roles/storage.admin","member":"group:team@example.com"})"));
  EXPECT_EQ(made.held.size(), 2U);
}

TEST(TerraformKnown, IdsOfImportsAreTerraforms) {
  const Conversion made = ConvertedConfiguration(R"({"resource": {
      "google_project_iam_binding": {"a": {"project": "acme", "role": "roles/pubsub.viewer",
                                           "members": ["user:ana@example.com"]}},
      "google_storage_bucket_iam_member": {"m": {"bucket": "example", "role": "roles/storage.admin",
                                                 "member": "user:ana@example.com"}}},
    "import": [{"to": "google_project_iam_binding.a", "id": "acme roles/pubsub.viewer"},
               {"to": "google_storage_bucket_iam_member.m", "id": "other roles/storage.admin x"}]})");
  ASSERT_EQ(made.drafts.size(), 2U);
  EXPECT_THAT(ManifestText(made.drafts[0]),
              HasSubstr("import: projects/acme roles/pubsub.viewer\n"));
  EXPECT_THAT(ManifestText(made.drafts[1]), ::testing::Not(HasSubstr("import")));
  EXPECT_THAT(LeftOut(made), IsEmpty());
}

TEST(TerraformKnown, BlocksBesideResourcesMayNameOneOfSeveral) {
  const std::string member = R"("project": "acme", "member": "user:ana@example.com")";
  const std::string role = R"(, "role": "roles/viewer", )";
  struct Case {
    const char* why;
    std::string resource;  ///< The arguments besides the member.
    std::string block;     ///< Beside the resource.
    const char* text;      ///< In the manifest of the last resource; empty: the block is left out.
  };
  const std::string import = R"("import": {"id": "acme roles/viewer user:ana@example.com", "to": )";
  const Case cases[] = {
      {"by a key", role + R"("for_each": "${toset([\"w\", \"x\"])}")",
       import + R"("google_project_iam_member.a[\"x\"]"})",
       "import: projects/acme roles/viewer user:ana@example.com\n"},
      {"by a number", role + R"("count": 2)", import + R"("google_project_iam_member.a[1]"})",
       "import: projects/acme roles/viewer user:ana@example.com\n"},
      {"as an expression", role + R"("count": 2)",
       import + R"("${google_project_iam_member.a[1]}"})",
       "import: projects/acme roles/viewer user:ana@example.com\n"},
      {"a key that is not there", role + R"("count": 2)",
       import + R"("google_project_iam_member.a[7]"})", ""},
      {"all of several", role + R"("count": 2)", import + R"("google_project_iam_member.a"})", ""},
      {"a number of one", role + R"("//": "")", import + R"("google_project_iam_member.a[0]"})",
       ""},
      {"moved to a key", role + R"("for_each": "${toset([\"x\"])}")",
       R"("moved": {"from": "google_project_iam_member.old",
                    "to": "google_project_iam_member.a[\"x\"]"})",
       "aliases:\n    - old\n"},
      {"moved from a key", role + R"("//": "")",
       R"("moved": {"from": "google_project_iam_member.old[\"x\"]",
                    "to": "google_project_iam_member.a"})",
       "aliases:\n    - old-x\n"},
  };
  for (const Case& c : cases) {
    const Conversion made =
        ConvertedConfiguration(R"({"resource": {"google_project_iam_member": {"a": {)" + member +
                               c.resource + "}}}, " + c.block + "}");
    ASSERT_FALSE(made.drafts.empty()) << c.why;
    EXPECT_THAT(LeftOut(made), IsEmpty()) << c.why;
    if (c.text[0] == 0) {
      EXPECT_THAT(Notes(made), ::testing::Contains(HasSubstr("is not carried over"))) << c.why;
    } else {
      EXPECT_THAT(Notes(made), IsEmpty()) << c.why;
      EXPECT_THAT(ManifestText(made.drafts.back()), HasSubstr(c.text)) << c.why;
    }
  }
}

TEST(TerraformKnown, BindingsOfOneRelationAreOne) {
  const Conversion made = ConvertedConfiguration(R"({"resource": {"datadog_restriction_policy": {
    "two": {"resource_id": "dashboard:abc-def-ghi", "bindings": [
      {"relation": "editor", "principals": ["role:94172442-be03-11e9-a77a-3b7612558ac1"]},
      {"relation": "editor", "principals": ["team:94172442-be03-11e9-a77a-3b7612558ac2"]}]},
    "none": {"resource_id": "notebook:123"}}}})");
  EXPECT_THAT(LeftOut(made), IsEmpty());
  EXPECT_THAT(Specs(made), ElementsAre(HasSubstr(R"("role:94172442-be03-11e9-a77a-3b7612558ac1",)"
                                                 R"("team:94172442-be03-11e9-a77a-3b7612558ac2")"),
                                       HasSubstr(R"("bindings":[])")));
}

TEST(TerraformKnown, UnknownSectionsCountAsLeftOut) {
  const Conversion made = ConvertedConfiguration(R"({"resource": {}, "Resource": {"x": {}}})");
  EXPECT_THAT(LeftOut(made), ElementsAre(HasSubstr("did you mean \"resource\"")));
  const auto pulumi = ConvertedFile("resources: {}\nResources: {}\n", "Pulumi.yaml");
  ASSERT_TRUE(pulumi);
  EXPECT_THAT(LeftOut(*pulumi), ElementsAre(HasSubstr("did you mean \"resources\"")));
}

TEST(TerraformKnown, WhatGrantsNoAccessDoesNotCount) {
  const Conversion made = ConvertedConfiguration(R"({"variable": {"x": {}}, "output": {"y": {}},
    "data": {"google_project": {"p": {}}}, "resource": {"google_storage_bucket": {"b": {}},
    "google_bigquery_dataset_iam_member": {"d": {}}}})");
  EXPECT_THAT(LeftOut(made), ElementsAre(HasSubstr("google_bigquery_dataset_iam_member.d")));
}

}  // namespace
}  // namespace bindery::convert
