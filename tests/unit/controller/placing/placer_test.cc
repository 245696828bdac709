#include "controller/placing/placer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/access/canonical_json.h"
#include "providers/registry/kinds.h"

namespace bindery::controller {
namespace {

using ::testing::HasSubstr;

struct PlacerTest : public ::testing::Test {
  PlacerTest() {
    settings.projects = {{"cloudnative", "acme"}};
    settings.provider_types = {{"cloudnative", "cloudnative"}, {"monitoring", "monitoring"}};
  }
  [[nodiscard]] manifests::Manifest PolicyNamed(const std::string& name) const {
    return Of({"cloudnative:networksecurity/v1", "AuthorizationPolicyIamBinding"},
              {{"name", name}, {"role", "roles/viewer"}, {"members", {"user:ana@example.com"}}});
  }
  [[nodiscard]] manifests::Manifest Of(const TypeToken& token, const Json& spec) const {
    manifests::Manifest manifest;
    manifest.name = "m";
    manifest.token = &kinds.Find(token)->schema().token;
    manifest.spec = CanonicalJson(spec);
    return manifest;
  }
  static void Import(manifests::Manifest& manifest, const std::string& id) {
    auto rare = std::make_shared<manifests::ExtraOptions>();
    rare->import_id = id;
    manifest.options.rare = std::move(rare);
  }

  providers::Kinds kinds;
  CatalogSettings settings;
  ProjectNames names;
  Placer placer{kinds, settings, names};
};

constexpr const char* kPolicyName = "projects/acme/locations/global/authorizationPolicies/t";

TEST_F(PlacerTest, AManifestBelongsToItsRoleOnItsTargetThroughItsProvider) {
  const auto placement = placer.Place(PolicyNamed(kPolicyName));
  ASSERT_TRUE(placement.has_value()) << placement.error().message;
  EXPECT_EQ(placement->target.name, kPolicyName);
  EXPECT_EQ(placement->provider, "cloudnative");
  EXPECT_EQ(placement->role, "roles/viewer");
  EXPECT_EQ(placement->grants, 1);
}

TEST_F(PlacerTest, AManifestWithReferencesWaits) {
  manifests::Manifest manifest = PolicyNamed(kPolicyName);
  manifest.references = std::make_shared<const std::vector<manifests::Reference>>();
  EXPECT_EQ(placer.Place(manifest).error().code, Code::kUnavailable);
  const auto told = placer.PlaceUnresolved(manifest);
  ASSERT_TRUE(told.has_value()) << "its place does not depend on them";
  EXPECT_EQ(told->target.name, kPolicyName);
  EXPECT_FALSE(placer
                   .PlaceUnresolved(PolicyNamed(
                       "projects/acme/locations/global/authorizationPolicies/${other.name}"))
                   .has_value());
}

TEST_F(PlacerTest, AProviderThatIsNotConfiguredServesNothing) {
  settings.provider_types.erase("cloudnative");
  const manifests::Manifest manifest = PolicyNamed(kPolicyName);
  EXPECT_FALSE(placer.Place(manifest).has_value());
  EXPECT_TRUE(placer.FindProviderFault(manifest, *placer.FindKindFor(*manifest.token)).has_value());
}

TEST_F(PlacerTest, WhatIsImportedMustBeWhatIsDeclared) {
  manifests::Manifest manifest = PolicyNamed(kPolicyName);
  Import(manifest, std::string(kPolicyName) + " roles/viewer");
  EXPECT_TRUE(placer.Place(manifest).has_value()) << placer.Place(manifest).error().message;
  Import(manifest, std::string(kPolicyName) + " roles/editor");
  EXPECT_THAT(placer.Place(manifest).error().message, HasSubstr("but the manifest declares"));
}

TEST_F(PlacerTest, AProjectHasOneNameWhicheverIsDeclared) {
  const std::string rest = "/locations/global/authorizationPolicies/t";
  names.NoteName("cloudnative", "projects/12345" + rest);
  EXPECT_EQ(placer.Place(PolicyNamed("projects/12345" + rest)).error().code, Code::kUnavailable);
  EXPECT_EQ(placer.Place(PolicyNamed(kPolicyName)).error().code, Code::kUnavailable)
      << "it may be the same policy";
  names.Learn("12345", "acme");
  names.BeginScan();
  EXPECT_EQ(placer.Place(PolicyNamed("projects/12345" + rest))->target.name, kPolicyName);
}

}  // namespace
}  // namespace bindery::controller
