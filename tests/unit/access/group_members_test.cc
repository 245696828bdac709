// The members of groups, by files.

#include "access/group_members.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/matchers.h"
#include "support/temp_dir.h"

namespace bindery::access {
namespace {

using ::testing::ElementsAre;
using testing::FailsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::IsOk;
using testing::TempDir;

TEST(GroupMembers, ArePrincipalsAlsoOfGroupsInside) {
  const TempDir dir;
  dir.Write("a.yaml", R"(
groups:
  Eng@example.com: ["user:ana@example.com", "group:leads@example.com", "user:ANA@example.com"]
  group:leads@example.com: ["user:lea@example.com", "group:eng@example.com", "group:far@example.org"]
  empty@example.com: []
)");
  dir.Write("b.json", R"({"groups": {"ops@example.com": ["user:olga@example.com"]}})");
  const auto members = GroupMembers::Read({dir / "a.yaml", dir / "b.json"});
  ASSERT_THAT(members, IsOk());
  const auto eng = members->FindMembers("group:ENG@example.com");
  ASSERT_TRUE(eng);
  EXPECT_THAT(eng->members,
              ElementsAre("user:ana@example.com", "user:lea@example.com", "group:far@example.org"));
  EXPECT_THAT(eng->groups, ElementsAre("group:leads@example.com"));
  EXPECT_THAT(members->FindMembers("group:empty@example.com")->members, IsEmpty());
  EXPECT_THAT(members->FindMembers("group:ops@example.com")->members,
              ElementsAre("user:olga@example.com"));
  EXPECT_FALSE(members->FindMembers("group:far@example.org"));
  EXPECT_FALSE(members->FindMembers("user:ana@example.com"));
}

TEST(GroupMembers, AFileOfAnotherFormIsRefusedWithItsLine) {
  const TempDir dir;
  struct Case {
    const char* text;
    const char* message;
  };
  const Case cases[] = {
      {"[]", "a.yaml:1: expected one key, groups"},
      {"groups: []", "expected one key, groups"},
      {"groups: {}\nmore: 1", "expected one key, groups"},
      {"groups:\n  a@x.y: user:ana@example.com", "a.yaml:2: expected a list of members"},
      {"groups:\n  a@x.y: [ana]", "a.yaml:2: expected a principal"},
      {"groups:\n  a@x.y: []\n  group:A@x.y: []",
       "a.yaml:3: the group group:A@x.y is listed twice"},
      {"groups: {a@x.y: [", "a.yaml:"},
      {"", "expected one document"},
  };
  for (const Case& one : cases) {
    dir.Write("a.yaml", one.text);
    const auto members = GroupMembers::Read({dir / "a.yaml"});
    EXPECT_THAT(members, FailsWith(Code::kInvalidArgument, HasSubstr(one.message))) << one.text;
  }
  EXPECT_THAT(GroupMembers::Read({dir / "none.yaml"}),
              FailsWith(Code::kInvalidArgument, HasSubstr("none.yaml: ")));
  EXPECT_THAT(GroupMembers::Read({dir.path()}),
              FailsWith(Code::kInvalidArgument, HasSubstr("not a file")));
}

}  // namespace
}  // namespace bindery::access
