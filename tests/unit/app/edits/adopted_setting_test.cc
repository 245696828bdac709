// Audit configurations that join and leave their manifests.

#include "app/edits/adopted_setting.h"

#include <string>

#include "support/matchers.h"
#include "yaml/reader.h"

namespace bindery::app {
namespace {

std::string Same(const std::string& member) { return member; }

constexpr const char* kOfService =
    "metadata: {name: m}\nspec:\n  name: projects/acme\n  service: allServices\n"
    "  auditLogConfigs:\n    - logType: DATA_READ   # all reads\n      exemptedMembers:\n"
    "        - user:a@x.org\n    - logType: DATA_WRITE\n";
constexpr const char* kOfPolicy =
    "metadata: {name: m}\nspec:\n  name: projects/acme\n  auditConfigs:\n    - service: s.com\n"
    "      auditLogConfigs: [{logType: DATA_READ}]\n  bindings: []\n";

using AuditEdits = Expected<std::string> (*)(const AuditManifest&, const Grant&);

Expected<std::string> ApplyAudit(AuditEdits edit, const std::string& text,
                                 const std::string& service, const std::string& unit) {
  const Json spec = yaml::ToJson(*yaml::ReadYaml(text).documents.front().root.Find("spec"));
  return edit({text, "m", spec, &Same}, {"auditConfigs/" + service, unit});
}

std::string Replaced(std::string text, const std::string& part, const std::string& by) {
  return text.replace(text.find(part), part.size(), by);
}

TEST(AdoptedSetting, AUnitJoinsTheManifestOfItsService) {
  EXPECT_EQ(*ApplyAudit(&WithAuditUnit, kOfService, "allServices", "ADMIN_READ"),
            kOfService + std::string("    - logType: ADMIN_READ\n"));
  EXPECT_EQ(
      *ApplyAudit(&WithAuditUnit, kOfService, "allServices", "DATA_READ exempts user:b@x.org"),
      Replaced(kOfService, "user:a@x.org\n", "user:a@x.org\n        - user:b@x.org\n"));
  EXPECT_EQ(
      *ApplyAudit(&WithAuditUnit, kOfService, "allServices", "DATA_WRITE exempts user:b@x.org"),
      kOfService + std::string("      exemptedMembers: [user:b@x.org]\n"));
  EXPECT_EQ(*ApplyAudit(&WithAuditUnit, kOfPolicy, "s.com", "DATA_WRITE"),
            Replaced(kOfPolicy, "READ}", "READ}, {logType: \"DATA_WRITE\"}"));
  EXPECT_EQ(*ApplyAudit(&WithAuditUnit, kOfPolicy, "t.com", "DATA_READ exempts user:b@x.org"),
            Replaced(kOfPolicy, "  bindings",
                     "    - service: t.com\n      auditLogConfigs:\n"
                     "        - logType: DATA_READ\n          exemptedMembers:\n"
                     "            - user:b@x.org\n  bindings"));
}

TEST(AdoptedSetting, AUnitLeavesTheManifest) {
  EXPECT_EQ(
      *ApplyAudit(&WithoutAuditUnit, kOfService, "allServices", "DATA_READ exempts user:a@x.org"),
      Replaced(kOfService, "      exemptedMembers:\n        - user:a@x.org\n", ""));
  EXPECT_EQ(*ApplyAudit(&WithoutAuditUnit, kOfService, "allServices", "DATA_WRITE"),
            Replaced(kOfService, "    - logType: DATA_WRITE\n", ""));
  EXPECT_EQ(*ApplyAudit(&WithoutAuditUnit, kOfPolicy, "s.com", "DATA_READ"),
            "metadata: {name: m}\nspec:\n  name: projects/acme\n  auditConfigs: []\n"
            "  bindings: []\n")
      << "the manifest still declares the audit configuration";
  EXPECT_FALSE(ApplyAudit(&WithoutAuditUnit, kOfService, "allServices", "ADMIN_READ").has_value());
}

TEST(AdoptedSetting, AnExemptionBelongsToItsLogType) {
  const Grant reads{"auditConfigs/s.com", "DATA_READ"};
  EXPECT_TRUE(IsExemptionFrom({"auditConfigs/s.com", "DATA_READ exempts user:a@x.org"}, reads));
  EXPECT_FALSE(IsExemptionFrom({"auditConfigs/t.com", "DATA_READ exempts user:a@x.org"}, reads));
  EXPECT_FALSE(IsExemptionFrom(reads, reads));
}

TEST(AdoptedSetting, AJsonFileStaysJson) {
  const std::string lines =
      "{\n  \"metadata\": {\"name\": \"m\"},\n  \"spec\": {\n    \"service\": \"s.com\",\n"
      "    \"auditLogConfigs\": [\n      {\"logType\": \"DATA_READ\"}\n    ]\n  }\n}\n";
  EXPECT_EQ(*ApplyAudit(&WithAuditUnit, lines, "s.com", "DATA_WRITE"),
            Replaced(lines, "READ\"}", "READ\"},\n      {\"logType\": \"DATA_WRITE\"}"));
  EXPECT_EQ(*ApplyAudit(&WithAuditUnit, lines, "s.com", "DATA_READ exempts user:b@x.org"),
            Replaced(lines, "READ\"}", "READ\", \"exemptedMembers\": [\"user:b@x.org\"]}"));
  const std::string dense =
      R"({"metadata":{"name":"m"},"spec":{"service":"s.com","auditLogConfigs":[{"logType":"DATA_READ"}]}})";
  EXPECT_EQ(*ApplyAudit(&WithAuditUnit, dense, "s.com", "DATA_WRITE exempts user:b@x.org"),
            Replaced(dense, "READ\"}",
                     R"(READ"},{"logType":"DATA_WRITE","exemptedMembers":["user:b@x.org"]})"));
  const std::string spread =
      "{\n  \"metadata\": {\"name\": \"m\"},\n  \"spec\": {\n    \"service\": \"s.com\",\n"
      "    \"auditLogConfigs\": [\n      {\n        \"logType\": \"DATA_READ\"\n      }\n    ]\n"
      "  }\n}\n";
  EXPECT_EQ(*ApplyAudit(&WithAuditUnit, spread, "s.com", "DATA_WRITE exempts user:b@x.org"),
            Replaced(spread, "      }\n    ]",
                     "      },\n      {\n        \"logType\": \"DATA_WRITE\",\n"
                     "        \"exemptedMembers\": [\n          \"user:b@x.org\"\n        ]\n"
                     "      }\n    ]"));
  EXPECT_EQ(
      *ApplyAudit(&WithAuditUnit, spread, "s.com", "DATA_READ exempts user:b@x.org"),
      Replaced(spread, "READ\"\n", "READ\",\n        \"exemptedMembers\": [\"user:b@x.org\"]\n"));
  EXPECT_EQ(
      *ApplyAudit(&WithoutAuditUnit, spread, "s.com", "DATA_READ"),
      Replaced(spread, "[\n      {\n        \"logType\": \"DATA_READ\"\n      }\n    ]", "[]"));
}

}  // namespace
}  // namespace bindery::app
