// Environment variables: what they override, and what is no variable of ours.

#include "config/config_json.h"
#include "unit/config/config_fixture.h"

namespace bindery::config {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using testing::Parse;
using testing::Problems;
using namespace std::chrono_literals;

TEST(Overrides, AreCalledLikeTheirKeys) {
  EXPECT_EQ(GetVariable("store.url"), "BINDERY_STORE_URL");
  EXPECT_EQ(GetVariable("reconcile.shortestInterval"), "BINDERY_RECONCILE_SHORTEST_INTERVAL");
  EXPECT_EQ(GetVariable("embeddedCloud.store"), "BINDERY_EMBEDDED_CLOUD_STORE");
  EXPECT_EQ(GetVariable("providers.eu-1.endpoints.backupdr"),
            "BINDERY_PROVIDERS_EU_1_ENDPOINTS_BACKUPDR");
}

TEST(Overrides, StandInForWhatTheFileSaysWhateverTheType) {
  const auto config = Parse(R"(
reconcile: {interval: 5m, concurrency: 4}
reports: {formats: [json]}
providers: {eu-1: {type: cloudnative, project: file}}
)",
                            {{"BINDERY_RECONCILE_INTERVAL", "90s"},
                             {"BINDERY_RECONCILE_JITTER", "0.5"},
                             {"BINDERY_RECONCILE_MODE", "observe"},
                             {"BINDERY_RECONCILE_WARN_BEFORE_EXPIRY", "3d"},
                             {"BINDERY_MANIFESTS_RECURSIVE", "false"},
                             {"BINDERY_REPORTS_FORMATS", "html, markdown"},
                             {"BINDERY_SERVER_LISTEN", "localhost:1"},
                             {"BINDERY_STORE_URL", "sqlite:/s.db"},
                             {"BINDERY_PROVIDERS_EU_1_PROJECT", "$variable"},
                             {"BINDERY_GUARD_MAX_REMOVED_GRANTS", ""}});
  ASSERT_THAT(Problems(config), IsEmpty());
  EXPECT_EQ(config->reconcile.interval, 90s);
  EXPECT_EQ(config->reconcile.concurrency, 4);
  EXPECT_EQ(config->reconcile.jitter, 0.5);
  EXPECT_EQ(config->reconcile.mode, Mode::kObserve);
  EXPECT_THAT(config->reconcile.warn_before_expiry, ElementsAre(72h));
  EXPECT_FALSE(config->manifests.recursive);
  EXPECT_THAT(config->reports.formats, ElementsAre(ReportFormat::kHtml, ReportFormat::kMarkdown));
  EXPECT_EQ(config->server.listen.Text(), "localhost:1");
  EXPECT_EQ(config->store, "/s.db");
  EXPECT_EQ(config->providers.at("eu-1").project, "$variable");
  EXPECT_EQ(config->guard.max_removed_grants, 50) << "an empty variable is none";
}

TEST(Overrides, ReachTheProvidersThatNoFileNames) {
  const auto config = Parse("{}", {{"BINDERY_PROVIDERS_CLOUDNATIVE_PROJECT", "acme"},
                                   {"BINDERY_PROVIDERS_MONITORING_SITE", "datadoghq.eu"}});
  ASSERT_THAT(Problems(config), IsEmpty());
  EXPECT_EQ(config->providers.at("cloudnative").project, "acme");
  EXPECT_TRUE(config->providers.at("cloudnative").embedded);
  EXPECT_FALSE(config->providers.at("monitoring").embedded) << "as if the file had named a site";
}

TEST(Overrides, ThatAreWrongAreToldByNameWithoutTheirValue) {
  const auto problems = Problems(Parse("providers: {a: {type: cloudnative}}\n",
                                       {{"BINDERY_RECONCILE_INTERVAL", "hunter2"},
                                        {"BINDERY_SERVER_LISTEN", "0.0.0.0:9817"},
                                        {"BINDERY_PROVIDERS_A_SITE", "datadoghq.eu"}}));
  EXPECT_THAT(problems,
              ElementsAre(HasSubstr("$BINDERY_RECONCILE_INTERVAL: reconcile.interval: \"${env:"),
                          "$BINDERY_PROVIDERS_A_SITE: providers.a.site: is for providers of type "
                          "monitoring",
                          HasSubstr("$BINDERY_SERVER_LISTEN: server.listen: ")));
  for (const std::string& problem : problems) EXPECT_THAT(problem, Not(HasSubstr("hunter2")));
}

TEST(Overrides, AMisspelledVariableIsRefusedWithTheNearestOne) {
  EXPECT_THAT(Problems(Parse("{}", {{"BINDERY_RECONCIL_INTERVAL", "5m"}})),
              ElementsAre("$BINDERY_RECONCIL_INTERVAL: unknown variable: did you mean "
                          "\"BINDERY_RECONCILE_INTERVAL\"?"));
  EXPECT_THAT(Problems(Parse("{}", {{"BINDERY_STORE_PASSWORD", "x"}})),
              ElementsAre("$BINDERY_STORE_PASSWORD: unknown variable: no setting has that name, "
                          "see bindery config show"));
  EXPECT_THAT(Problems(Parse("{}", {{"BINDERY_SERVER_PORT", "9000"}})),
              ElementsAre(HasSubstr("no setting has that name")));
  EXPECT_THAT(Problems(Parse("{}", {{"BINDERY_PROVIDERS_EU_PROJECT", "x"}})),
              ElementsAre(HasSubstr("no setting has that name")));
}

TEST(Overrides, WhatKubernetesAndOthersSetIsLeftAlone) {
  EXPECT_THAT(Problems(Parse("{}", {{"BINDERY_CONFIG", "/x"},
                                    {"BINDERY_SERVICE_HOST", "10.0.0.1"},
                                    {"BINDERY_SERVICE_PORT", "9817"},
                                    {"BINDERY_SERVICE_PORT_HTTP", "9817"},
                                    {"BINDERY_PORT", "tcp://10.0.0.1:9817"},
                                    {"BINDERY_PORT_9817_TCP_ADDR", "10.0.0.1"},
                                    {"BINDERY_SERVER_SERVICE_HOST", "10.0.0.1"},
                                    {"BINDERY_SERVER_PORT", "tcp://10.0.0.1:9817"},
                                    {"BINDERY_SERVER_PORT_9817_TCP", "x"},
                                    {"BINDERY_IMAGE_TAG", "1"},
                                    {"BINDERY_STORE_PASSWORD", ""},
                                    {"OTHER_RECONCILE_INTERVAL", "1"}})),
              IsEmpty());
}

TEST(Overrides, TwoProvidersOfOneVariableAreRefused) {
  EXPECT_THAT(Problems(Parse("providers: {a-b: {type: monitoring}, a_b: {type: monitoring}}\n",
                             {{"BINDERY_PROVIDERS_A_B_SITE", "datadoghq.eu"}})),
              ElementsAre(HasSubstr("stands for more than one provider")));
}

TEST(ConfigReport, SaysEveryValueAndWhereItIsFrom) {
  const auto config = Parse(
      "reconcile:\n  interval: 2m\n  concurrency: \"${env:N}\"\n"
      "transport: {proxy: \"http://u:hunter2@proxy:1\"}\n"
      "providers: {a: {type: cloudnative, endpoints: {backupdr: \"http://127.0.0.1:1\"},\n"
      "  credentials: {type: accessToken, token: \"x${env:TOKEN}\"}}}\n",
      {{"N", "3"}, {"TOKEN", "hunter2"}, {"BINDERY_LOGGING_LEVEL", "debug"}});
  ASSERT_THAT(Problems(config), IsEmpty());
  const Json report = ConfigReport(*config);
  const Json& effective = report.at("config");
  EXPECT_EQ(effective.at("reconcile").at("interval"), "2m");
  EXPECT_EQ(effective.at("reconcile").at("concurrency"), 3);
  EXPECT_EQ(effective.at("reconcile").at("warnBeforeExpiry"), Json({"7d", "1d"}));
  EXPECT_EQ(effective.at("logging").at("level"), "debug");
  EXPECT_EQ(effective.at("store").at("url"), "sqlite:/etc/bindery/state/bindery.db");
  EXPECT_EQ(effective.at("transport").at("proxy"), "********");
  EXPECT_EQ(effective.at("providers").at("a").at("credentials").at("token"), "********");
  EXPECT_FALSE(effective.at("providers").at("a").contains("site")) << "of the other type";
  EXPECT_THAT(report.dump(), Not(HasSubstr("hunter2")));

  const Json& sources = report.at("sources");
  EXPECT_EQ(sources.at("reconcile.interval"),
            Json({{"from", "file"}, {"line", 2}, {"column", 13}}));
  EXPECT_EQ(sources.at("reconcile.concurrency").at("variable"), "N");
  EXPECT_EQ(sources.at("reconcile.concurrency").at("from"), "file");
  EXPECT_EQ(sources.at("providers.a.credentials.token").at("variable"), "TOKEN");
  EXPECT_EQ(sources.at("logging.level"),
            Json({{"from", "environment"}, {"variable", "BINDERY_LOGGING_LEVEL"}}));
  EXPECT_EQ(sources.at("guard.maxRemovedGrants"), Json({{"from", "default"}}));
  const std::size_t own = ConfigKeys().size() - 1;  // Webhooks have keys of their own.
  EXPECT_EQ(sources.size(), own + 29) << "and those of one provider";
}

}  // namespace
}  // namespace bindery::config
