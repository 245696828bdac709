// Projects: an id and a number each.

#include "emulator/seed.h"
#include "emulator_fixture.h"

namespace bindery::emulator {
namespace {

constexpr const char* kProjectsSeed = R"(
projects:
  - {id: acme, number: "415104041262"}
authorizationPolicies:
  - projects/acme/locations/global/authorizationPolicies/payments
  - projects/other/locations/global/authorizationPolicies/payments
)";

class EmulatorProjects : public EmulatorTest {
 protected:
  void SetUp() override { Run(kProjectsSeed); }
};

TEST_F(EmulatorProjects, AreToldByIdAndByNumber) {
  for (const char* name : {"acme", "415104041262"}) {
    const Json project = Call("GET", std::string("/v3/projects/") + name, 200);
    EXPECT_EQ(StringMember(project, "name"), "projects/415104041262");
    EXPECT_EQ(StringMember(project, "projectId"), "acme");
    EXPECT_EQ(StringMember(project, "state"), "ACTIVE");
  }
}

TEST_F(EmulatorProjects, OthersHaveANumberThatStays) {
  const Json project = Call("GET", "/v3/projects/other", 200);
  const std::string name = StringMember(project, "name");
  EXPECT_EQ(name.size(), std::string("projects/415104041262").size());
  EXPECT_EQ(Call("GET", "/v3/" + name, 200), project);
  Run(kProjectsSeed);
  EXPECT_EQ(Call("GET", "/v3/projects/other", 200), project);
}

TEST_F(EmulatorProjects, ANumberNobodyHasIsForbidden) {
  const Json refusal = Call("GET", "/v3/projects/1", 403);
  EXPECT_EQ(StringMember(refusal.at("error"), "status"), "PERMISSION_DENIED");
  EXPECT_EQ(Send("GET", "/v3/projects/acme/more").status, 404);
  EXPECT_EQ(Send("POST", "/v3/projects/acme").status, 404);
}

TEST_F(EmulatorProjects, APolicyIsTheSameByEitherName) {
  const std::string by_number =
      "projects/415104041262/locations/global/authorizationPolicies/payments";
  const Json written =
      Write(Json{{"bindings", {{{"role", "roles/viewer"}, {"members", {"user:a@example.com"}}}}}},
            200, by_number);
  EXPECT_EQ(Read(), written);
  EXPECT_EQ(Read(by_number), written);
}

TEST_F(EmulatorProjects, FoldersAndOrganizationsAreToldWhereTheyAreSeeded) {
  RunAfresh(
      "iamPolicies: {//cloudresourcemanager.googleapis.com/folders/12:, "
      "//cloudresourcemanager.googleapis.com/organizations/3:}");
  EXPECT_EQ(StringMember(Call("GET", "/v3/folders/12", 200), "name"), "folders/12");
  EXPECT_EQ(StringMember(Call("GET", "/v3/organizations/3", 200), "state"), "ACTIVE");
  Call("GET", "/v3/folders/13", 403);
}

TEST_F(EmulatorProjects, AreSeededByTheirIdsAndFoldersByTheirNames) {
  for (const char* seed :
       {"projects: [{number: \"2\"}]", "projects: [{id: \"1\", number: \"2\"}]",
        "projects: [{id: acme, number: abc}]", "projects: [acme]",
        "projects: [{id: acme, parent: projects/other}]",
        "projects: [{id: acme, parent: folders/}]", "folders: [{name: \"1\"}]",
        "folders: [{parent: folders/1}]", "folders: [{name: folders/1, parent: \"2\"}]"}) {
    EXPECT_FALSE(ReadSeed(seed, "seed")) << seed;
  }
}

}  // namespace
}  // namespace bindery::emulator
