// Manifests with references: what they declare is not known.

#include "app/plan/adopted_item.h"

#include <string>

#include "manifests/documents/loader.h"
#include "providers/registry/kinds.h"
#include "support/matchers.h"
#include "support/temp_dir.h"

namespace bindery::app {
namespace {

using testing::FailsWith;
using ::testing::HasSubstr;

constexpr const char* kBinding =
    "apiVersion: cloudnative:cloudresourcemanager/v3\nkind: ProjectIamBinding\n"
    "metadata: {name: m}\nspec: {name: projects/acme, role: roles/viewer, members: ";
constexpr const char* kBoard =
    "apiVersion: monitoring\nkind: RestrictionPolicy\n"
    "metadata: {name: m}\nspec: {resourceId: \"dashboard:abc-def-ghi\", bindings: ";

DeclaredManifest FindManifest(const std::string& text, const Target& target,
                              const std::string& role) {
  const manifests::FileContent content =
      manifests::LoadFile(text + "}\n", "a.yaml", providers::KnownKinds());
  EXPECT_EQ(content.problems.size(), 0U);
  EXPECT_EQ(content.manifests.size(), 1U);
  DeclaredManifest declared{"m", "a.yaml:1", {}, nullptr};
  declared.placement.target = target;
  declared.placement.role = role;
  if (!content.manifests.empty()) declared.manifest = content.manifests.front();
  return declared;
}

store::DriftRecord DifferenceOn(const Target& target, DriftClass drift_class, const Grant& grant) {
  store::DriftRecord difference;
  difference.target = target;
  difference.item.drift_class = drift_class;
  difference.item.grant = grant;
  if (drift_class == DriftClass::kMissing) difference.item.resource = "m";
  return difference;
}

TEST(AdoptedItem, AMissingGrantOfAManifestWithReferencesIsTakenOutByHand) {
  const Target target{"cloudresourcemanager:Project", "", "projects/acme"};
  const store::DriftRecord missing =
      DifferenceOn(target, DriftClass::kMissing, {"roles/viewer", "user:ana@example.com"});
  const auto edit = [&](const std::string& members, const Target& placed) {
    return EditForDifference({}, missing,
                             {FindManifest(kBinding + members, placed, "roles/viewer")});
  };
  EXPECT_THAT(edit("[\"user:${me.handle}\"]", target),
              FailsWith(Code::kFailedPrecondition, HasSubstr("\"m\" (a.yaml:1) uses references")));
  EXPECT_THAT(edit("[\"user:${me.handle}\"]", {}),
              FailsWith(Code::kFailedPrecondition, HasSubstr("uses references")))
      << "its place is not known either";
  EXPECT_THAT(edit("[\"user:bob@example.com\"]", target),
              FailsWith(Code::kAlreadyExists, HasSubstr("no manifest declares the grant")));
}

TEST(AdoptedItem, AGrantJoinsNoListThatIsAReference) {
  struct Case {
    const char* text;
    Target target;
    const char* role;  ///< Of the placement.
    Grant grant;
  };
  for (const Case& tested : {
           Case{kBinding,
                {"cloudresourcemanager:Project", "", "projects/acme"},
                "roles/viewer",
                {"roles/viewer", "user:eve@example.com"}},
           Case{kBoard,
                {"RestrictionPolicy", "monitoring", "dashboard:abc-def-ghi"},
                "*",
                {"editor", "user:eve"}},
       }) {
    SCOPED_TRACE(tested.text);
    const DeclaredManifest manifest =
        FindManifest(tested.text + std::string("\"${other.list}\""), tested.target, tested.role);
    EXPECT_THAT(
        EditForDifference({}, DifferenceOn(tested.target, DriftClass::kUndeclared, tested.grant),
                          {manifest}),
        FailsWith(Code::kFailedPrecondition, HasSubstr("uses references")));
  }
}

TEST(AdoptedItem, TheOnlyGrantOfAWholePolicyKeepsItsClaim) {
  constexpr const char* kPolicy =
      "apiVersion: cloudnative:cloudresourcemanager/v3\nkind: ProjectIamPolicy\n"
      "metadata: {name: m}\noptions: {retainOnDelete: false}\nspec: {name: projects/acme, ";
  constexpr const char* kBindings =
      "bindings: [{role: roles/viewer, members: [\"user:ana@example.com\"]}]";
  constexpr const char* kSettings =
      ", auditConfigs: [{service: allServices, auditLogConfigs: [{logType: DATA_READ}]}]";
  struct Case {
    std::string text;
    Target target;
    const char* role;  ///< Of the placement.
    Grant grant;
  };
  const Target project{"cloudresourcemanager:Project", "", "projects/acme"};
  const Grant ana{"roles/viewer", "user:ana@example.com"};
  const std::string editor = "user:94172442-be03-11e9-a77a-3b7612558ac1";
  for (const Case& tested : {
           Case{kPolicy + std::string(kBindings), project, "*", ana},
           Case{kPolicy + std::string(kBindings) + kSettings, project, "*+", ana},
           Case{kBoard + ("[{relation: editor, principals: [\"" + editor + "\"]}]"),
                {"RestrictionPolicy", "monitoring", "dashboard:abc-def-ghi"},
                "*",
                {"editor", editor}},
       }) {
    SCOPED_TRACE(tested.text);
    const testing::TempDir dir;
    dir.Write("a.yaml", tested.text + "}\n");
    dir.Write("b.yaml", "# Another file.\n");
    config::Config config;
    config.manifests.directory = dir.path();
    EXPECT_THAT(
        EditForDifference(config, DifferenceOn(tested.target, DriftClass::kMissing, tested.grant),
                          {FindManifest(tested.text, tested.target, tested.role)}),
        FailsWith(Code::kFailedPrecondition, HasSubstr("nobody would claim the policy")));
  }
}

}  // namespace
}  // namespace bindery::app
