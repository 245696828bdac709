#include "app/plan/target_import.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "manifests/documents/loader.h"
#include "providers/registry/kinds.h"

namespace bindery::app {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kRole = "roles/viewer";

/// Of a project with two grants of one role, which one manifest with the members declares.
TargetImport ImportBeside(const std::string& members) {
  const manifests::FileContent content = manifests::LoadFile(
      "apiVersion: cloudnative:cloudresourcemanager/v3\nkind: ProjectIamBinding\n"
      "metadata: {name: m}\nspec: {name: projects/acme, role: roles/viewer, members: " +
          members + "}\n",
      "a.yaml", providers::KnownKinds());
  EXPECT_EQ(content.manifests.size(), 1U);
  TargetToImport asked;
  asked.target = {"cloudresourcemanager:Project", "", "projects/acme"};
  asked.kinds.binding = providers::KnownKinds().FindByTargets("cloudresourcemanager:Project");
  asked.kinds.member = FindMemberKind(*asked.kinds.binding);
  EXPECT_NE(asked.kinds.member, nullptr);
  asked.seen.exists = true;
  asked.seen.grants = {{kRole, "user:ana@example.com"}, {kRole, "user:bob@example.com"}};
  DeclaredManifest claim{"m", "a.yaml:1", {}, nullptr};
  claim.placement.target = asked.target;
  claim.placement.role = kRole;
  if (!content.manifests.empty()) claim.manifest = content.manifests.front();
  asked.claims = {&claim};
  const KeepingRules keeping;
  const AcceptedDriftRules accepted;
  return ImportTarget(asked, {keeping, accepted, BindingKey::kRole, ImportShape::kBinding, {}});
}

TEST(TargetImport, GrantsBesideADeclaredRoleAreLeftOutWithTheReason) {
  const TargetImport made = ImportBeside("[\"user:Ana@example.com\"]");
  EXPECT_EQ(made.counts.declared, 1) << "one principal in two spellings";
  EXPECT_EQ(made.counts.left_out, 1);
  ASSERT_EQ(made.left_out.size(), 1U);
  EXPECT_THAT(made.left_out.front(),
              AllOf(HasSubstr("1 grant of roles/viewer"), HasSubstr("without them")));
}

TEST(TargetImport, WhatAManifestWithReferencesDeclaresIsNotKnown) {
  const TargetImport made = ImportBeside("[\"user:ana@example.com\", \"user:${me.handle}\"]");
  EXPECT_EQ(made.counts.declared, 0);
  EXPECT_EQ(made.counts.left_out, 2);
  ASSERT_EQ(made.left_out.size(), 1U);
  EXPECT_THAT(made.left_out.front(),
              AllOf(HasSubstr("2 grants of roles/viewer: the manifest \"m\" (a.yaml:1) uses "
                              "references"),
                    Not(HasSubstr("without them"))));
}

Grant ForAna(const std::string& title, const std::string& end) {
  return {kRole, "user:ana@example.com",
          Condition{"request.time < timestamp(\"" + end + "\")", title, ""}};
}

TEST(TargetImport, AnAcceptedGrantThatIsWiderThanADeclaredOneIsDeclaredToo) {
  TargetToImport asked;
  asked.target = {"cloudresourcemanager:Project", "", "projects/acme"};
  asked.kinds.binding = providers::KnownKinds().FindByTargets("cloudresourcemanager:Project");
  asked.kinds.member = FindMemberKind(*asked.kinds.binding);
  asked.seen.exists = true;
  const Grant narrow = ForAna("short", "2027-01-01T00:00:00Z");
  const Grant wide = ForAna("until", "2030-01-01T00:00:00Z");
  asked.seen.grants = {narrow, wide};
  AcceptedDriftRule rule;
  rule.drift_class = DriftClass::kUndeclared;
  rule.member = "user:ana@example.com";
  const KeepingRules keeping;
  const auto import = [&](const std::string& title) {
    rule.condition.title = title;
    const AcceptedDriftRules accepted = {rule};
    return ImportTarget(asked, {keeping, accepted, BindingKey::kRole, ImportShape::kBinding, {}});
  };
  const TargetImport beside_narrow = import("until");
  EXPECT_EQ(beside_narrow.counts.accepted, 0) << "a check calls it a changed condition";
  EXPECT_EQ(beside_narrow.counts.imported, 2);
  const TargetImport beside_wide = import("short");
  EXPECT_EQ(beside_wide.counts.accepted, 1) << "it permits no more than what is declared";
  EXPECT_EQ(beside_wide.counts.imported, 1);
}

TEST(TargetImport, JustInTimeAccessIsToldByTheServiceAndElseByItsForm) {
  TargetToImport asked;
  asked.target = {"cloudresourcemanager:Project", "", "projects/acme"};
  asked.kinds.binding = providers::KnownKinds().FindByTargets("cloudresourcemanager:Project");
  asked.kinds.member = FindMemberKind(*asked.kinds.binding);
  const Grant grant = ForAna("Created by: PAM", "2030-01-01T00:00:00Z");
  asked.seen.grants = {grant};
  asked.seen.exists = true;
  const KeepingRules keeping;
  const AcceptedDriftRules accepted;
  const auto import = [&](const JustInTimeAnswers& answers) {
    asked.just_in_time.answers = answers;
    return ImportTarget(asked, {keeping, accepted, BindingKey::kRole, ImportShape::kBinding, {}});
  };
  using Verdict = JustInTimeAnswer::Verdict;
  EXPECT_EQ(import({}).counts.just_in_time, 1);
  EXPECT_EQ(import({}).counts.unproven, 1);
  EXPECT_EQ(import({{grant, Verdict::kActive, "g", {}}}).counts.just_in_time, 1);
  EXPECT_EQ(import({{grant, Verdict::kActive, "g", {}}}).counts.unproven, 0);
  const TargetImport forged = import({{grant, Verdict::kNone, "", {}}});
  EXPECT_EQ(forged.counts.left_out, 1);
  EXPECT_TRUE(forged.parts.empty());
  ASSERT_EQ(forged.left_out.size(), 1U);
  EXPECT_THAT(forged.left_out.front(), HasSubstr("that the service did not give"));
}

}  // namespace
}  // namespace bindery::app
