#include "emulator/google/members.h"

#include "emulator_fixture.h"

namespace bindery::emulator {
namespace {

constexpr const char* kInvalid = "Request contains an invalid argument.";

TEST(RefuseMember, AcceptsEveryFormOfAnAllowPolicy) {
  for (const char* good :
       {"allUsers", "allAuthenticatedUsers", "user:Ana.B@example.com",
        "serviceAccount:x@p.iam.gserviceaccount.com", "serviceAccount:proj.svc.id.goog[ns/ksa]",
        "group:sre@example.com", "group:proj.svc.id.goog:/allAuthenticatedUsers/",
        "domain:example.com",
        "principal://iam.googleapis.com/locations/global/workforcePools/p/subject/S",
        "principalSet://iam.googleapis.com/locations/global/workforcePools/p/*"}) {
    EXPECT_EQ(RefuseMember(good, Principals(), {}), std::nullopt) << good;
  }
}

TEST(RefuseMember, SaysWhatTheServiceSays) {
  const std::string form = "Policy members must be of the form \"<type>:<value>\".";
  const std::pair<const char*, std::string> cases[] = {
      {"ana@example.com", form},
      {"", form},
      {"user:", form},
      {":x", form},
      {"allusers", form},
      {"user:ana", kInvalid},
      {"user:a@b@c", kInvalid},
      {"user: a@b", kInvalid},
      {"domain:a@b.c", kInvalid},
      {"domain:com", kInvalid},
      {"principal:x", kInvalid},
      {"deleted:user:a@example.com?uid=1", kInvalid},
      {"ServiceAccount:a@example.com",
       "The member ServiceAccount:a@example.com is of an unknown type. Please set a valid type "
       "prefix for the member."},
      {"user:x@p.iam.gserviceaccount.com",
       "Principal x@p.iam.gserviceaccount.com is of type \"serviceAccount\". The principal should "
       "appear as \"serviceAccount:x@p.iam.gserviceaccount.com\". See "
       "https://cloud.google.com/iam/help/members/types for additional documentation."},
      {"serviceAccount:ana@example.com",
       "Principal ana@example.com is of type \"user\". The principal should appear as "
       "\"user:ana@example.com\". See https://cloud.google.com/iam/help/members/types for "
       "additional documentation."},
      {"principalSet://iam.googleapis.com/pool/attribute.repository/example/app",
       "The member principalSet://iam.googleapis.com/pool/attribute.repository/example/app is of "
       "an "
       "unknown type. Please set a valid type prefix for the member."},
      {"principal://goog/subject/ana@example.com",
       "The member principal://goog/subject/ana@example.com is of an unknown type. Please set a "
       "valid type prefix for the member."},
      {"principalSet://iam.googleapis.com/projects/acme/locations/global/workloadIdentityPools/p/*",
       "Identity Pool does not exist (projects/acme/locations/global/workloadIdentityPools/p). "
       "Please check that you specified a valid resource name as returned in the `name` attribute "
       "in the configuration API."},
      {"projectOwner:acme",
       "The member projectOwner:acme is of an unknown type. Please set a valid type prefix for the "
       "member."},
  };
  for (const auto& [member, text] : cases) {
    EXPECT_EQ(RefuseMember(member, Principals(), {}), text) << member;
  }
}

TEST(NormalMember, LowersOnlyMailsAndDomains) {
  EXPECT_EQ(NormalMember("user:Ana@Example.COM"), "user:ana@example.com");
  EXPECT_EQ(NormalMember("domain:Example.COM"), "domain:example.com");
  EXPECT_EQ(NormalMember("principal://A/B"), "principal://A/B");
  EXPECT_EQ(NormalMember("group:P.svc.id.goog:/allAuthenticatedUsers/"),
            "group:P.svc.id.goog:/allAuthenticatedUsers/");
}

class DeletedPrincipals : public EmulatorTest {
 protected:
  static constexpr const char* kDeleted = "deleted:user:ana@example.com?uid=123";

  /// Ana is granted a role, then deleted; the others never existed.
  void SetUp() override {
    EmulatorTest::SetUp();
    Write(Json{
        {"bindings", {Binding("roles/viewer", {"user:ana@example.com", "user:ben@example.com"})}}});
    Run(std::string(kSeed) + R"(
principals:
  - {member: "user:Ana@example.com", state: deleted, uid: 123}
  - {member: "serviceAccount:x@p.iam.gserviceaccount.com", state: unknown}
  - {member: "group:none@example.com", state: unknown}
  - "deleted:user:old@example.com?uid=9"
)");
  }
};

TEST_F(DeletedPrincipals, ShowAsDeletedInLiveBindings) {
  const Json members = Read().at("bindings").at(0).at("members");
  EXPECT_EQ(members, Json::array({kDeleted, "user:ben@example.com"}));
}

TEST_F(DeletedPrincipals, CanBeWrittenBackAsTheyShowButNotAsTheyWere) {
  const Json kept = Write(Json{{"bindings", {Binding("roles/viewer", {kDeleted})}}});
  EXPECT_EQ(kept.at("bindings").at(0).at("members").at(0), kDeleted);
  EXPECT_EQ(
      Refusal(Write(Json{{"bindings", {Binding("roles/viewer", {"user:ana@example.com"})}}}, 400),
              "INVALID_ARGUMENT"),
      "User ana@example.com does not exist.");
  EXPECT_EQ(
      Refusal(
          Write(Json{{"bindings", {Binding("roles/viewer", {kDeleted, "user:ana@example.com"})}}},
                400),
          "INVALID_ARGUMENT"),
      std::string("Inconsistent representation of deleted member: '") + kDeleted +
          "' and 'user:ana@example.com'");
}

TEST_F(DeletedPrincipals, OfAnEarlierAccountOfThatAddressIsAnother) {
  const char* const earlier = "deleted:user:ana@example.com?uid=9";
  Call("PUT", "/_emulator/seed", 200,
       R"({"authorizationPolicies": [{"name": ")" + std::string(kPolicyName) +
           R"(", "policy": {"bindings": [{"role": "roles/viewer",
             "members": ["user:ana@example.com", ")" +
           earlier + R"("]}]}}],
             "principals": [{"member": "user:ana@example.com", "uid": "123"}]})");
  const Json members = {kDeleted, earlier};
  EXPECT_EQ(Read().at("bindings").at(0).at("members"), members);
  const Json kept = Write(Json{{"bindings", {Binding("roles/viewer", {kDeleted, earlier})}}});
  EXPECT_EQ(kept.at("bindings").at(0).at("members"), members);
}

TEST_F(DeletedPrincipals, CannotBeAdded) {
  EXPECT_EQ(Refusal(Write(Json{{"bindings",
                                {Binding("roles/viewer", {"deleted:user:old@example.com?uid=9"})}}},
                          400),
                    "INVALID_ARGUMENT"),
            "Deleted member 'deleted:user:old@example.com?uid=9' cannot be added to a policy.");
}

TEST_F(DeletedPrincipals, ShowAsBeforeOnceTheyAreBack) {
  Call("PUT", "/_emulator/seed", 200,
       R"({"authorizationPolicies": [{"name": ")" + std::string(kPolicyName) +
           R"(", "policy": {"bindings": [{"role": "roles/viewer",
             "members": ["user:ana@example.com"]}]}}]})");
  EXPECT_EQ(Read().at("bindings").at(0).at("members").at(0), "user:ana@example.com");
}

TEST_F(DeletedPrincipals, UnknownOnesAreNamedByTheirType) {
  const auto refusal = [&](const char* member) {
    return Refusal(Write(Json{{"bindings", {Binding("roles/viewer", {member})}}}, 400),
                   "INVALID_ARGUMENT");
  };
  EXPECT_EQ(refusal("serviceAccount:x@p.iam.gserviceaccount.com"),
            "Service account x@p.iam.gserviceaccount.com does not exist.");
  EXPECT_EQ(refusal("group:none@example.com"), "Group none@example.com does not exist.");
}

class Aliases : public EmulatorTest {};

TEST_F(Aliases, AreStoredUnderThePrimaryName) {
  Run(std::string(kSeed) + R"(
principals:
  - {member: "user:alias@example.com", storedAs: "user:primary@example.com"}
)");
  const auto stored = [&](std::vector<std::string> members) {
    return Write(Json{{"bindings", {Binding("roles/viewer", std::move(members))}}})
        .at("bindings")
        .at(0)
        .at("members");
  };
  EXPECT_EQ(stored({"user:Alias@example.com", "user:ben@example.com"}),
            Json::array({"user:primary@example.com", "user:ben@example.com"}));
  EXPECT_EQ(stored({"user:primary@example.com", "user:alias@example.com"}),
            Json::array({"user:primary@example.com"}));
  EXPECT_EQ(Read().at("bindings").at(0).at("members"), Json::array({"user:primary@example.com"}));
}

}  // namespace
}  // namespace bindery::emulator
