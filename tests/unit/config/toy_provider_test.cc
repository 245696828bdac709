// A third cloud beside the two of this program: its settings are its own, whatever names they have.

#include <array>

#include "config/config_json.h"
#include "config/config_keys.h"
#include "providers/registry/providers.h"
#include "unit/config/config_fixture.h"

namespace bindery::config {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::Parse;
using testing::Problems;

struct ToySettings {
  int site = 0;
  std::string credentials;
  std::filesystem::path box;
};

ToySettings& ToyOf(providers::ProviderConfig& provider) { return provider.own.Of<ToySettings>(); }

// Another type has a text of the name site, and a section of the name credentials.
constexpr std::array kToyKeys = {
    Key<providers::ProviderConfig>{
        "site",
        [](providers::ProviderConfig& p) -> Slot { return &ToyOf(p).site; },
        "The number of the site.",
        {1, 9}},
    Key<providers::ProviderConfig>{
        "credentials",
        [](providers::ProviderConfig& p) -> Slot { return &ToyOf(p).credentials; },
        "The word that opens the box.",
        {},
        true},
    Key<providers::ProviderConfig>{
        "box", [](providers::ProviderConfig& p) -> Slot { return &ToyOf(p).box; },
        "Where the toys are."},
};

constexpr std::array<std::string_view, 1> kToyRemoteKeys = {"site"};

class Toy final : public providers::Provider {
 public:
  [[nodiscard]] std::string_view type() const override { return "toy"; }
  [[nodiscard]] std::vector<std::unique_ptr<reconcilers::Kind>> MakeKinds() const override {
    return {};
  }
  [[nodiscard]] std::span<const Key<providers::ProviderConfig>> SettingKeys() const override {
    return kToyKeys;
  }
  [[nodiscard]] std::span<const std::string_view> RemoteKeys() const override {
    return kToyRemoteKeys;
  }
  [[nodiscard]] bool HasEmbedded() const override { return false; }
  void CheckSettings(providers::ProviderConfig& /*config*/,
                     providers::ProviderSettings& /*settings*/) const override {}
  void CheckRemoteSettings(providers::ProviderConfig& config,
                           providers::ProviderSettings& settings) const override {
    if (ToyOf(config).box.empty()) settings.Add("box", "is missing");
  }
  [[nodiscard]] std::vector<std::string> Services() const override { return {"toys"}; }
  [[nodiscard]] providers::ServiceAddress MakeAddress(const providers::ProviderConfig& config,
                                                      const providers::Credentials& /*credentials*/,
                                                      const std::string& service) const override {
    return {"https://" + service + std::to_string(config.own.Of<ToySettings>().site) + ".example"};
  }
  [[nodiscard]] Expected<providers::Credentials> SignIn(
      const providers::ProviderConfig& /*config*/,
      const providers::SignInContext& /*context*/) const override {
    return providers::Credentials{};
  }
};

const bool kAdded = [] {
  static const Toy kToy;
  providers::AddProvider(kToy);
  return true;
}();

std::string SiteIn(const Json& report, const char* provider) {
  return report.at("config").at("providers").at(provider).at("site").dump();
}

TEST(ToyProvider, AKeyOfTwoTypesIsWhatTheTypeSaysWhereverThatStands) {
  ASSERT_TRUE(kAdded);
  const auto config = Parse(R"(providers:
  d: {site: datadoghq.eu, type: monitoring}
  g: {credentials: {type: none}, type: cloudnative}
  t: {credentials: word, site: 7, box: toys, type: toy}
)");
  ASSERT_THAT(Problems(config), IsEmpty());
  const providers::ProviderConfig& toy = config->providers.at("t");
  EXPECT_EQ(toy.own.Of<ToySettings>().site, 7);
  EXPECT_EQ(toy.own.Of<ToySettings>().credentials, "word");
  EXPECT_EQ(toy.own.Of<ToySettings>().box, "/etc/bindery/toys");
  EXPECT_FALSE(toy.embedded);
  EXPECT_EQ(providers::ProviderOfType("toy").MakeAddress(toy, {}, "toys").url,
            "https://toys7.example");

  const Json report = ConfigReport(*config);
  EXPECT_EQ(SiteIn(report, "d"), "\"datadoghq.eu\"");
  EXPECT_EQ(SiteIn(report, "t"), "7");
  EXPECT_EQ(report.at("config").at("providers").at("t").at("credentials"), "********");
  EXPECT_EQ(report.at("sources").at("providers.t.site").at("line"), 4);
}

TEST(ToyProvider, AVariableSetsTheTypeAndSoTheMeaningOfItsKeys) {
  const auto config = Parse("providers: {t: {type: monitoring, site: 7, box: /b}}",
                            {{"BINDERY_PROVIDERS_T_TYPE", "toy"}});
  ASSERT_THAT(Problems(config), IsEmpty());
  EXPECT_EQ(config->providers.at("t").own.Of<ToySettings>().site, 7);

  const auto overridden =
      Parse("providers: {t: {type: toy, site: 7, box: /b}}", {{"BINDERY_PROVIDERS_T_SITE", "8"}});
  ASSERT_THAT(Problems(overridden), IsEmpty());
  EXPECT_EQ(overridden->providers.at("t").own.Of<ToySettings>().site, 8);
}

TEST(ToyProvider, ACopyOfAConfigurationHasSettingsOfItsOwn) {
  const auto config = Parse("providers: {t: {type: toy, site: 7, box: /b}}");
  ASSERT_THAT(Problems(config), IsEmpty());
  providers::ProviderConfig copy = config->providers.at("t");
  ToyOf(copy).site = 1;
  EXPECT_EQ(config->providers.at("t").own.Of<ToySettings>().site, 7);
}

TEST(ToyProvider, TheEmbeddedCloudNeedNotServeIt) {
  const auto config = Parse("providers: {t: {type: toy, box: /b}}");
  ASSERT_THAT(Problems(config), IsEmpty());
  EXPECT_FALSE(config->providers.at("t").embedded);
  EXPECT_FALSE(config->UsesEmbeddedCloud());
  EXPECT_FALSE(Parse("")->providers.contains("toy")) << "none by default";
}

TEST(ToyProvider, NeedsNeitherCredentialsNorAnAuditLog) {
  EXPECT_NE(providers::ProviderOfType("toy").SignIn({}, {})->authorizer, nullptr);
  for (const attribution::AuditLogReader& reader : providers::AuditLogReaders()) {
    EXPECT_NE(reader.is_own, nullptr);
    EXPECT_NE(reader.read, nullptr);
  }
}

TEST(ToyProvider, WhatIsWrongIsToldByTheType) {
  struct Case {
    const char* provider;
    const char* problem;
  };
  const Case cases[] = {
      {"{type: toy, box: /b, embedded: true}",
       "bindery.yaml:1:47: providers.p.embedded: must be false: the embedded cloud does not serve "
       "providers of type toy"},
      {"{type: toy, box: /b, site: x}",
       "bindery.yaml:1:43: providers.p.site: expected a whole number, found a string \"x\""},
      {"{type: toy, box: /b, site: 10}",
       "bindery.yaml:1:43: providers.p.site: \"10\" is not a whole number from 1 to 9"},
      {"{type: toy}", "bindery.yaml:1:13: providers.p.box: is missing"},
      {"{type: toy, box: /b, apiUrl: \"https://h\"}",
       "bindery.yaml:1:45: providers.p.apiUrl: is for providers of type monitoring"},
      {"{type: toy, box: /b, endpoints: {pubsub: \"https://h\"}}",
       "bindery.yaml:1:57: providers.p.endpoints.pubsub: is for providers of type cloudnative"},
      {"{type: monitoring, box: /b}",
       "bindery.yaml:1:40: providers.p.box: is for providers of type toy"},
      {"{type: cloudnative, site: datadoghq.eu}",
       "bindery.yaml:1:42: providers.p.site: is for providers of type monitoring"},
  };
  for (const Case& c : cases) {
    EXPECT_THAT(Problems(Parse("providers: {p: " + std::string(c.provider) + "}")),
                ElementsAre(c.problem));
  }
}

TEST(ToyProvider, TheSchemaDescribesASharedNameForEachType) {
  const Json provider = ConfigSchema().at("properties").at("providers").at("additionalProperties");
  EXPECT_EQ(provider.at("properties").at("site"), Json::object());
  EXPECT_EQ(provider.at("properties").at("credentials"), Json::object());
  std::map<std::string, Json> rules;
  for (const Json& rule : provider.at("allOf")) {
    const std::string type = rule.at("if").at("properties").at("type").at("const");
    rules[type] = rule.at("then").at("properties");
  }
  EXPECT_EQ(rules.at("cloudnative").at("site"), false);
  EXPECT_EQ(rules.at("monitoring").at("site").at("type"), Json({"string", "null"}));
  EXPECT_EQ(rules.at("toy").at("site").at("maximum"), 9);
  EXPECT_TRUE(rules.at("cloudnative").at("credentials").at("properties").contains("file"));
  EXPECT_EQ(rules.at("monitoring").at("credentials"), false);
  EXPECT_EQ(rules.at("toy").at("credentials").at("type"), Json({"string", "null"}));
}

}  // namespace
}  // namespace bindery::config
