// What the configuration says of providers.

#include "providers/datadog/settings.h"
#include "providers/google/settings.h"
#include "unit/config/config_fixture.h"

namespace bindery::config {
namespace {

using ::testing::IsEmpty;
using ::testing::Pair;
using testing::Parse;
using testing::Problems;
using ::testing::UnorderedElementsAre;

const google::GoogleSettings& GetGoogle(const providers::ProviderConfig& provider) {
  return provider.own.Of<google::GoogleSettings>();
}

const datadog::DatadogSettings& GetDatadog(const providers::ProviderConfig& provider) {
  return provider.own.Of<datadog::DatadogSettings>();
}

/// Those that are given.
std::map<std::string, std::string> EndpointsOf(const providers::ProviderConfig& provider) {
  std::map<std::string, std::string> endpoints = GetGoogle(provider).endpoints;
  std::erase_if(endpoints, [](const auto& endpoint) { return endpoint.second.empty(); });
  return endpoints;
}

TEST(ProviderSettings, AProviderWithEndpointsOrCredentialsIsNotEmbedded) {
  struct Case {
    const char* provider;
    bool embedded;
  };
  const Case cases[] = {
      {"{type: cloudnative}", true},
      {"{type: cloudnative, project: p, quota: {burst: 1}}", true},
      {"{type: cloudnative, endpoints: {backupdr: https://b.example}}", false},
      {"{type: cloudnative, credentials: {type: none}}", false},
      {"{type: monitoring, site: datadoghq.eu}", false},
      {"{type: monitoring, apiUrl: http://localhost:1}", false},
      {"{type: monitoring, apiKeyFile: k}", false},
      {"{type: monitoring, appKeyFile: k}", false},
      {"{type: cloudnative, embedded: false}", false},
      {"{type: cloudnative, embedded: true, endpoints: {backupdr: https://b.example}}", true},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.provider);
    const auto config = Parse("providers: {p: " + std::string(c.provider) + "}");
    ASSERT_THAT(Problems(config), IsEmpty());
    EXPECT_EQ(config->providers.at("p").embedded, c.embedded);
    EXPECT_EQ(config->UsesEmbeddedCloud(), c.embedded);
    if (!c.embedded) continue;
    EXPECT_THAT(EndpointsOf(config->providers.at("p")), IsEmpty());
  }
}

TEST(ProviderSettings, AddressesThatAreNotGivenAreTheRealServices) {
  const auto config = Parse(R"(providers:
  g: {type: cloudnative, endpoints: {backupdr: "https://proxy.example/backupdr/"}}
  d: {type: monitoring, site: us3.datadoghq.com}
  e: {type: monitoring, embedded: false}
  f: {type: monitoring, apiUrl: "https://proxy.example/dd/"}
)");
  ASSERT_THAT(Problems(config), IsEmpty());
  // The rest follows from the universe domain, which the credentials may name.
  EXPECT_THAT(EndpointsOf(config->providers.at("g")),
              UnorderedElementsAre(Pair("backupdr", "https://proxy.example/backupdr")));
  EXPECT_EQ(GetDatadog(config->providers.at("d")).api_url, "https://api.us3.datadoghq.com");
  EXPECT_EQ(GetDatadog(config->providers.at("e")).api_url, "https://api.datadoghq.com");
  EXPECT_EQ(GetDatadog(config->providers.at("f")).api_url, "https://proxy.example/dd");
}

TEST(ProviderSettings, CredentialsNameAFileOrATokenFromTheEnvironment) {
  const auto config = Parse(R"(providers:
  a: {type: cloudnative, credentials: {type: accessTokenFile, file: token}}
  b: {type: cloudnative, credentials: {type: accessToken, token: "${env:TOKEN}"}}
  c: {type: monitoring, apiKeyFile: keys/api, appKeyFile: /run/app}
)",
                            {{"TOKEN", "ya29.x"}});
  ASSERT_THAT(Problems(config), IsEmpty());
  EXPECT_EQ(GetGoogle(config->providers.at("a")).credentials.type,
            google::CredentialsType::kAccessTokenFile);
  EXPECT_EQ(GetGoogle(config->providers.at("a")).credentials.file, "/etc/bindery/token");
  EXPECT_EQ(GetGoogle(config->providers.at("b")).credentials.type,
            google::CredentialsType::kAccessToken);
  EXPECT_EQ(GetGoogle(config->providers.at("b")).credentials.token, "ya29.x");
  EXPECT_EQ(GetDatadog(config->providers.at("c")).api_key_file, "/etc/bindery/keys/api");
  EXPECT_EQ(GetDatadog(config->providers.at("c")).app_key_file, "/run/app");
}

TEST(ProviderSettings,
     WhoDoesNotSayHowToSignInGetsTheApplicationDefaultUnlessItIsAllOnThisMachine) {
  const auto config = Parse(R"(providers:
  real: {type: cloudnative, embedded: false}
  proxied: {type: cloudnative, endpoints: {backupdr: "https://proxy.example"}}
  local: {type: cloudnative, endpoints: {backupdr: "http://127.0.0.1:9818"}}
  embedded: {type: cloudnative}
  given: {type: cloudnative, endpoints: {backupdr: "http://localhost:1"},
          credentials: {type: applicationDefault}}
  file: {type: cloudnative, credentials: {type: file, file: key.json}, quotaProject: q,
         universeDomain: example.goog}
  bearer: {type: monitoring, bearerTokenFile: token}
)");
  ASSERT_THAT(Problems(config), IsEmpty());
  const auto type = [&](const char* name) {
    return GetGoogle(config->providers.at(name)).credentials.type;
  };
  EXPECT_EQ(type("real"), google::CredentialsType::kApplicationDefault);
  EXPECT_EQ(type("proxied"), google::CredentialsType::kApplicationDefault);
  EXPECT_EQ(type("local"), google::CredentialsType::kNone);
  EXPECT_EQ(type("embedded"), google::CredentialsType::kNone);
  EXPECT_EQ(type("given"), google::CredentialsType::kApplicationDefault);
  EXPECT_EQ(type("file"), google::CredentialsType::kFile);
  EXPECT_EQ(GetGoogle(config->providers.at("file")).quota_project, "q");
  EXPECT_EQ(GetGoogle(config->providers.at("file")).universe_domain, "example.goog");
  EXPECT_FALSE(config->providers.at("bearer").embedded);
}

}  // namespace
}  // namespace bindery::config
