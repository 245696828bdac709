// What `validate` says of manifests without a cloud, and of names that need a configuration.

#include "app/directory/offline_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "app/directory/offline_scan.h"
#include "app/shell/commands.h"
#include "app/shell/common.h"
#include "support/temp_dir.h"

namespace bindery::app {
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
  std::vector<manifests::Problem> Check(bool with_config) {
    temp_.Write("m/a.yaml", ByPartialName("a"));
    temp_.Write("bindery.yaml", "providers: {cloudnative: {type: cloudnative, embedded: true}}\n");
    CommandContext context;
    context.config_file = temp_ / (with_config ? "bindery.yaml" : "nowhere.yaml");
    const Expected<config::Config> config = ReadConfigForChecks(context);
    EXPECT_TRUE(config.has_value());
    const providers::Kinds kinds;
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
  const std::vector<manifests::Problem> problems = Check(/*with_config=*/false);
  ASSERT_THAT(problems, SizeIs(2));
  EXPECT_EQ(problems[0].code, "RoleConflict");
}

TEST_F(PartialNames, AreOneWhereTheConfigurationHasNoDefaultProject) {
  const std::vector<manifests::Problem> problems = Check(/*with_config=*/true);
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
  const providers::Kinds kinds;
  for (const Case& one : cases) {
    const testing::TempDir temp;
    temp.Write("m/a.yaml", one.text);
    const Expected<GivenFiles> given = ReadGiven({}, kinds, {temp / "m"});
    ASSERT_TRUE(given.has_value());
    std::vector<manifests::Problem> problems;
    AddEmptiedFiles(given->scan, problems);
    EXPECT_EQ(problems.size(), one.emptied ? 1U : 0U) << one.text;
    if (problems.empty()) continue;
    EXPECT_EQ(problems[0].Text(),
              temp / "m/a.yaml" +
                  ": holds no document, and counts as a file with an error: what it "
                  "declared stays in force until the file itself is deleted");
    EXPECT_EQ(problems[0].severity, manifests::ProblemSeverity::kError);
  }
}

TEST(NamedFiles, BeyondTheDaemonsLimitAreAnErrorHereToo) {
  const providers::Kinds kinds;
  const testing::TempDir temp;
  temp.Write("m/whole.yaml", ByPartialName("a"));
  temp.Write("m/large.yaml", ByPartialName("b") + "---\n" + std::string(16U << 20U, '\n'));
  const std::string message = ": holds more than 16777216 bytes: split the file";
  for (const std::string& path : {temp / "m/large.yaml", temp / "m"}) {
    const Expected<GivenFiles> given = ReadGiven({}, kinds, {path});
    ASSERT_TRUE(given.has_value());
    ASSERT_THAT(given->scan.problems, SizeIs(1)) << path;
    EXPECT_EQ(given->scan.problems[0].Text(), temp / "m/large.yaml" + message);
    EXPECT_EQ(given->scan.problems[0].code, "TooLarge");
    EXPECT_THAT(given->scan.broken_files, SizeIs(1));
  }
}

TEST(NamedFiles, WithoutAnEndAreReadUpToTheLimit) {
  const Expected<GivenFiles> given = ReadGiven({}, providers::Kinds(), {"/dev/zero"});
  ASSERT_TRUE(given.has_value());
  ASSERT_THAT(given->scan.problems, SizeIs(1));
  EXPECT_EQ(given->scan.problems[0].code, "TooLarge");
}

TEST(NamedFiles, ThatCannotBeReadSayWhy) {
  const testing::TempDir temp;
  ASSERT_EQ(::symlink("b.yaml", (temp / "a.yaml").c_str()), 0);
  ASSERT_EQ(::symlink("a.yaml", (temp / "b.yaml").c_str()), 0);
  const Expected<GivenFiles> given = ReadGiven({}, providers::Kinds(), {temp / "a.yaml"});
  ASSERT_FALSE(given.has_value());
  EXPECT_EQ(given.error().message,
            "\"" + temp / "a.yaml" + "\" cannot be read: Too many levels of symbolic links");
  const Expected<GivenFiles> missing = ReadGiven({}, providers::Kinds(), {temp / "c.yaml"});
  ASSERT_FALSE(missing.has_value());
  EXPECT_EQ(missing.error().message, "there is no \"" + temp / "c.yaml" + "\"");
}

}  // namespace
}  // namespace bindery::app
