// Lists of Datadog's objects: dashboards, monitors, …

#include "emulator_fixture.h"

namespace bindery::emulator {
namespace {

using ::testing::ElementsAre;

constexpr const char* kRestrictedObjects = R"(
restrictionPolicies:
  - {id: "dashboard:abc-def-ghi", bindings: [{relation: editor, principals: ["role:a"]}]}
  - {id: "monitor:3", bindings: [{relation: editor, principals: ["role:a"]}]}
  - {id: "monitor:2", bindings: [{relation: editor, principals: ["role:a"]}]}
  - {id: "monitor:1", bindings: [{relation: editor, principals: ["role:a"]}]}
)";

class ObjectListsTest : public EmulatorTest {
 protected:
  void SetUp() override { Run(kRestrictedObjects); }
};

TEST_F(ObjectListsTest, AnObjectIsThereForEachPolicy) {
  EXPECT_EQ(Call("GET", "/api/v1/dashboard", 200).at("dashboards").at(0).at("id"), "abc-def-ghi");
  EXPECT_TRUE(Call("GET", "/api/v1/slo", 200).at("data").empty());
  Call("DELETE", "/api/v2/restriction_policy/monitor:2", 204);
  EXPECT_EQ(Call("GET", "/api/v1/monitor", 200).size(), 2U);
}

TEST_F(ObjectListsTest, APageIsGivenByItsNumberOrItsFirstEntry) {
  const auto ids = [&](const std::string& path) {
    std::vector<int> found;
    for (const Json& entry : Call("GET", path, 200)) found.push_back(entry.at("id").get<int>());
    return found;
  };
  EXPECT_THAT(ids("/api/v1/monitor?page_size=2&page=0"), ElementsAre(1, 2));
  EXPECT_THAT(ids("/api/v1/monitor?page_size=2&page=1"), ElementsAre(3));
  EXPECT_THAT(ids("/api/v1/monitor?page_size=2&page=2"), ElementsAre());
  EXPECT_TRUE(Call("GET", "/api/v1/dashboard?count=1&start=1", 200).at("dashboards").empty());
  Call("GET", "/api/v1/monitor?page_size=two", 400);
}

}  // namespace
}  // namespace bindery::emulator
