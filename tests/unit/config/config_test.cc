#include "config/config.h"

#include <fstream>
#include <sstream>

#include "config/config_keys.h"
#include "providers/google/settings.h"
#include "support/temp_dir.h"
#include "unit/config/config_fixture.h"

namespace bindery::config {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::Parse;
using testing::Problems;

TEST(Config, ASingleValueInThePlaceOfASectionIsTheSource) {
  const auto groups = [](const std::string& value) {
    const auto config = Parse("providers: {g: {type: cloudnative, groups: " + value + "}}\n");
    return config ? config->providers.at("g").own.Of<google::GoogleSettings>().group_source
                  : throw std::runtime_error("refused: " + value);
  };
  EXPECT_EQ(groups("cloudidentity"), google::GroupsFrom::kService);
  EXPECT_EQ(groups("files"), google::GroupsFrom::kFiles);
  EXPECT_EQ(groups("{files: [a.yaml]}"), google::GroupsFrom::kFiles);
  EXPECT_EQ(groups("{source: cloudidentity, files: [a.yaml]}"), google::GroupsFrom::kService);
}

TEST(Config, AnEmptyFileIsTheDocumentedDefaults) {
  const auto config = Parse("# nothing\n");
  ASSERT_THAT(Problems(config), IsEmpty());
  EXPECT_EQ(config->manifests.directory, "/etc/bindery/manifests");
  EXPECT_TRUE(config->manifests.recursive);
  EXPECT_EQ(config->manifests.rescan_interval, 30s);
  EXPECT_EQ(config->manifests.debounce, 200ms);
  EXPECT_EQ(config->store, "/etc/bindery/state/bindery.db");
  EXPECT_EQ(config->reconcile.interval, 5min);
  EXPECT_EQ(config->reconcile.jitter, 0.1);
  EXPECT_EQ(config->reconcile.concurrency, 32);
  EXPECT_EQ(config->reconcile.mode, Mode::kEnforce);
  EXPECT_EQ(config->reconcile.undeclared_roles, UndeclaredRoles::kRemove);
  EXPECT_EQ(config->reconcile.shutdown_timeout, 20s);
  EXPECT_EQ(config->reconcile.full_read_every, 10);
  EXPECT_EQ(config->reconcile.confirm_emptied, 10s);
  EXPECT_EQ(config->reconcile.release_missing, 24h);
  EXPECT_EQ(config->guard.max_removed_grants, 50);
  EXPECT_EQ(config->guard.max_removed_fraction, 0.25);
  EXPECT_EQ(config->transport.ca_file, "");
  EXPECT_EQ(config->transport.proxy, "");
  EXPECT_EQ(config->transport.no_proxy, "");
  EXPECT_EQ(config->transport.connect_timeout, 10s);
  EXPECT_EQ(config->transport.timeout, 30s);
  EXPECT_EQ(config->embedded_cloud.store, "/etc/bindery/state/cloud.db");
  EXPECT_EQ(config->embedded_cloud.seed, "/etc/bindery/embedded-cloud.yaml");
  EXPECT_EQ(config->embedded_cloud.listen.Text(), "127.0.0.1:9818");
  EXPECT_EQ(config->server.listen.Text(), "127.0.0.1:9817");
  EXPECT_EQ(config->server.socket, "/etc/bindery/state/bindery.sock");
  EXPECT_FALSE(config->server.insecure);
  EXPECT_EQ(config->logging.level, LogLevel::kInfo);
  EXPECT_EQ(config->logging.format, LogFormat::kText);
  EXPECT_EQ(config->tracing.endpoint, "");
  EXPECT_EQ(config->tracing.sample_ratio, 1);
  EXPECT_EQ(config->tracing.headers_file, "");
  EXPECT_EQ(config->tracing.service_name, "bindery");
  EXPECT_EQ(config->tracing.timeout, 10s);
  EXPECT_EQ(config->reports.directory, "/etc/bindery/state/reports");
  EXPECT_THAT(config->reports.formats, ElementsAre(ReportFormat::kJson, ReportFormat::kHtml));
  EXPECT_EQ(config->reports.keep, 30);
  EXPECT_EQ(config->reports.minimum_interval, 5min);
  EXPECT_EQ(config->attribution.directory, "");
  EXPECT_EQ(config->attribution.interval, 10s);
  EXPECT_EQ(config->retention.events, 24h * 90);
  EXPECT_EQ(config->retention.revisions, 100);
}

TEST(Config, WithoutProvidersBothKindsOfCloudAreEmbedded) {
  const auto config = Parse("");
  ASSERT_THAT(Problems(config), IsEmpty());
  ASSERT_EQ(config->providers.size(), 2U);
  EXPECT_EQ(config->providers.at("cloudnative").type, "cloudnative");
  EXPECT_EQ(config->providers.at("monitoring").type, "monitoring");
  EXPECT_TRUE(config->providers.at("cloudnative").embedded);
  EXPECT_TRUE(config->providers.at("monitoring").embedded);
  EXPECT_TRUE(config->UsesEmbeddedCloud());
}

TEST(Config, EveryKeyIsRead) {
  const auto config = Parse(R"(
manifests: {directory: /srv/m, recursive: false, rescanInterval: 1m, debounce: 0s, maxFiles: 7, maxBytes: 9,
            repositoryUrl: "https://git.example/blob/main/{path}#L{line}"}
store: {url: "sqlite:/var/lib/b.db", witness: w}
reconcile: {interval: 1s, shortestInterval: 500ms, longestInterval: 1h, exactInterval: 2h, requestsPerMinute: 60.5, jitter: 0, concurrency: 1024, mode: observe, undeclaredRoles: keep, fullReadEvery: 1, shutdownTimeout: 1m, confirmEmptied: 0s, releaseMissing: 2h, warnBeforeExpiry: [1h, 30d]}
guard: {maxRemovedGrants: 0, maxRemovedFraction: 1}
providers:
  g:
    type: cloudnative
    embedded: true
    project: acme
    location: global
    quota: {requestsPerSecond: 2.5, burst: 10}
    scan: {scope: organizations/1, interval: 12h, hints: true}
    groups: {source: cloudidentity, maxAge: 1h}
justInTime: {proof: form}
transport: {caFile: ca.pem, proxy: "http://u:p@proxy.example:3128", noProxy: "a.example,10.0.0.0/8",
            connectTimeout: 1ms, timeout: 10m}
embeddedCloud: {store: c.db, seed: ../seed.yaml, listen: "[::1]:0"}
server: {listen: "localhost:1", socket: b.sock, webConfigFile: "", insecure: true}
logging: {level: debug, format: json}
tracing: {endpoint: "https://otlp.example/", sampleRatio: 0.25, headersFile: h, serviceName: s, timeout: 3s}
reports: {directory: out, formats: [markdown], keep: 1, maxBytes: 5000, minimumInterval: 30s}
attribution: {directory: logs, interval: 1m}
retention: {events: 1h, revisions: 2}
)");
  ASSERT_THAT(Problems(config), IsEmpty());
  EXPECT_EQ(config->manifests.directory, "/srv/m");
  EXPECT_FALSE(config->manifests.recursive);
  EXPECT_EQ(config->manifests.rescan_interval, 1min);
  EXPECT_EQ(config->manifests.debounce, 0s);
  EXPECT_EQ(config->manifests.max_files, 7);
  EXPECT_EQ(config->manifests.max_bytes, 9);
  EXPECT_EQ(config->manifests.repository_url, "https://git.example/blob/main/{path}#L{line}");
  EXPECT_EQ(config->store, "/var/lib/b.db");
  EXPECT_EQ(config->store_witness, "/etc/bindery/w");
  EXPECT_EQ(config->reconcile.interval, 1s);
  EXPECT_EQ(config->reconcile.shortest_interval, 500ms);
  EXPECT_EQ(config->reconcile.longest_interval, 1h);
  EXPECT_EQ(config->reconcile.exact_interval, 2h);
  EXPECT_EQ(config->reconcile.requests_per_minute, 60.5);
  EXPECT_EQ(config->reconcile.jitter, 0);
  EXPECT_EQ(config->reconcile.concurrency, 1024);
  EXPECT_EQ(config->reconcile.mode, Mode::kObserve);
  EXPECT_EQ(config->reconcile.undeclared_roles, UndeclaredRoles::kKeep);
  EXPECT_EQ(config->reconcile.shutdown_timeout, 1min);
  EXPECT_EQ(config->reconcile.full_read_every, 1);
  EXPECT_EQ(config->reconcile.confirm_emptied, 0s);
  EXPECT_EQ(config->reconcile.release_missing, 2h);
  EXPECT_THAT(config->reconcile.warn_before_expiry, ElementsAre(1h, 24h * 30));
  EXPECT_EQ(config->guard.max_removed_grants, 0);
  EXPECT_EQ(config->guard.max_removed_fraction, 1);
  const providers::ProviderConfig& provider = config->providers.at("g");
  EXPECT_EQ(provider.name, "g");
  EXPECT_EQ(provider.project, "acme");
  EXPECT_EQ(provider.own.Of<google::GoogleSettings>().location, "global");
  EXPECT_EQ(provider.own.Of<google::GoogleSettings>().scan_scope, "organizations/1");
  EXPECT_EQ(provider.own.Of<google::GoogleSettings>().scan_interval, 12h);
  EXPECT_TRUE(provider.own.Of<google::GoogleSettings>().scan_hints);
  EXPECT_EQ(provider.own.Of<google::GoogleSettings>().group_source, google::GroupsFrom::kService);
  EXPECT_EQ(provider.own.Of<google::GoogleSettings>().group_max_age, 1h);
  EXPECT_EQ(provider.quota.requests_per_second, 2.5);
  EXPECT_EQ(provider.quota.burst, 10);
  EXPECT_EQ(provider.just_in_time, JustInTimeProof::kForm);
  EXPECT_EQ(config->transport.ca_file, "/etc/bindery/ca.pem");
  EXPECT_EQ(config->transport.proxy, "http://u:p@proxy.example:3128");
  EXPECT_EQ(config->transport.no_proxy, "a.example,10.0.0.0/8");
  EXPECT_EQ(config->transport.connect_timeout, 1ms);
  EXPECT_EQ(config->transport.timeout, 10min);
  EXPECT_EQ(config->embedded_cloud.store, "/etc/bindery/c.db");
  EXPECT_EQ(config->embedded_cloud.seed, "/etc/seed.yaml");
  EXPECT_EQ(config->embedded_cloud.listen.Text(), "[::1]:0");
  EXPECT_EQ(config->server.listen.Text(), "localhost:1");
  EXPECT_EQ(config->server.socket, "/etc/bindery/b.sock");
  EXPECT_TRUE(config->server.insecure);
  EXPECT_EQ(config->logging.level, LogLevel::kDebug);
  EXPECT_EQ(config->logging.format, LogFormat::kJson);
  EXPECT_EQ(config->tracing.endpoint, "https://otlp.example");
  EXPECT_EQ(config->tracing.sample_ratio, 0.25);
  EXPECT_EQ(config->tracing.headers_file, "/etc/bindery/h");
  EXPECT_EQ(config->tracing.service_name, "s");
  EXPECT_EQ(config->tracing.timeout, 3s);
  EXPECT_EQ(config->reports.directory, "/etc/bindery/out");
  EXPECT_THAT(config->reports.formats, ElementsAre(ReportFormat::kMarkdown));
  EXPECT_EQ(config->reports.keep, 1);
  EXPECT_EQ(config->reports.minimum_interval, 30s);
  EXPECT_EQ(config->reports.max_bytes, 5000);
  EXPECT_EQ(config->attribution.directory, "/etc/bindery/logs");
  EXPECT_EQ(config->attribution.interval, 1min);
  EXPECT_EQ(config->retention.events, 1h);
  EXPECT_EQ(config->retention.revisions, 2);
}

TEST(Config, AKeyOrSectionWithNothingBehindItIsTheDefault) {
  const auto config = Parse("server:\nreconcile:\n  interval:\nproviders:\n");
  ASSERT_THAT(Problems(config), IsEmpty());
  EXPECT_EQ(config->reconcile.interval, 5min);
  EXPECT_EQ(config->providers.size(), 2U);
}

TEST(Config, VariablesExpandInValuesOfEveryType) {
  const auto config = Parse(R"(
reconcile: {concurrency: "${env:N}", interval: "${env:EVERY}"}
guard:
  maxRemovedFraction: ${env:F}
server: {insecure: "${env:YES}", listen: "${env:HOST}:${env:PORT}"}
manifests: {directory: "/a/$${x}/${env:DIR}$"}
reports: {formats: ["${env:FORMAT}"]}
)",
                            {{"N", "8"},
                             {"EVERY", "90s"},
                             {"F", "0.5"},
                             {"YES", "true"},
                             {"HOST", "127.0.0.1"},
                             {"PORT", "80"},
                             {"DIR", "${env:N}"},
                             {"FORMAT", "html"}});
  ASSERT_THAT(Problems(config), IsEmpty());
  EXPECT_EQ(config->reconcile.concurrency, 8);
  EXPECT_EQ(config->reconcile.interval, 90s);
  EXPECT_EQ(config->guard.max_removed_fraction, 0.5);
  EXPECT_TRUE(config->server.insecure);
  EXPECT_EQ(config->server.listen.Text(), "127.0.0.1:80");
  EXPECT_EQ(config->manifests.directory, "/a/${x}/${env:N}$")
      << "what a variable holds is not read again";
  EXPECT_THAT(config->reports.formats, ElementsAre(ReportFormat::kHtml));
}

TEST(LoadConfig, PathsStartAtTheFilesFolder) {
  const testing::TempDir dir;
  dir.Write("etc/bindery.yaml", "manifests: {directory: ../m}\n");
  const auto config = LoadConfig(dir / "etc/bindery.yaml");
  ASSERT_THAT(Problems(config), IsEmpty());
  EXPECT_EQ(config->manifests.directory, dir.path() / "m");
  EXPECT_EQ(config->store, dir.path() / "etc/state/bindery.db");
  EXPECT_EQ(config->file, dir.path() / "etc/bindery.yaml");
}

TEST(ParseConfig, SeverityRulesAreReadInTheirOrder) {
  const auto config = Parse(R"(
drift:
  severity:
    - {class: undeclared, role: roles/viewer, member: "domain:*", severity: low}
    - {class: condition-changed, titleOnly: true, severity: medium}
    - {kind: RestrictionPolicy, severity: critical}
)");
  ASSERT_THAT(Problems(config), IsEmpty());
  EXPECT_THAT(
      config->drift.severity,
      ElementsAre(
          SeverityRule{DriftClass::kUndeclared, "", "roles/viewer", "domain:*", false,
                       Severity::kLow},
          SeverityRule{DriftClass::kConditionChanged, "", "", "", true, Severity::kMedium},
          SeverityRule{std::nullopt, "RestrictionPolicy", "", "", false, Severity::kCritical}));
}

TEST(LoadConfig, TheShippedFileIsValidAndShowsEveryKey) {
  const std::filesystem::path file =
      std::filesystem::path(BINDERY_SOURCE_DIR) / "config/bindery.yaml";
  EXPECT_THAT(Problems(LoadConfig(file)), IsEmpty());
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  const auto expect_shown = [&text](std::string_view path) {
    const std::string name(path.substr(path.rfind('.') + 1));
    EXPECT_NE(text.str().find(name), std::string::npos) << path;
  };
  for (const auto& key : ConfigKeys()) expect_shown(key.path);
  for (const auto& key : ProviderKeys("")) {
    if (!key.path.ends_with(".*")) expect_shown(key.path);
  }
  for (const auto& key : SeverityRuleKeys()) expect_shown(key.path);
  for (const auto& key : TargetRuleKeys()) expect_shown(key.path);
  for (const auto& key : AcceptedDriftKeys()) expect_shown(key.path);
  for (const auto& key : ProtectedGrantsKeys()) expect_shown(key.path);
}

TEST(LoadConfig, AFileThatCannotBeReadIsAProblemThatNamesIt) {
  const testing::TempDir dir;
  EXPECT_THAT(Problems(LoadConfig(dir / "none.yaml")),
              ElementsAre((dir / "none.yaml") + ": cannot be read: no such file"));
  EXPECT_THAT(Problems(LoadConfig(dir.path())),
              ElementsAre(dir.path().string() + ": cannot be read: it is a directory"));
  dir.Write("large.yaml", std::string((1U << 20U) + 1, '#'));
  EXPECT_THAT(Problems(LoadConfig(dir / "large.yaml")),
              ElementsAre((dir / "large.yaml") + ": cannot be read: it is larger than 1 MiB"));
}

TEST(LoadConfig, WhatIsWrongWithTheWebConfigurationIsToldWithAllElse) {
  struct Case {
    const char* why;
    std::string text;
    std::vector<std::string> problems;
  };
  const testing::TempDir dir;
  dir.Write("bad.yml", "nosuch: 1\n");
  dir.Write("open.yml", "{}\n");
  const std::string file = dir / "bindery.yaml";
  const std::string unread =
      "server.webConfigFile: \"" + (dir / "absent.yml") + "\" cannot be read: no such file";
  const std::vector<Case> cases = {
      {"where the setting is",
       "server:\n  webConfigFile: absent.yml\n",
       {file + ":2:18: " + unread}},
      {"beside other faults",
       "server:\n  webConfigFile: absent.yml\nsever: {}\n",
       {file + ":2:18: " + unread, file + ":3:1: sever: unknown key: did you mean \"server\"?"}},
      {"the other file after this one",
       "server: {webConfigFile: bad.yml}\nsever: {}\n",
       {file + ":2:1: sever: unknown key: did you mean \"server\"?", (dir / "bad.yml") + ":1:1: "}},
      {"of both together",
       "server: {webConfigFile: open.yml, listen: \"0.0.0.0:9817\"}\n",
       {file + ":1:43: server.listen: \"0.0.0.0:9817\" can be reached from other machines, and "
               "server.webConfigFile requires no authentication"}},
  };
  for (const Case& one : cases) {
    dir.Write("bindery.yaml", one.text);
    const std::vector<std::string> told = Problems(LoadConfig(file));
    ASSERT_EQ(told.size(), one.problems.size()) << one.why;
    for (std::size_t i = 0; i < told.size(); ++i) {
      EXPECT_THAT(told[i], ::testing::StartsWith(one.problems[i])) << one.why;
    }
  }
}

TEST(ConfigKeys, AreDescribedAndDistinct) {
  std::map<std::string_view, int> seen;
  for (const auto& key : ConfigKeys()) {
    EXPECT_EQ(++seen[key.path], 1) << key.path;
    EXPECT_FALSE(key.description.empty()) << key.path;
  }
  for (const auto& key : ProviderKeys("")) {
    EXPECT_EQ(++seen[key.path], 1) << key.path;
    EXPECT_FALSE(key.description.empty()) << key.path;
  }
}

}  // namespace
}  // namespace bindery::config
