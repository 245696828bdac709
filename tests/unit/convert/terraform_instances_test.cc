// Instances in states of Terraform: paths to sensitive values, the status, the provider.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "unit/convert/exports.h"

namespace bindery::convert {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* kGrantOfAna =
    R"(ana: {"name":"projects/acme","role":"roles/viewer","member":"user:ana@example.com"})";

/// A state with one access resource and, where `more_resources` says so, others. `more` is in the
/// instance.
std::string StateWith(const std::string& more, const std::string& more_resources = "") {
  return R"({"version": 4, "terraform_version": "1.11.4", "resources": [
      {"mode": "managed", "type": "google_project_iam_member", "name": "ana", "instances": [
       {"attributes": {"project": "acme", "role": "roles/viewer", "condition": [],
                       "member": "user:ana@example.com"})" +
         more + "}]}" + more_resources + "]}";
}

/// Terraform writes the key of an index with its type.
constexpr const char* kKeys[] = {
    R"({"value": 0, "type": "number"})",
    R"({"value": "a", "type": "string"})",
    R"({"value": {"value": "x", "type": "string"}, "type": "dynamic"})",
};

std::string SensitiveAt(const std::string& attribute, const std::string& key) {
  return R"(, "sensitive_attributes": [[{"type": "get_attr", "value": ")" + attribute +
         R"("}, {"type": "index", "value": )" + key +
         R"(}, {"type": "get_attr", "value": "title"}]])";
}

TEST(TerraformInstances, OfOtherResourcesMayHaveSensitivePathsWithIndexes) {
  for (const char* key : kKeys) {
    const Conversion made = ConvertedExport(
        StateWith("", R"(, {"mode": "managed", "type": "google_container_cluster", "name": "c",
            "instances": [{"attributes": {"master_auth": [{"title": "k"}]})" +
                          SensitiveAt("master_auth", key) + "}]}"));
    EXPECT_THAT(Specs(made), ElementsAre(kGrantOfAna)) << key;
    EXPECT_THAT(LeftOut(made), IsEmpty()) << key;
  }
}

TEST(TerraformInstances, AreLeftOutWhereASensitivePathHasAnIndex) {
  for (const char* key : kKeys) {
    const Conversion made = ConvertedExport(StateWith(SensitiveAt("condition", key)));
    EXPECT_THAT(Specs(made), IsEmpty()) << key;
    EXPECT_THAT(LeftOut(made), ElementsAre(HasSubstr("some of it is sensitive"))) << key;
  }
}

TEST(TerraformInstances, OfAnUnknownStatusAreLeftOut) {
  const Conversion made = ConvertedExport(StateWith(R"(, "status": "planned")"));
  EXPECT_THAT(Specs(made), IsEmpty());
  EXPECT_THAT(LeftOut(made), ElementsAre(HasSubstr("its \"status\" is not known: \"planned\"")));
}

TEST(TerraformInstances, OfOpenTofuMayHaveAProviderEach) {
  const Conversion made = ConvertedExport(StateWith(
      R"(, "instance_provider": "provider[\"registry.opentofu.org/hashicorp/google\"].eu[\"a\"]")"));
  EXPECT_THAT(Specs(made), ElementsAre(kGrantOfAna));
  EXPECT_THAT(LeftOut(made), IsEmpty());
  EXPECT_THAT(Notes(made), ElementsAre(HasSubstr("its provider \"eu[")));
}

}  // namespace
}  // namespace bindery::convert
