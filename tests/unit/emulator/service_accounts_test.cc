// Service accounts of the IAM API: an e-mail address and a unique id each.

#include "emulator_fixture.h"

namespace bindery::emulator {
namespace {

class EmulatorServiceAccounts : public EmulatorTest {
 protected:
  void SetUp() override {
    Run(R"(
serviceAccounts:
  - email: ci@acme.iam.gserviceaccount.com
    project: acme
    uniqueId: "107734218812345678901"
)");
  }
};

TEST_F(EmulatorServiceAccounts, AreToldByAddressAndByUniqueId) {
  for (const char* project : {"acme", "-"}) {
    for (const char* account : {"ci@acme.iam.gserviceaccount.com", "107734218812345678901"}) {
      const Json told =
          Call("GET", "/v1/projects/" + std::string(project) + "/serviceAccounts/" + account, 200);
      EXPECT_EQ(StringMember(told, "email"), "ci@acme.iam.gserviceaccount.com");
      EXPECT_EQ(StringMember(told, "uniqueId"), "107734218812345678901");
      EXPECT_EQ(StringMember(told, "name"),
                "projects/acme/serviceAccounts/ci@acme.iam.gserviceaccount.com");
    }
  }
}

TEST_F(EmulatorServiceAccounts, OfAnotherProjectOrNobodyAreNotFound) {
  for (const char* name :
       {"projects/other/serviceAccounts/107734218812345678901", "projects/acme/serviceAccounts/1",
        "projects/acme/serviceAccounts/no@acme.iam.gserviceaccount.com"}) {
    EXPECT_EQ(StringMember(Call("GET", "/v1/" + std::string(name), 404).at("error"), "status"),
              "NOT_FOUND")
        << name;
  }
  EXPECT_EQ(Send("PUT", "/v1/projects/acme/serviceAccounts/1").status, 404);
}

}  // namespace
}  // namespace bindery::emulator
