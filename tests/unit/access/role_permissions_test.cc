// Which role has which permission, by files.

#include "access/role_permissions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/matchers.h"
#include "support/temp_dir.h"

namespace bindery {
namespace {

using testing::FailsWith;
using ::testing::HasSubstr;
using testing::IsOk;
using testing::TempDir;

constexpr const char* kAccess = "secretmanager.versions.access";

TEST(RolePermissions, ArePermissionsOfRolesInForce) {
  const TempDir dir;
  dir.Write("all.json", R"({"roles": [
    {"name": "roles/secretmanager.secretAccessor", "includedPermissions": ["secretmanager.versions.access"]},
    {"name": "roles/viewer", "includedPermissions": ["pubsub.topics.get"]}]})");
  dir.Write("list.json", R"([
    {"name": "projects/acme/roles/gone", "deleted": true, "includedPermissions": ["secretmanager.versions.access"]},
    {"name": "projects/acme/roles/off", "stage": "DISABLED", "includedPermissions": ["secretmanager.versions.access"]}])");
  dir.Write("one.json", R"({"name": "projects/acme/roles/mine", "stage": "GA",
                            "includedPermissions": ["secretmanager.versions.access"]})");
  const auto roles = RolePermissions::Read({dir / "all.json", dir / "list.json", dir / "one.json"});
  ASSERT_THAT(roles, IsOk());
  struct Case {
    const char* role;
    std::optional<bool> has;
  };
  const Case cases[] = {
      {"roles/secretmanager.secretAccessor", true}, {"roles/viewer", false},
      {"projects/acme/roles/gone", false},          {"projects/acme/roles/off", false},
      {"projects/acme/roles/mine", true},           {"roles/owner", std::nullopt}};
  for (const Case& one : cases) EXPECT_EQ(roles->Has(one.role, kAccess), one.has) << one.role;
  EXPECT_TRUE(roles->Knows(kAccess));
  EXPECT_FALSE(roles->Knows("secretmanager.versions.acces"));
}

TEST(RolePermissions, AFileOfAnotherFormIsRefused) {
  const TempDir dir;
  struct Case {
    const char* text;
    const char* message;
  };
  const Case cases[] = {
      {"1", "expected a role"},
      {"{\"roles\": {}}", "expected a role"},
      {"{}", "a role has no name"},
      {"[{\"name\": \"roles/viewer\"}]", "roles/viewer has no includedPermissions"},
      {"[{\"name\": \"roles/viewer\", \"includedPermissions\": [1]}]", "no includedPermissions"},
      {"{", "a.json"},
  };
  for (const Case& one : cases) {
    dir.Write("a.json", one.text);
    EXPECT_THAT(RolePermissions::Read({dir / "a.json"}),
                FailsWith(Code::kInvalidArgument, HasSubstr(one.message)))
        << one.text;
  }
  EXPECT_THAT(RolePermissions::Read({dir / "none.json"}),
              FailsWith(Code::kInvalidArgument, HasSubstr("none.json")));
}

}  // namespace
}  // namespace bindery
