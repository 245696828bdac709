// Who may do what.

#include "identity/roles.h"

#include <gtest/gtest.h>

namespace bindery::identity {
namespace {

TEST(Roles, WithoutRolesUsersMayDoEverythingAndOthersNothing) {
  const config::WebConfig config;
  EXPECT_EQ(RoleOfUser(config, "ana"), Role::kApprover);
  EXPECT_EQ(RoleOfCertificate(config, "CN=ana"), Role::kApprover);
  EXPECT_EQ(RoleOfPerson(config, "ana@example.com", {"sre"}), Role::kNone);
}

TEST(Roles, AreTheHighestThatAreGiven) {
  config::WebConfig config;
  config.roles = {{"user:ana", Role::kOperator},
                  {"certificate:CN=prometheus", Role::kViewer},
                  {"email:bob@example.com", Role::kViewer},
                  {"group:sre", Role::kOperator},
                  {"group:leads", Role::kApprover}};
  EXPECT_EQ(RoleOfUser(config, "ana"), Role::kOperator);
  EXPECT_EQ(RoleOfUser(config, "eve"), Role::kNone);
  EXPECT_EQ(RoleOfCertificate(config, "CN=prometheus"), Role::kViewer);
  EXPECT_EQ(RoleOfCertificate(config, "CN=ana"), Role::kNone);
  EXPECT_EQ(RoleOfPerson(config, "bob@example.com", {}), Role::kViewer);
  EXPECT_EQ(RoleOfPerson(config, "bob@example.com", {"sre", "x"}), Role::kOperator);
  EXPECT_EQ(RoleOfPerson(config, "", {"leads", "sre"}), Role::kApprover);
  EXPECT_EQ(RoleOfPerson(config, "eve@example.com", {"x"}), Role::kNone);
  // Names of one kind are none of another.
  EXPECT_EQ(RoleOfPerson(config, "ana", {"CN=prometheus"}), Role::kNone);
  EXPECT_EQ(RoleOfUser(config, "bob@example.com"), Role::kNone);
  // An address that nobody verified is empty, and no key.
  config.roles->emplace("email:", Role::kApprover);
  EXPECT_EQ(RoleOfPerson(config, "", {}), Role::kNone);
}

}  // namespace
}  // namespace bindery::identity
