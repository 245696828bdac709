// What `validate` says of manifests without a cloud, and of names that need a configuration.

#include "app/directory/offline_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/directory/offline_scan.h"
#include "app/shell/commands.h"
#include "app/shell/common.h"
#include "support/temp_dir.h"

namespace bindery {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::string ByPartialName(const std::string& name) {
  return "apiVersion: cloudnative:networksecurity/v1\nkind: AuthorizationPolicyIamBinding\n"
         "metadata: {name: " +
         name +
         "}\nspec: {name: locations/global/authorizationPolicies/a, role: roles/viewer, members: "
         "[\"user:ana@example.com\"]}\n";
}

class PartialNames : public ::testing::Test {
 protected:
  /// Of a folder with one manifest that relies on a default project, and those besides.
  std::vector<Problem> Check(bool with_config) {
    temp_.Write("m/a.yaml", ByPartialName("a"));
    temp_.Write("bindery.yaml", "providers: {cloudnative: {type: cloudnative, embedded: true}}\n");
    CommandContext context;
    context.config_file = temp_ / (with_config ? "bindery.yaml" : "nowhere.yaml");
    const Expected<Config> config = ReadConfigForChecks(context);
    EXPECT_TRUE(config.has_value());
    const Kinds kinds;
    const Expected<GivenFiles> given = ReadGiven(config->manifests, kinds, {temp_ / "m"});
    EXPECT_TRUE(given.has_value());
    return CheckOffline(*config, kinds, given->scan);
  }
  testing::TempDir temp_;
};

TEST_F(PartialNames, AreNoFaultWhereNothingIsKnownOfProjects) {
  EXPECT_THAT(Check(/*with_config=*/false), IsEmpty());
}

TEST_F(PartialNames, StillConflictWithEachOther) {
  temp_.Write("m/b.yaml", ByPartialName("b"));
  const std::vector<Problem> problems = Check(/*with_config=*/false);
  ASSERT_THAT(problems, SizeIs(2));
  EXPECT_EQ(problems[0].code, "RoleConflict");
}

TEST_F(PartialNames, AreOneWhereTheConfigurationHasNoDefaultProject) {
  const std::vector<Problem> problems = Check(/*with_config=*/true);
  ASSERT_THAT(problems, SizeIs(1));
  EXPECT_THAT(problems[0].message, HasSubstr("has no default project"));
}

TEST(EmptiedFiles, CountAsFilesWithAnError) {
  struct Case {
    const char* text;
    bool emptied;
  };
  const Case cases[] = {{"", true},       {" \n\n", true},    {"# later\n", true}, {"---\n", true},
                        {"null\n", true}, {"kind: [", false}, {"kind: X\n", false}};
  const Kinds kinds;
  for (const Case& one : cases) {
    const testing::TempDir temp;
    temp.Write("m/a.yaml", one.text);
    const Expected<GivenFiles> given = ReadGiven({}, kinds, {temp / "m"});
    ASSERT_TRUE(given.has_value());
    std::vector<Problem> problems;
    AddEmptiedFiles(given->scan, problems);
    EXPECT_EQ(problems.size(), one.emptied ? 1U : 0U) << one.text;
    if (problems.empty()) continue;
    EXPECT_EQ(problems[0].Text(),
              temp / "m/a.yaml" +
                  ": holds no document, and counts as a file with an error: what it "
                  "declared stays in force until the file itself is deleted");
    EXPECT_EQ(problems[0].severity, ProblemSeverity::kError);
  }
}

}  // namespace
}  // namespace bindery
