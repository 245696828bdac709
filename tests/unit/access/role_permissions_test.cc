// Which role has which permission, by files.

#include "access/role_permissions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/matchers.h"
#include "support/temp_dir.h"

namespace bindery::access {
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
  const auto roles =
      RolePermissions::Read({dir / "all.json", dir / "list.json", dir / "one.json"}, kAccess);
  ASSERT_THAT(roles, IsOk());
  struct Case {
    const char* role;
    std::optional<bool> has;
  };
  const Case cases[] = {
      {"roles/secretmanager.secretAccessor", true}, {"roles/viewer", false},
      {"projects/acme/roles/gone", false},          {"projects/acme/roles/off", false},
      {"projects/acme/roles/mine", true},           {"roles/owner", std::nullopt}};
  for (const Case& one : cases) EXPECT_EQ(roles->Has(one.role), one.has) << one.role;
  EXPECT_TRUE(roles->IsKnown());
  const auto none = RolePermissions::Read({dir / "all.json"}, "secretmanager.versions.acces");
  ASSERT_THAT(none, IsOk());
  EXPECT_FALSE(none->IsKnown());
  EXPECT_EQ(none->Has("roles/viewer"), false);
}

TEST(RolePermissions, OnlyMembersOfTheRoleItselfCount) {
  const TempDir dir;
  dir.Write("a.json", R"({"nextPageToken": "", "roles": [
    {"stage": "GA", "extra": {"name": "x", "includedPermissions": [1]}, "name": "roles/a",
     "includedPermissions": ["a.b.c", "secretmanager.versions.access"], "more": [["a"], {"name": 1}]},
    {"includedPermissions": ["secretmanager.versions.access"], "name": "roles/b",
     "includedPermissions": ["a.b.c"]},
    {"deleted": true, "name": "roles/c"}], "name": "no role"})");
  const auto roles = RolePermissions::Read({dir / "a.json"}, kAccess);
  ASSERT_THAT(roles, IsOk());
  EXPECT_EQ(roles->Has("roles/a"), true);
  EXPECT_EQ(roles->Has("roles/b"), false) << "of two members the last counts";
  EXPECT_EQ(roles->Has("roles/c"), false);
  EXPECT_EQ(roles->Has("no role"), std::nullopt);
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
      {"[{\"name\": \"roles/viewer\", \"includedPermissions\": {}}]", "no includedPermissions"},
      {"[[]]", "a role has no name"},
      {"[{\"includedPermissions\": []}, 1]", "a role has no name"},
      {"{", "a.json: not JSON"},
      {"[] x", "not JSON"},
  };
  for (const Case& one : cases) {
    dir.Write("a.json", one.text);
    EXPECT_THAT(RolePermissions::Read({dir / "a.json"}, kAccess),
                FailsWith(Code::kInvalidArgument, HasSubstr(one.message)))
        << one.text;
  }
  EXPECT_THAT(RolePermissions::Read({dir / "none.json"}, kAccess),
              FailsWith(Code::kInvalidArgument, HasSubstr("none.json")));
}

}  // namespace
}  // namespace bindery::access
