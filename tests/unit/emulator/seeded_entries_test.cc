#include "emulator/seeded_entries.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace bindery::emulator {
namespace {

using ::testing::ElementsAre;

Entry Made(std::string_view section, const std::string& key, int value = 1) {
  return {std::string(section), key, Json(value)};
}

std::vector<std::string> Texts(const SeededEntries& seeded) {
  std::vector<std::string> texts;
  for (const Entry& entry : seeded.entries()) {
    texts.push_back(entry.section + " " + entry.key + " " + entry.value.dump());
  }
  return texts;
}

TEST(SeededEntries, KeepWhatNoApiChanges) {
  EXPECT_TRUE(SeededEntries::Keeps(section::kPrincipals));
  EXPECT_TRUE(SeededEntries::Keeps(section::kProjects));
  EXPECT_TRUE(SeededEntries::Keeps(section::kCredentials));
  EXPECT_TRUE(SeededEntries::Keeps(section::kMetadata));
  EXPECT_TRUE(SeededEntries::Keeps(section::kOptions));
  EXPECT_FALSE(SeededEntries::Keeps(section::kIamPolicies));
  EXPECT_FALSE(SeededEntries::Keeps(section::kDatasets));
}

TEST(SeededEntries, AreSectionBySectionAsTheyCame) {
  SeededEntries seeded;
  seeded.Put(Made(section::kOptions, "options"));
  seeded.Put(Made(section::kCredentials, "z"));
  seeded.Put(Made(section::kProjects, "p"));
  seeded.Put(Made(section::kServiceAccounts, "a"));
  seeded.Put(Made(section::kPrincipals, "m"));
  seeded.Put(Made(section::kPrincipals, "b"));
  EXPECT_THAT(Texts(seeded),
              ElementsAre("principals m 1", "principals b 1", "projects p 1", "credentials z 1",
                          "serviceAccounts a 1", "options options 1"));
}

TEST(SeededEntries, HaveOneEntryOfOptions) {
  SeededEntries seeded;
  EXPECT_FALSE(seeded.Holds(Made(section::kOptions, "options")));
  seeded.Put(Made(section::kOptions, "options", 1));
  seeded.Put(Made(section::kOptions, "options", 2));
  EXPECT_THAT(Texts(seeded), ElementsAre("options options 2"));
  EXPECT_TRUE(seeded.Holds(Made(section::kOptions, "other")));
}

TEST(SeededEntries, AreFoundBySectionAndKey) {
  SeededEntries seeded;
  seeded.Put(Made(section::kProjects, "p"));
  EXPECT_TRUE(seeded.Holds(Made(section::kProjects, "p", 2)));
  EXPECT_FALSE(seeded.Holds(Made(section::kProjects, "q")));
  EXPECT_FALSE(seeded.Holds(Made(section::kPrincipals, "p")));
  seeded.Clear();
  EXPECT_FALSE(seeded.Holds(Made(section::kProjects, "p")));
}

}  // namespace
}  // namespace bindery::emulator
