// The web configuration: what is taken from it, and what is said of one that cannot be used.

#include "config/web_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bindery::config {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::Pair;

constexpr const char* kHash = "$2y$10$mDwo.lAisC94iLAyP81MCesa29IzH37oigHC/42V2pdJlUprsJPze";

WebConfigResult ParseWeb(const std::string& text) {
  return ParseWebConfig(text, "web.yml", "/etc/bindery");
}

TEST(WebConfig, TakesEveryKeyOfTheSharedForm) {
  const WebConfigResult web = ParseWeb(R"(
tls_server_config:
  cert_file: server.crt
  key_file: /keys/server.key
  client_ca_file: ca.crt
  client_auth_type: RequireAndVerifyClientCert
  client_allowed_sans: [prometheus.example, 10.0.0.9]
  min_version: TLS13
  max_version: TLS13
  cipher_suites: [TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256]
  prefer_server_cipher_suites: false
  curve_preferences: [X25519, CurveP256]
http_server_config:
  http2: false
  headers:
    Strict-Transport-Security: max-age=63072000
    X-Frame-Options: deny
basic_auth_users:
  alice: )" + std::string(kHash) + R"(
rate_limit: {interval: 1s, burst: 20}
)");
  ASSERT_TRUE(web) << web.error().at(0).Text();
  EXPECT_EQ(web->tls->certificate.file, "/etc/bindery/server.crt");
  EXPECT_EQ(web->tls->key.file, "/keys/server.key");
  EXPECT_EQ(web->tls->client_ca.file, "/etc/bindery/ca.crt");
  EXPECT_EQ(web->tls->client_auth, ClientAuth::kRequireAndVerify);
  EXPECT_THAT(web->tls->client_allowed_sans, ElementsAre("prometheus.example", "10.0.0.9"));
  EXPECT_EQ(web->tls->min_version, 13);
  EXPECT_EQ(web->tls->max_version, 13);
  EXPECT_THAT(web->tls->cipher_suites, ElementsAre("TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"));
  EXPECT_FALSE(web->tls->prefer_server_cipher_suites);
  EXPECT_THAT(web->tls->curve_preferences, ElementsAre("X25519", "CurveP256"));
  EXPECT_THAT(web->headers, ElementsAre(Pair("X-Frame-Options", "deny"),
                                        Pair("Strict-Transport-Security", "max-age=63072000")));
  EXPECT_THAT(web->users, ElementsAre(Pair("alice", kHash)));
  EXPECT_EQ(web->rate_limit.interval, std::chrono::seconds(1));
  EXPECT_EQ(web->rate_limit.burst, 20);
  EXPECT_TRUE(web->Authenticates());
  EXPECT_THAT(web->Files(),
              ElementsAre("/etc/bindery/server.crt", "/keys/server.key", "/etc/bindery/ca.crt"));
}

TEST(WebConfig, AnEmptyFileAsksForNothing) {
  for (const char* text : {"", "# nothing\n", "tls_server_config:\nbasic_auth_users:\n"}) {
    SCOPED_TRACE(text);
    const WebConfigResult web = ParseWeb(text);
    ASSERT_TRUE(web);
    EXPECT_FALSE(web->tls);
    EXPECT_FALSE(web->Authenticates());
  }
}

TEST(WebConfig, OnlyACertificateThatIsRequiredAndVerifiedSaysWhoSomebodyIs) {
  for (const auto& [type, authenticates] : std::vector<std::pair<std::string, bool>>{
           {"NoClientCert", false},
           {"RequestClientCert", false},
           {"RequireAnyClientCert", false},
           {"VerifyClientCertIfGiven\n  client_ca_file: ca", false},
           {"RequireAndVerifyClientCert\n  client_ca_file: ca", true}}) {
    const WebConfigResult web =
        ParseWeb("tls_server_config:\n  cert_file: c\n  key_file: k\n  client_auth_type: " + type);
    ASSERT_TRUE(web) << web.error().at(0).Text();
    EXPECT_EQ(web->Authenticates(), authenticates) << type;
  }
}

struct BadCase {
  const char* name;
  const char* text;
  const char* problem;
};

class BadWebConfig : public ::testing::TestWithParam<BadCase> {};

TEST_P(BadWebConfig, IsRefusedWithThePlaceAndTheReason) {
  const WebConfigResult web = ParseWeb(GetParam().text);
  ASSERT_FALSE(web);
  EXPECT_EQ(web.error().at(0).Text(), GetParam().problem);
}

INSTANTIATE_TEST_SUITE_P(
    , BadWebConfig,
    ::testing::ValuesIn(std::vector<BadCase>{
        {"NoMap", "- a\n", "web.yml:1:1: expected a map, found a list"},
        {"UnknownSection", "tls_config: {}\n", "web.yml:1:1: tls_config: unknown key"},
        {"UnknownKey", "tls_server_config:\n  cert_files: a\n",
         "web.yml:2:3: tls_server_config.cert_files: unknown key: did you mean \"cert_file\"?"},
        {"NoCertificate", "tls_server_config:\n  key_file: a\n",
         "web.yml:2:3: tls_server_config: needs \"cert_file\""},
        {"BothForms", "tls_server_config:\n  key_file: a\n  cert: b\n  cert_file: c\n",
         "web.yml:2:3: tls_server_config: \"cert\" and \"cert_file\" exclude each other"},
        {"VerifyWithoutAuthority",
         "tls_server_config: {key_file: a, cert_file: b, client_auth_type: "
         "RequireAndVerifyClientCert}\n",
         "web.yml:1:20: tls_server_config: needs \"client_ca_file\""},
        {"AuthorityOfNoUse", "tls_server_config: {key_file: a, cert_file: b, client_ca_file: c}\n",
         "web.yml:1:20: tls_server_config: \"client_ca_file\" is of no use with client_auth_type "
         "NoClientCert"},
        {"NamesWithoutCertificate",
         "tls_server_config: {key_file: a, cert_file: b, client_allowed_sans: [x]}\n",
         "web.yml:1:20: tls_server_config: \"client_allowed_sans\" needs client_auth_type "
         "RequireAnyClientCert or RequireAndVerifyClientCert"},
        {"UnknownVersion", "tls_server_config: {key_file: a, cert_file: b, min_version: SSL3}\n",
         "web.yml:1:61: tls_server_config.min_version: \"SSL3\" is not accepted: expected one of "
         "TLS10, TLS11, TLS12, TLS13"},
        {"VersionsTheWrongWayRound",
         "tls_server_config: {key_file: a, cert_file: b, min_version: TLS13, max_version: TLS12}\n",
         "web.yml:1:20: tls_server_config: \"min_version\" is above \"max_version\""},
        {"UnknownHeader", "http_server_config: {headers: {X-Powered-By: bindery}}\n",
         "web.yml:1:32: http_server_config.headers.X-Powered-By: unknown key"},
        {"HeaderWithALineBreak",
         "http_server_config: {headers: {X-Frame-Options: \"a\\r\\nb: c\"}}\n",
         "web.yml:1:31: http_server_config.headers.X-Frame-Options: must not hold a line break"},
        {"NameWithAColon", "basic_auth_users: {\"a:b\": x}\n",
         "web.yml:1:20: basic_auth_users.a:b: a user's name must not be empty nor hold a colon"},
        {"NoBurst", "rate_limit: {interval: 1s}\n",
         "web.yml:1:13: rate_limit: \"burst\" must be at least 1"},
        {"BurstIsNoNumber", "rate_limit: {burst: many}\n",
         "web.yml:1:21: rate_limit.burst: \"many\" is not a whole number"},
    }),
    [](const auto& test) { return test.param.name; });

TEST(WebConfig, APasswordThatNobodyHashedIsRefusedAndNotRepeated) {
  for (const char* value :
       {"hunter2", "\"$2y$99$mDwo.lAisC94iLAyP81MCesa29IzH37oigHC\"",
        "\"$6$rounds=5000$usesomesillystri$D4IrlXatmP7rx3P3InaxBeoomnAihCKR\"", "[1]"}) {
    const WebConfigResult web = ParseWeb("basic_auth_users: {alice: " + std::string(value) + "}\n");
    ASSERT_FALSE(web) << value;
    const std::string text = web.error().at(0).Text();
    EXPECT_THAT(text, HasSubstr("basic_auth_users.alice: is not a bcrypt hash"));
    EXPECT_THAT(text, Not(HasSubstr("hunter2")));
    EXPECT_THAT(text, Not(HasSubstr("$6$")));
  }
}

TEST(WebConfig, AFileThatCannotBeReadIsNamed) {
  const WebConfigResult web = LoadWebConfig("/nowhere/web.yml");
  ASSERT_FALSE(web);
  EXPECT_EQ(web.error().at(0).Text(), "/nowhere/web.yml: cannot be read: no such file");
}

TEST(WebConfig, TakesTheSignIn) {
  const WebConfigResult web = ParseWeb(R"(
sign_in:
  external_url: https://bindery.example.com/
  lifetime: 2h
  idle: 10m
  sessions_file: sessions.json
  oidc:
    issuer: https://id.example.com/
    client_id: bindery
    client_secret_file: oidc.secret
    scopes: [openid, groups]
    groups_claim: realm_access.roles
    hosted_domain: example.com
    ca_file: ca.pem
  signed_header: {header: X-Jwt, issuer: https://proxy.example.com, audience: b, keys_url: https://proxy.example.com/keys}
roles:
  viewer: ["group:staff", "group:sre"]
  approver: ["group:sre", "email:ana@example.com", "certificate:CN=ana"]
anonymous: [metrics]
metrics_token_file: scrape.key
)");
  ASSERT_TRUE(web) << web.error().at(0).Text();
  EXPECT_EQ(web->sign_in.external_url, "https://bindery.example.com");
  EXPECT_EQ(web->sign_in.lifetime, std::chrono::hours(2));
  EXPECT_EQ(web->sign_in.idle, std::chrono::minutes(10));
  EXPECT_EQ(web->sign_in.sessions_file, "/etc/bindery/sessions.json");
  EXPECT_EQ(web->sign_in.oidc->issuer, "https://id.example.com/");
  EXPECT_EQ(web->sign_in.oidc->client_secret_file, "/etc/bindery/oidc.secret");
  EXPECT_THAT(web->sign_in.oidc->scopes, ElementsAre("openid", "groups"));
  EXPECT_EQ(web->sign_in.oidc->groups_claim, "realm_access.roles");
  EXPECT_EQ(web->sign_in.oidc->hosted_domain, "example.com");
  EXPECT_EQ(web->sign_in.signed_header->audience, "b");
  EXPECT_EQ(web->sign_in.signed_header->header, "X-Jwt");
  EXPECT_THAT(*web->roles,
              ElementsAre(Pair("certificate:CN=ana", Role::kApprover),
                          Pair("email:ana@example.com", Role::kApprover),
                          Pair("group:sre", Role::kApprover), Pair("group:staff", Role::kViewer)));
  EXPECT_TRUE(web->anonymous_metrics);
  EXPECT_FALSE(web->anonymous_reads);
  EXPECT_TRUE(web->Authenticates());
}

TEST(WebConfig, RefusesASignInThatCouldNotWorkOrWouldBeUnsafe) {
  const std::string oidc = "oidc: {issuer: https://id.example.com, client_id: b}";
  const std::string url = "external_url: https://b.example.com";
  const std::string roles = "\nroles: {viewer: [\"group:a\"]}\n";
  for (const auto& [text, said] : std::vector<std::pair<std::string, std::string>>{
           {"sign_in: {" + oidc + "}" + roles, "sign_in.external_url: is needed with oidc"},
           {"sign_in: {" + url + ", " + oidc + "}\n", "roles: is needed with sign_in"},
           {"sign_in: {external_url: http://b.example.com, " + oidc + "}" + roles,
            "sign_in.external_url: "},
           {"sign_in: {" + url + "/x, " + oidc + "}" + roles, "must not have a path"},
           {"sign_in: {" + url + ", oidc: {issuer: http://id.example.com, client_id: b}}" + roles,
            "sign_in.oidc.issuer: "},
           {"sign_in: {" + url + ", oidc: {issuer: https://id.example.com}}" + roles,
            "needs \"client_id\""},
           {"sign_in: {" + url +
                ", oidc: {issuer: https://id.example.com, client_id: b, scopes: [email]}}" + roles,
            "must hold \"openid\""},
           {"sign_in: {" + url + ", oidc: {isuer: x}}" + roles, "did you mean \"issuer\"?"},
           {"sign_in: {lifetime: 5s}\n", "must be between 1m and 30d"},
           {"sign_in: {signed_header: {}}" + roles, "needs \"audience\""},
           {"sign_in: {signed_header: {audience: a, header: X_Y}}" + roles, "without '_'"},
           {"roles: {viewer: [ana]}\n", "\"ana\" is not user:NAME"},
           {"roles: {admin: []}\n", "roles.admin: unknown key"},
           {"roles: {viewer: [\"user:ana\"]}\n", "is not in basic_auth_users"},
           {"roles: {viewer: [\"group:a\"]}\n", "there is no sign_in"},
           {"anonymous: [write]\n", "expected one of metrics, read"}}) {
    const WebConfigResult web = ParseWeb(text);
    ASSERT_FALSE(web) << text;
    std::string problems;
    for (const ConfigProblem& problem : web.error()) problems += problem.Text() + "\n";
    EXPECT_THAT(problems, HasSubstr(said)) << text;
  }
}

}  // namespace
}  // namespace bindery::config
