// Groups of Cloud Identity: found by their address, and listed page by page.

#include "emulator_fixture.h"

namespace bindery::emulator {
namespace {

using ::testing::HasSubstr;

constexpr const char* kGroupSeed = R"(
groups:
  - email: Eng@example.com
    members: ["user:ana@example.com", "group:leads@example.com",
              "serviceAccount:robot@acme.iam.gserviceaccount.com", "domain:example.com"]
  - {email: leads@example.com}
)";

class EmulatorGroups : public EmulatorTest {
 protected:
  void SetUp() override { Run(kGroupSeed); }
  std::string GetName(const std::string& email) {
    return StringMember(Call("GET", "/v1/groups:lookup?groupKey.id=" + email, 200), "name");
  }
};

TEST_F(EmulatorGroups, MembersAreListedInPagesWithTheirTypesInTheFullView) {
  const std::string path = "/v1/" + GetName("eng@example.com") + "/memberships";
  const Json first = Call("GET", path + "?view=FULL&pageSize=3", 200);
  ASSERT_EQ(first.at("memberships").size(), 3U);
  EXPECT_EQ(first.at("memberships")[1].at("preferredMemberKey").at("id"), "leads@example.com");
  EXPECT_EQ(StringMember(first.at("memberships")[1], "type"), "GROUP");
  EXPECT_EQ(StringMember(first.at("memberships")[2], "type"), "SERVICE_ACCOUNT");
  const Json rest = Call(
      "GET", path + "?view=FULL&pageSize=3&pageToken=" + StringMember(first, "nextPageToken"), 200);
  ASSERT_EQ(rest.at("memberships").size(), 1U);
  EXPECT_EQ(StringMember(rest.at("memberships")[0], "type"), "OTHER");
  EXPECT_FALSE(rest.contains("nextPageToken"));
  EXPECT_FALSE(Call("GET", path, 200).at("memberships")[0].contains("type"));
  EXPECT_FALSE(Call("GET", "/v1/" + GetName("leads@example.com") + "/memberships", 200)
                   .contains("memberships"));
  Call("GET", path + "?view=ALL", 400);
}

TEST_F(EmulatorGroups, AGroupThatIsNotThereIsRefusedAndSoAreSearchesOfDearerEditions) {
  const Json refusal = Call("GET", "/v1/groups:lookup?groupKey.id=nobody@example.com", 403);
  EXPECT_THAT(refusal.dump(), HasSubstr("or it may not exist"));
  Call("GET", "/v1/groups/0/memberships", 403);
  Call("GET", "/v1/" + GetName("eng@example.com") + "/memberships:searchTransitiveMemberships",
       403);
}

}  // namespace
}  // namespace bindery::emulator
