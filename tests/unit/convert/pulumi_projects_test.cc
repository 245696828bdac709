// The projects of a Pulumi program's resources, and the ids of its imports.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/convert/exports.h"

namespace bindery::convert {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Conversion ConvertedProgram(const std::string& resources, const std::string& default_project,
                            const std::string& section = "") {
  static const providers::Kinds kKinds;
  ConvertWish wish;
  wish.default_project = default_project;
  Expected<Conversion> made = ConvertProgram(
      "runtime: yaml\n" + section + "\nresources:\n" + resources, "p.yaml", wish, kKinds);
  return made ? std::move(*made) : Conversion{};
}

std::string ResourceOf(const std::string& type, const std::string& properties,
                       const std::string& options) {
  return "  a: {type: \"gcp:" + type + "\", properties: {" + properties + "}, options: {" +
         options + "}}\n";
}

TEST(PulumiProjects, AProjectIsNeverInvented) {
  const std::string member = "role: roles/viewer, member: \"user:ana@example.com\"";
  const std::string on_topic = "topic: t, " + member;
  const auto provider = [](const std::string& properties, const std::string& more = "") {
    return "  own: {type: \"pulumi:providers:gcp\", properties: {" + properties + "}" + more +
           "}\n";
  };
  const std::string own = "provider: \"${own}\"";
  struct Case {
    std::string resources;
    const char* default_project;
    const char* name;  ///< Empty: left out.
    const char* reason;
  };
  const Case cases[] = {
      {ResourceOf("projects:IAMMember", member, ""), "", "", "nothing says which"},
      {ResourceOf("projects:IAMMember", member, ""), "acme", "projects/acme", ""},
      {ResourceOf("projects:IAMAuditConfig",
                  "service: allServices, auditLogConfigs: [{logType: DATA_READ}]", ""),
       "", "", "nothing says which"},
      {ResourceOf("projects:IAMMember", member, own) + provider("project: two"), "acme",
       "projects/two", ""},
      {ResourceOf("projects:IAMMember", "project: acme, " + member, own) + provider("project: two"),
       "", "projects/acme", ""},
      {ResourceOf("pubsub:TopicIAMMember", on_topic, own) + provider("project: two"), "acme",
       "projects/two/topics/t", ""},
      {ResourceOf("projects:IAMMember", member, own) + provider("region: eu"), "acme",
       "projects/acme", ""},
      {ResourceOf("projects:IAMMember", member, own) + provider("project: \"${pulumi.project}\""),
       "acme", "", "its provider's project"},
      {ResourceOf("projects:IAMMember", member, own), "acme", "", "its provider's project"},
      {ResourceOf("pubsub:TopicIAMMember", on_topic, own), "acme", "", "its provider's project"},
      {ResourceOf("projects:IAMMember", member, "") +
           provider("project: two", ", defaultProvider: true"),
       "acme", "projects/two", ""},
      {ResourceOf("projects:IAMMember", member, "") + provider("project: two"), "acme",
       "projects/acme", ""},
  };
  for (const Case& c : cases) {
    const Conversion made = ConvertedProgram(c.resources, c.default_project);
    if (c.name[0] == 0) {
      EXPECT_THAT(Specs(made), IsEmpty()) << c.resources;
      EXPECT_THAT(LeftOut(made), Contains(HasSubstr(c.reason))) << c.resources;
      EXPECT_EQ(made.held.size(), 1U) << c.resources;
    } else {
      EXPECT_THAT(Specs(made), ElementsAre(HasSubstr("\"name\":\"" + std::string(c.name) + "\"")))
          << c.resources;
    }
  }
}

TEST(PulumiProjects, TheConfigurationTellsTheProjectOfTheDefaultProvider) {
  const std::string member = "role: roles/viewer, member: \"user:ana@example.com\"";
  const std::string plain = ResourceOf("projects:IAMMember", member, "");
  const std::string own = ResourceOf("projects:IAMMember", member, "provider: \"${own}\"") +
                          "  own: {type: \"pulumi:providers:gcp\", properties: {region: eu}}\n";
  struct Case {
    const char* config;
    std::string resources;
    const char* default_project;
    const char* name;  ///< Empty: left out.
    const char* reason = "";
  };
  const Case cases[] = {
      {"{gcp:project: two}", plain, "", "projects/two"},
      {"{gcp:project: two}", plain, "acme", "projects/two"},
      {"{\"gcp:config:project\": two}", plain, "acme", "projects/two"},
      {"{gcp:project: {value: two}}", plain, "acme", "projects/two"},
      {"{gcp:project: {type: string, default: two}}", plain, "acme", "projects/two"},
      {"{gcp:project: two}", ResourceOf("pubsub:TopicIAMMember", "topic: t, " + member, ""), "acme",
       "projects/two/topics/t"},
      {"{gcp:project: two}", ResourceOf("projects:IAMMember", "project: three, " + member, ""),
       "acme", "projects/three"},
      {"{gcp:project: {value: two, secret: true}}", plain, "acme", "", "its provider's project"},
      {"{gcp:project: {secure: AAAB}}", plain, "acme", "", "its provider's project"},
      {"{gcp:project: {type: string}}", plain, "acme", "", "its provider's project"},
      {"{gcp:project: \"${p}\"}", plain, "acme", "", "its provider's project"},
      {"{gcp:project: null}", plain, "acme", "projects/acme"},
      {"{gcp:region: eu}", plain, "acme", "projects/acme"},
      // Of the default provider alone.
      {"{gcp:project: two}", own, "acme", "projects/acme"},
      {"{gcp:project: two}", own, "", "", "nothing says which"},
      {"{gcp:project: two}",
       plain + "  own: {type: \"pulumi:providers:gcp\", properties: {project: four}, "
               "defaultProvider: true}\n",
       "acme", "projects/four"},
  };
  for (const Case& c : cases) {
    const Conversion made =
        ConvertedProgram(c.resources, c.default_project, std::string("config: ") + c.config);
    const std::string why = std::string(c.config) + c.resources;
    if (c.name[0] == 0) {
      EXPECT_THAT(Specs(made), IsEmpty()) << why;
      EXPECT_THAT(LeftOut(made), Contains(HasSubstr(c.reason))) << why;
      EXPECT_EQ(made.held.size(), 1U) << why;
    } else {
      EXPECT_THAT(Specs(made), ElementsAre(HasSubstr("\"name\":\"" + std::string(c.name) + "\"")))
          << why;
    }
  }
  EXPECT_THAT(Notes(ConvertedProgram(plain, "", "config: {gcp:project: two}")),
              Contains(HasSubstr("a stack may have another one")));
}

TEST(PulumiImports, TheIdsOfTheGcpPackageAreTerraforms) {
  const std::string project = "project: acme, role: roles/storage.admin, ";
  const std::string member = "member: \"user:ana@example.com\"";
  struct Case {
    const char* type;
    std::string properties;
    std::string id;
    std::string made;  ///< Empty: the option is left out.
  };
  const Case cases[] = {
      {"projects:IAMBinding", project + "members: [\"user:ana@example.com\"]",
       "acme roles/storage.admin", "projects/acme roles/storage.admin"},
      {"projects:IAMMember", project + member, "acme roles/storage.admin user:ana@example.com",
       "projects/acme roles/storage.admin user:ana@example.com"},
      {"pubsub:TopicIAMMember", "topic: t, role: roles/viewer, project: acme, " + member,
       "projects/acme/topics/t roles/viewer user:ana@example.com",
       "projects/acme/topics/t roles/viewer user:ana@example.com"},
      {"pubsub:TopicIAMMember", "topic: t, role: roles/viewer, project: acme, " + member,
       "acme/t roles/viewer user:ana@example.com",
       "projects/acme/topics/t roles/viewer user:ana@example.com"},
      {"projects:IAMBinding", project + "members: [\"user:ana@example.com\"]",
       "other roles/storage.admin", ""},
      {"projects:IAMBinding", project + "members: [\"user:ana@example.com\"]", "${pulumi.stack}",
       ""},
  };
  for (const Case& c : cases) {
    const Conversion made = ConvertedProgram(
        ResourceOf(c.type, c.properties, "import: \"" + c.id + "\""), /*default_project=*/"");
    ASSERT_EQ(made.drafts.size(), 1U) << c.id;
    EXPECT_THAT(LeftOut(made), IsEmpty()) << c.id;
    const std::string text = ManifestText(made.drafts.front());
    if (c.made.empty()) {
      EXPECT_THAT(text, ::testing::Not(HasSubstr("import"))) << c.id;
      EXPECT_THAT(Notes(made), Contains(HasSubstr("the id is of another resource"))) << c.id;
    } else {
      EXPECT_THAT(text, HasSubstr("import: " + c.made + "\n")) << c.id;
    }
  }
}

}  // namespace
}  // namespace bindery::convert
