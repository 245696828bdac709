#include "emulator/seed.h"

#include "emulator_fixture.h"

namespace bindery::emulator {
namespace {

using testing::FailsWith;
using ::testing::HasSubstr;
using testing::IsOk;

constexpr const char* kFull = R"(authorizationPolicies:
  - name: projects/p/locations/global/authorizationPolicies/a
    description: for tests
    action: DENY
    policy:
      etag: BwWWja0YfJA=
      bindings:
        - role: roles/x
          members: ["deleted:user:a@example.com?uid=1", user:B@example.com]
          condition: {title: t, expression: "true"}
  - projects/p/locations/global/authorizationPolicies/b
managementServers: []
importDataFiles:
  - name: projects/p/locations/eu/importJobs/j/importDataFiles/f
    state: CREATING
    uploadFileInfo: {signedUri: "https://example.com/x", headers: {a: b}}
restrictionPolicies:
  - id: dashboard:x
    bindings: [{relation: editor, principals: ["user:2", "org:1"]}]
users:
  - {id: u1, handle: h}
principals:
  - {member: "user:c@example.com", state: unknown}
credentials:
  - {token: t, permissions: ["*"]}
options: {preserveMemberCase: true}
)";

TEST(ReadSeed, ADumpReadsBackAsTheSame) {
  const auto entries = ReadSeed(kFull, "seed.yaml");
  ASSERT_THAT(entries, IsOk());
  const Json dump = SeedDocument(*entries);
  EXPECT_EQ(dump.at("authorizationPolicies").at(0).at("description"), "for tests");
  EXPECT_EQ(dump.at("authorizationPolicies").at(0).at("policy").at("etag"), "BwWWja0YfJA=");
  EXPECT_EQ(dump.at("restrictionPolicies").at(0).at("bindings").at(0).at("principals"),
            Json::array({"org:1", "user:2"}));
  const auto again = ReadSeed(dump.dump(2), "again");
  ASSERT_THAT(again, IsOk());
  EXPECT_EQ(SeedDocument(*again), dump);
}

TEST(ReadSeed, NothingIsASeedToo) {
  for (const char* text : {"", "# empty\n", "{}", "authorizationPolicies:\n"}) {
    const auto entries = ReadSeed(text, "seed.yaml");
    ASSERT_THAT(entries, IsOk()) << text;
    EXPECT_TRUE(entries->empty());
  }
}

struct SeedCase {
  const char* text;
  const char* message;
};

TEST(ReadSeed, FaultsHaveAPlace) {
  for (const SeedCase& one : {
           SeedCase{"authorizationPolices: []",
                    "seed.yaml:1:1: unknown field "
                    "\"authorizationPolices\", did you mean "
                    "\"authorizationPolicies\"?"},
           SeedCase{"users: 5", "seed.yaml:1:8: users: expected a list"},
           SeedCase{"authorizationPolicies:\n  - name: projects/p/x\n",
                    "seed.yaml:2:5: name: \"projects/p/x\" is not a full name such as "
                    "projects/example/locations/global/authorizationPolicies/example"},
           SeedCase{"managementServers:\n  - {policy: {}}\n", "seed.yaml:2:5: missing name"},
           SeedCase{"authorizationPolicies:\n"
                    "  - name: projects/p/locations/l/authorizationPolicies/a\n"
                    "    policy:\n      bindings: [{rol: x}]\n",
                    "Unknown name \"rol\" at 'policy.bindings[0]'"},
           SeedCase{"authorizationPolicies:\n  - projects/p/locations/l/authorizationPolicies/a\n"
                    "  - projects/p/locations/l/authorizationPolicies/a\n",
                    "seed.yaml:3:5: authorizationPolicies: "
                    "\"projects/p/locations/l/authorizationPolicies/a\" is listed twice"},
           SeedCase{"restrictionPolicies:\n  - {id: x}\n",
                    "seed.yaml:2:5: id: \"x\" is not of the form <resource_type>:<resource_id>"},
           SeedCase{"principals:\n  - {member: 'user:a@b', state: gone}\n",
                    "seed.yaml:2:33: state: \"gone\" is neither deleted nor unknown"},
           SeedCase{"principals:\n  - {member: 'user:a@b', storedAs: c@b}\n",
                    "seed.yaml:2:5: storedAs: \"c@b\" is not of the form <type>:<value>"},
           SeedCase{
               "principals:\n  - {member: 'user:a@b', storedAs: 'user:c@b', uid: '1'}\n",
               "seed.yaml:2:5: storedAs: a principal with another name has neither a state nor "
               "a uid"},
           SeedCase{"credentials:\n  - {apiKey: x}\n", "seed.yaml:2:5: missing appKey"},
           SeedCase{"credentials:\n  - {token: x, expires: tomorrow}\n", "expires: \"tomorrow\""},
           SeedCase{"credentials:\n  - {token: x, permissions: [{permission: a}]}\n",
                    "seed.yaml:2:30: missing resources"},
           SeedCase{"serviceAccounts:\n  - {email: x}\n",
                    "seed.yaml:2:13: email: \"x\" is not an e-mail address"},
           SeedCase{"serviceAccounts:\n  - {email: x@y, key: []}\n",
                    "seed.yaml:2:18: unknown field \"key\", did you mean \"keys\"?"},
           SeedCase{"serviceAccounts:\n  - email: x@y\n    keys: [{id: k, publicKey: x}]\n",
                    "seed.yaml:3:31: publicKey: expected an RSA public key in PEM form"},
           SeedCase{"refreshTokens:\n  - {clientId: c, refreshToken: r, user: u}\n",
                    "seed.yaml:2:5: missing clientSecret"},
           SeedCase{"identityPools:\n  - {audience: x, subjectTokenType: t}\n",
                    "seed.yaml:2:16: audience: \"x\" is not of the form"},
           SeedCase{"metadata: {serviceAccount: x@y}\n",
                    "seed.yaml:1:28: serviceAccount: \"x@y\" is not among the serviceAccounts"},
           SeedCase{"options: {tokenLifetime: 13h}\n",
                    "seed.yaml:1:26: tokenLifetime: expected whole seconds from 1s to 12h"},
           SeedCase{"options:\n  rateLimits: [{limit: -1}]\n",
                    "seed.yaml:2:16: rateLimits: limit: expected a whole number, 0 or more"},
           SeedCase{"users: [\n", "seed.yaml:"},
           SeedCase{"--- {}\n---\nusers: []\n", "a seed is a single document"},
       }) {
    EXPECT_THAT(ReadSeed(one.text, "seed.yaml"),
                FailsWith(Code::kInvalidArgument, HasSubstr(one.message)))
        << one.text;
  }
}

TEST(EmulatorStart, SaysWhatIsWrongWithTheSeedFile) {
  const testing::TempDir dir;
  Options options;
  options.listen = "127.0.0.1:0";
  options.seed = dir / "none.yaml";
  EXPECT_THAT(Emulator::Start(options),
              FailsWith(Code::kNotFound, "cannot read the seed \"" + options.seed + "\""));
  dir.Write("none.yaml", "users: 5");
  EXPECT_THAT(Emulator::Start(options),
              FailsWith(Code::kInvalidArgument, HasSubstr(options.seed + ":1:8: ")));
}

}  // namespace
}  // namespace bindery::emulator
