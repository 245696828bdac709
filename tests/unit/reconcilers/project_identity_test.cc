// Names of policies, of which one may have two.

#include "reconcilers/project_identity.h"

#include <gtest/gtest.h>

namespace bindery::reconcilers {
namespace {

struct NamePair {
  const char* name;
  const char* other;
  bool may_be_one;
  const char* why;
};

TEST(ProjectIdentity, TwoNamesMayBeOfOnePolicyWhereOneHasANumber) {
  const NamePair pairs[] = {
      {"projects/1/topics/t", "projects/acme/topics/t", true, "id and number"},
      {"projects/1", "projects/acme", true, "the project itself"},
      {"projects/1/topics/t", "projects/2/topics/t", false, "two numbers are two projects"},
      {"projects/a/topics/t", "projects/b/topics/t", false, "two ids likewise"},
      {"projects/1/topics/t", "projects/acme/topics/u", false, "another topic"},
      {"projects/1/topics/t", "projects/1/topics/t", false, "one name"},
      {"projects/a/serviceAccounts/1", "projects/a/serviceAccounts/e@x", true, "unique id"},
      {"projects/1/serviceAccounts/e@x", "projects/a/serviceAccounts/e@x", true, "of a number"},
      {"projects/1/serviceAccounts/e@x", "projects/a/serviceAccounts/1", true, "both differ"},
      {"projects/a/serviceAccounts/1", "projects/b/serviceAccounts/e@x", false, "other project"},
      {"projects/a/serviceAccounts/e@x", "projects/a/serviceAccounts/f@x", false, "two addresses"},
      {"folders/1", "folders/2", false, "no project"},
  };
  for (const NamePair& pair : pairs) {
    EXPECT_EQ(MayBeOnePolicy(pair.name, pair.other), pair.may_be_one) << pair.why;
    EXPECT_EQ(MayBeOnePolicy(pair.other, pair.name), pair.may_be_one) << pair.why;
  }
}

TEST(ProjectIdentity, ANumberIsThatOfAProjectOrOfAnAccount) {
  EXPECT_TRUE(HasNumber("projects/1/topics/t"));
  EXPECT_TRUE(HasNumber("projects/a/serviceAccounts/1"));
  EXPECT_FALSE(HasNumber("projects/a/topics/1"));
  EXPECT_FALSE(HasNumber("folders/1"));
}

}  // namespace
}  // namespace bindery::reconcilers
