#include "providers/datadog/principals.h"

#include <gtest/gtest.h>

#include "providers/google/roles/members.h"

namespace bindery::providers {
namespace {

struct MemberCase {
  const char* why;
  const char* member;
  const char* normal;
  const char* deleted = "";
};
class Members : public ::testing::TestWithParam<MemberCase> {};

TEST_P(Members, HaveOneNormalForm) {
  SCOPED_TRACE(GetParam().why);
  EXPECT_EQ(google::NormalMember(GetParam().member), GetParam().normal);
  EXPECT_EQ(google::NormalMember(GetParam().normal), GetParam().normal)
      << "normalising is idempotent";
  EXPECT_EQ(google::DeletedMember(GetParam().member), GetParam().deleted);
}

INSTANTIATE_TEST_SUITE_P(
    Forms, Members,
    ::testing::Values(
        MemberCase{"e-mail addresses fold", "user:Ana@Example.COM", "user:ana@example.com"},
        MemberCase{"service accounts fold", "serviceAccount:Bot@P.iam.gserviceaccount.com",
                   "serviceAccount:bot@p.iam.gserviceaccount.com"},
        MemberCase{"groups fold", "group:SRE@x.org", "group:sre@x.org"},
        MemberCase{"domains fold", "domain:Example.com", "domain:example.com"},
        MemberCase{"the type is case-sensitive", "User:Ana@x.org", "User:Ana@x.org"},
        MemberCase{"words without a colon stay", "allUsers", "allUsers"},
        MemberCase{"workload identities are case-sensitive",
                   "principal://iam.googleapis.com/projects/1/subject/Abc",
                   "principal://iam.googleapis.com/projects/1/subject/Abc"},
        MemberCase{"a real value that folding broke elsewhere",
                   "group:acme.svc.id.goog:/allAuthenticatedUsers/",
                   "group:acme.svc.id.goog:/allAuthenticatedUsers/"},
        MemberCase{"unknown types stay", "projectOwner:Acme", "projectOwner:Acme"},
        MemberCase{"deleted ones fold up to their uid", "deleted:user:Ana@X.org?uid=12Ab",
                   "deleted:user:ana@x.org?uid=12Ab", "user:ana@x.org"},
        MemberCase{"a deleted identity has no uid", "deleted:principal://pool/subject/Abc",
                   "deleted:principal://pool/subject/Abc", "principal://pool/subject/Abc"},
        MemberCase{"nothing", "", ""}));

TEST(Principals, OfRestrictionPoliciesCompareWithoutCase) {
  EXPECT_EQ(datadog::RestrictionPrincipals().normal("user:ABC-def"), "user:abc-def");
}

}  // namespace
}  // namespace bindery::providers
