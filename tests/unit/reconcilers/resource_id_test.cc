// Ids as they are shown, so that they can be read again.

#include "reconcilers/resource_id.h"

#include <gtest/gtest.h>

namespace bindery::reconcilers {
namespace {

TEST(ResourceIdText, ATargetStandsAloneWhereAllOfItIsMeant) {
  for (const char* role : {"", "*", "*+"}) {
    EXPECT_EQ((ResourceId{"projects/p/topics/t", role}.Text()), "projects/p/topics/t") << role;
  }
}

TEST(ResourceIdText, APartIsNamedByItsRoleAndItsMember) {
  EXPECT_EQ((ResourceId{"projects/p", "roles/viewer"}.Text()), "projects/p roles/viewer");
  EXPECT_EQ((ResourceId{"projects/p", "roles/viewer user:ana@example.com if -"}.Text()),
            "projects/p roles/viewer user:ana@example.com");
}

TEST(ResourceIdText, AConditionIsNoPartOfAnId) {
  EXPECT_EQ((ResourceId{"projects/p", R"(roles/viewer if {"expression":"e"})"}.Text()),
            "projects/p roles/viewer");
}

}  // namespace
}  // namespace bindery::reconcilers
