// What exists already: ids as providers write them, and the specs that declare what is there.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "providers/datadog/provider.h"
#include "providers/google/rows/iam_kinds.h"
#include "providers/registry/kinds.h"
#include "support/matchers.h"
#include "unit/providers/subjects.h"

namespace bindery::providers {
namespace {

using ::testing::ElementsAre;
using testing::FailsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::IsOk;
using testing::kPolicyName;

reconcilers::Observation Seen(std::vector<Grant> grants) {
  reconcilers::Observation seen;
  seen.exists = !grants.empty();
  seen.grants = std::move(grants);
  return seen;
}

TEST(ResourceId, IsReadAsTheProvidersWriteIt) {
  const Kinds kinds;
  struct Case {
    const char* kind;
    const char* id;
    reconcilers::ResourceId meant;
  };
  const Case cases[] = {
      {"AuthorizationPolicyIamBinding", kPolicyName, {kPolicyName, ""}},
      {"AuthorizationPolicyIamBinding", "locations/l/authorizationPolicies/a", {kPolicyName, ""}},
      {"AuthorizationPolicyIamBinding",
       "locations/l/authorizationPolicies/a roles/viewer",
       {kPolicyName, "roles/viewer"}},
      // Terraform puts the title of the condition behind it.
      {"AuthorizationPolicyIamBinding",
       "projects/p/locations/l/authorizationPolicies/a roles/viewer until june",
       {kPolicyName, "roles/viewer"}},
      {"ManagementServerIamBinding",
       "projects/q/locations/l/managementServers/m projects/q/roles/custom",
       {"projects/q/locations/l/managementServers/m", "projects/q/roles/custom"}},
      {"RestrictionPolicy", "dashboard:abc-def-ghi", {"dashboard:abc-def-ghi", ""}},
      {"RestrictionPolicy",
       "synthetics-private-location:pl:x",
       {"synthetics-private-location:pl:x", ""}},
  };
  for (const Case& one : cases) {
    const auto id = kinds.FindByName(one.kind)->ParseId(one.id, "p");
    ASSERT_THAT(id, IsOk()) << one.id;
    EXPECT_EQ(id->target, one.meant.target) << one.id;
    EXPECT_EQ(id->role, one.meant.role) << one.id;
  }
}

TEST(ResourceId, ThatIsNoneIsRefusedWithTheFormThatIsWanted) {
  const Kinds kinds;
  struct Case {
    const char* kind;
    const char* id;
    const char* told;
  };
  const Case cases[] = {
      {"AuthorizationPolicyIamBinding", "payments", "projects/PROJECT/locations/LOCATION"},
      {"AuthorizationPolicyIamBinding", "", "is not a resource name"},
      {"AuthorizationPolicyIamBinding", "locations/l/managementServers/m", "is for the kind"},
      {"AuthorizationPolicyIamBinding", "projects/p/locations/l/authorizationPolicies/a viewer",
       "did you mean \"roles/viewer\""},
      {"RestrictionPolicy", "abc-def-ghi", "is not of the form TYPE:ID"},
  };
  for (const Case& one : cases) {
    EXPECT_THAT(kinds.FindByName(one.kind)->ParseId(one.id, "p"),
                FailsWith(Code::kInvalidArgument, HasSubstr(one.told)))
        << one.id;
  }
  EXPECT_THAT(kinds.FindByName("AuthorizationPolicyIamBinding")
                  ->ParseId("locations/l/authorizationPolicies/a", ""),
              FailsWith(Code::kInvalidArgument, HasSubstr("carries no project")));
}

TEST(Inputs, OfAnIamRoleAreItsHoldersAsTheyStand) {
  const auto kind = google::MakeIamBinding(google::IamKind("AuthorizationPolicyIamBinding"));
  const Condition june{"request.time < x", "june", ""};
  const reconcilers::Observation seen = Seen({{"roles/b", "user:Zoe@x.org", june},
                                              {"roles/a", "group:g@x.org"},
                                              {"roles/b", "user:ana@x.org", june},
                                              {"roles/b", "user:zoe@x.org", june}});
  EXPECT_THAT(kind->Roles(seen), ElementsAre("roles/b", "roles/a"));
  EXPECT_EQ(kind->Inputs(kPolicyName, "roles/a", seen)->dump(),
            R"({"name":"projects/p/locations/l/authorizationPolicies/a","role":"roles/a",)"
            R"("members":["group:g@x.org"]})");
  EXPECT_EQ(kind->Inputs(kPolicyName, "roles/b", seen)->dump(),
            R"({"name":"projects/p/locations/l/authorizationPolicies/a","role":"roles/b",)"
            R"("members":["user:Zoe@x.org","user:ana@x.org"],)"
            R"("condition":{"expression":"request.time < x","title":"june"}})");
  EXPECT_THAT(
      kind->Inputs(kPolicyName, "roles/c", seen),
      FailsWith(Code::kNotFound, HasSubstr("nobody holds roles/c on " + std::string(kPolicyName))));
  EXPECT_THAT(kind->Roles(Seen({})), IsEmpty());
}

TEST(Inputs, DeclareWhatIsThere) {
  // Planning what was read off a policy leaves nothing to do.
  const auto iam = google::MakeIamBinding(google::IamKind("ManagementServerIamBinding"));
  const reconcilers::Observation seen =
      Seen({{"roles/a", "user:Zoe@x.org", Condition{"e", "t", "d"}},
            {"roles/a", "domain:x.org", Condition{"e", "t", "d"}}});
  const std::string target = "projects/p/locations/l/managementServers/m";
  reconcilers::Desired desired;
  desired.claims.push_back({"m", *iam->Declare(*iam->Inputs(target, "roles/a", seen), "")});
  EXPECT_FALSE(iam->Plan(desired, seen).writes());
  EXPECT_THAT(iam->Plan(desired, seen).drift(), IsEmpty());
}

TEST(Inputs, SayWhyNoManifestCanDeclareWhatIsThere) {
  const auto kind = google::MakeIamBinding(google::IamKind("AuthorizationPolicyIamBinding"));
  const auto refused = [&](std::vector<Grant> grants) {
    const auto inputs = kind->Inputs(kPolicyName, "roles/a", Seen(std::move(grants)));
    return inputs ? std::string("accepted") : ToString(inputs.error());
  };
  EXPECT_THAT(
      refused({{"roles/a", "user:a@x.org"}, {"roles/a", "user:a@x.org", Condition{"e", "t", ""}}}),
      HasSubstr("held under no condition and under condition \"t\""));
  EXPECT_THAT(refused({{"roles/a", "user:a@x.org", Condition{"e", "", ""}}}),
              HasSubstr("without a title"));
  EXPECT_THAT(refused({{"roles/a", "deleted:user:a@x.org?uid=1"}}),
              HasSubstr("NOT_FOUND: nobody holds roles/a on " + std::string(kPolicyName)));
}

TEST(Inputs, OfARestrictionPolicyNameEachRelationOnce) {
  const auto kind = datadog::MakeRestrictionPolicy();
  const reconcilers::Observation seen =
      Seen({{"viewer", "org:1"}, {"editor", "role:A"}, {"viewer", "team:2"}, {"editor", "role:a"}});
  EXPECT_THAT(kind->Roles(seen), ElementsAre(std::string(kWholePolicy)));
  EXPECT_EQ(kind->Inputs("dashboard:x", std::string(kWholePolicy), seen)->dump(),
            R"({"resourceId":"dashboard:x","bindings":[)"
            R"({"relation":"viewer","principals":["org:1","team:2"]},)"
            R"({"relation":"editor","principals":["role:A"]}]})");
  EXPECT_THAT(kind->Inputs("dashboard:x", "", Seen({})),
              FailsWith(Code::kNotFound, HasSubstr("open to everyone in the organization")));
}

}  // namespace
}  // namespace bindery::providers
