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

}  // namespace
}  // namespace bindery::app
