#include "unit/config/config_fixture.h"

namespace bindery::config {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using testing::Parse;
using testing::Problems;
using ::testing::SizeIs;

struct ProblemCase {
  const char* name;
  const char* text;
  const char* problem;
};

class OneProblem : public ::testing::TestWithParam<ProblemCase> {};

TEST(ConfigProblems, WhatIsNoProxyIsRefusedWithoutShowingIt) {
  for (const char* proxy :
       {"proxy.example:3128", "ftp://proxy.example", "http://", "http://:3128", "direct",
        "https://u:secret@", "socks5h://u:secret@/", "http://u:sec ret@h:1", "http://u:a@b@h:1",
        "http://h:1/path", "http://h:1x", "http://[::1"}) {
    EXPECT_THAT(
        Problems(Parse("transport: {proxy: \"" + std::string(proxy) + "\"}\n")),
        ElementsAre(
            "bindery.yaml:1:20: transport.proxy: is not a proxy: expected http://host:port, "
            "https://host:port, socks5h://host:port (each perhaps with user:password@) or "
            "none"))
        << proxy;
  }
  for (const char* proxy : {"", "none", "http://h:1", "https://u:p@h", "socks5h://[::1]:1080/"}) {
    EXPECT_THAT(Problems(Parse("transport: {proxy: \"" + std::string(proxy) + "\"}\n")), IsEmpty())
        << proxy;
  }
}

TEST(ConfigProblems, ACollectorNearbyMayDoWithoutTlsButNotForSecretHeaders) {
  const auto with = [](const std::string& endpoint, const std::string& more = "") {
    return Parse("tracing: {endpoint: \"" + endpoint + "\"" + more + "}\n");
  };
  for (const char* endpoint : {"", "http://127.0.0.1:4318", "https://otlp.example/base",
                               "http://otel-collector.monitoring.svc:4318"}) {
    EXPECT_THAT(Problems(with(endpoint)), IsEmpty()) << endpoint;
  }
  EXPECT_EQ(with("http://collector:4318//")->tracing.endpoint, "http://collector:4318");
  EXPECT_THAT(Problems(with("http://localhost:4318", ", headersFile: h")), IsEmpty());
  EXPECT_THAT(
      Problems(with("http://collector:4318", ", headersFile: h")),
      ElementsAre("bindery.yaml:1:21: tracing.endpoint: \"http://collector:4318\" must begin "
                  "with https:// (plain http is accepted only for localhost)"));
  for (const char* endpoint :
       {"collector:4318", "grpc://collector:4317", "http://", "http://c?q=1"}) {
    EXPECT_THAT(Problems(with(endpoint)), SizeIs(1)) << endpoint;
  }
  EXPECT_THAT(Problems(with("http://user:secret@collector:4318")),
              ElementsAre("bindery.yaml:1:21: tracing.endpoint: a service URL must not hold a user "
                          "or a password"));
}

TEST_P(OneProblem, IsReportedWithItsPlaceAndRemedy) {
  EXPECT_THAT(Problems(Parse(GetParam().text)), ElementsAre(GetParam().problem));
}

const ProblemCase kCases[] = {
    {"UnknownSection", "sever: {}\n",
     "bindery.yaml:1:1: sever: unknown key: did you mean \"server\"?"},
    {"UnknownKey", "reconcile:\n  intervall: 5m\n",
     "bindery.yaml:2:3: reconcile.intervall: unknown key: did you mean \"interval\"?"},
    {"SnakeCaseKey", "guard: {max_removed_grants: 5}\n",
     "bindery.yaml:1:9: guard.max_removed_grants: unknown key: did you mean \"maxRemovedGrants\"?"},
    {"FarFromEveryKey", "store: {password: x}\n",
     "bindery.yaml:1:9: store.password: unknown key: expected one of url, witness"},
    {"UnknownTopLevelKey", "telemetry-settings: {}\n",
     "bindery.yaml:1:1: telemetry-settings: unknown key: expected one of attribution, drift, "
     "embeddedCloud, guard, hardening, justInTime, kinds, logging, manifests, notifications, "
     "protectedPrincipals, "
     "providers, reconcile, reports, retention, server, store, targets, tracing, transport"},
    {"NoTimeForAConnection", "transport: {connectTimeout: 0s}\n",
     "bindery.yaml:1:29: transport.connectTimeout: \"0s\" is out of range: expected from 1ms to "
     "10m"},
    {"CallsOfHours", "transport: {timeout: 1h}\n",
     "bindery.yaml:1:22: transport.timeout: \"1h\" is out of range: expected from 1ms to 10m"},
    {"UnknownProviderKey", "providers: {g: {type: cloudnative, projekt: p}}\n",
     "bindery.yaml:1:36: providers.g.projekt: unknown key: did you mean \"project\"?"},
    {"UnknownService", "providers: {g: {type: cloudnative, endpoints: {backup-dr-x: https://h}}}\n",
     "bindery.yaml:1:48: providers.g.endpoints.backup-dr-x: unknown key: did you mean "
     "\"backupdr\"?"},
    {"SectionIsNoMap", "server: yes please\n",
     "bindery.yaml:1:9: server: expected a map, found a string"},
    {"RootIsNoMap", "- a\n", "bindery.yaml:1:1: expected a map, found a list"},
    {"TwoDocuments", "{}\n---\nserver: {}\n",
     "bindery.yaml:3:1: a configuration is one document: this begins a second"},
    {"ListForScalar", "reconcile: {interval: [5m]}\n",
     "bindery.yaml:1:23: reconcile.interval: expected a single value, found a list"},
    {"NumberForString", "providers: {g: {type: cloudnative, project: 12}}\n",
     "bindery.yaml:1:45: providers.g.project: expected a string, found an integer \"12\""},
    {"HostWithAPort", "server: {allowedHosts: [a.example, \"b.example:80\"]}\n",
     "bindery.yaml:1:24: server.allowedHosts: \"b.example:80\" is not a host name, an address, "
     "*.domain or *, without a port"},
    {"ForeignScheme", "manifests: {repositoryUrl: \"javascript:alert(1)//{path}\"}\n",
     "bindery.yaml:1:28: manifests.repositoryUrl: must begin with https:// or http://"},
    {"NoHost", "manifests: {repositoryUrl: \"http:///{path}\"}\n",
     "bindery.yaml:1:28: manifests.repositoryUrl: must name a host, without a user"},
    {"HostOfThePath", "manifests: {repositoryUrl: \"https://{path}/x\"}\n",
     "bindery.yaml:1:28: manifests.repositoryUrl: must name a host, without a user"},
    {"UserInAnAddress", "manifests: {repositoryUrl: \"https://me@git.example/{path}\"}\n",
     "bindery.yaml:1:28: manifests.repositoryUrl: must name a host, without a user"},
    {"NoPath", "manifests: {repositoryUrl: \"https://git.example/access\"}\n",
     "bindery.yaml:1:28: manifests.repositoryUrl: must contain {path}"},
    {"OtherBraces", "manifests: {repositoryUrl: \"https://git.example/{branch}/{path}\"}\n",
     "bindery.yaml:1:28: manifests.repositoryUrl: may contain {path} and {line} and no other "
     "braces"},
    {"BlankInAnAddress", "manifests: {repositoryUrl: \"https://git.example/a b/{path}\"}\n",
     "bindery.yaml:1:28: manifests.repositoryUrl: must be an address: spaces, quotes and the like "
     "are written as %20"},
    {"WordForBoolean", "server: {insecure: yes}\n",
     "bindery.yaml:1:20: server.insecure: expected true or false, found a string \"yes\""},
    {"WordForNumber", "guard: {maxRemovedFraction: half}\n",
     "bindery.yaml:1:29: guard.maxRemovedFraction: expected a number, found a string \"half\""},
    {"FractionForWhole", "reconcile: {concurrency: 1.5}\n",
     "bindery.yaml:1:26: reconcile.concurrency: expected a whole number, found a number \"1.5\""},
    {"NoConcurrency", "reconcile: {concurrency: 0}\n",
     "bindery.yaml:1:26: reconcile.concurrency: \"0\" is not a whole number from 1 to 1024"},
    {"TooMuchConcurrency", "reconcile: {concurrency: 1025}\n",
     "bindery.yaml:1:26: reconcile.concurrency: \"1025\" is not a whole number from 1 to 1024"},
    {"BeyondInt", "guard: {maxRemovedGrants: 99999999999}\n",
     "bindery.yaml:1:27: guard.maxRemovedGrants: \"99999999999\" is not a whole number at least 0"},
    {"FractionOverOne", "guard: {maxRemovedFraction: 1.01}\n",
     "bindery.yaml:1:29: guard.maxRemovedFraction: \"1.01\" is not a number from 0 to 1"},
    {"NegativeJitter", "reconcile: {jitter: -0.1}\n",
     "bindery.yaml:1:21: reconcile.jitter: \"-0.1\" is not a number from 0 to 1"},
    {"DurationWithoutUnit", "reconcile: {interval: 30}\n",
     "bindery.yaml:1:23: reconcile.interval: \"30\" is not a duration such as 200ms, 30s, 5m, 1h "
     "or 90d"},
    {"IntervalUnderASecond", "reconcile: {interval: 999ms}\n",
     "bindery.yaml:1:23: reconcile.interval: \"999ms\" is out of range: expected from 1s to 365d"},
    {"RescanUnderASecond", "manifests: {rescanInterval: 0s}\n",
     "bindery.yaml:1:29: manifests.rescanInterval: \"0s\" is out of range: expected from 1s to 1d"},
    {"ModeNearMiss", "reconcile: {mode: Enforced}\n",
     "bindery.yaml:1:19: reconcile.mode: \"Enforced\" is not accepted: did you mean \"enforce\"?"},
    {"ModeFarOff", "reconcile: {mode: delete}\n",
     "bindery.yaml:1:19: reconcile.mode: \"delete\" is not accepted: expected enforce or observe"},
    {"ReportFormat", "reports: {formats: [json, pdf]}\n",
     "bindery.yaml:1:20: reports.formats: \"pdf\" is not accepted: expected json, html, "
     "markdown, csv, sarif, text or yaml"},
    {"ReportFormatTwice", "reports: {formats: [json, json]}\n",
     "bindery.yaml:1:20: reports.formats: \"json\" is in the list twice"},
    {"ReportFormatsNoList", "reports: {formats: json}\n",
     "bindery.yaml:1:20: reports.formats: expected a list of json, html, markdown, csv, "
     "sarif, text or yaml, found a string \"json\""},
    {"SeverityRulesAreAList", "drift: {severity: high}\n",
     "bindery.yaml:1:19: drift.severity: expected a list of rules, found a string \"high\""},
    {"SeverityRuleIsAMap", "drift: {severity: [high]}\n",
     "bindery.yaml:1:20: drift.severity[0]: expected a map, found a string"},
    {"SeverityRuleSaysHowBad", "drift: {severity: [{class: missing}]}\n",
     "bindery.yaml:1:20: drift.severity[0].severity: is missing: low, medium, high or critical"},
    {"SeverityRuleHasAClassThereIs", "drift: {severity: [{class: mising, severity: low}]}\n",
     "bindery.yaml:1:28: drift.severity[0].class: \"mising\" is not accepted: did you mean "
     "\"missing\"?"},
    {"SeverityRuleKey", "drift: {severity: [{members: x, severity: low}]}\n",
     "bindery.yaml:1:21: drift.severity[0].members: unknown key: did you mean \"member\"?"},
    {"AcceptedIsAList", "drift: {accept: all}\n",
     "bindery.yaml:1:17: drift.accept: expected a list of rules, found a string \"all\""},
    {"AcceptedIsAMap", "drift: {accept: [all]}\n",
     "bindery.yaml:1:18: drift.accept[0]: expected a map, found a string"},
    {"AcceptedSaysWhat", "drift: {accept: [{reason: r, owner: o}]}\n",
     "bindery.yaml:1:18: drift.accept[0].match: is missing: name a target, role, member, class or "
     "condition"},
    {"AcceptedIsNotEverything",
     "drift: {accept: [{match: {target: \"*\"}, reason: r, owner: o}]}\n",
     "bindery.yaml:1:19: drift.accept[0].match: fits every difference: name a target, role, "
     "member, class or condition"},
    {"AcceptedSaysWhy", "drift: {accept: [{match: {role: r}, owner: o}]}\n",
     "bindery.yaml:1:18: drift.accept[0].reason: is missing: why it may stay"},
    {"AcceptedSaysWhose", "drift: {accept: [{match: {role: r}, reason: r, owner: \"\"}]}\n",
     "bindery.yaml:1:55: drift.accept[0].owner: is empty: who answers for it"},
    {"AcceptedHasAnEnd",
     "drift: {accept: [{match: {role: r}, reason: r, owner: o, until: friday}]}\n",
     "bindery.yaml:1:65: drift.accept[0].until: \"friday\" is not a time: expected a day such as "
     "2026-11-21, which begins at 00:00 UTC, or 2026-11-21T10:20:30Z"},
    {"AcceptedIsAboutAGrant",
     "drift: {accept: [{match: {class: target-missing}, reason: r, owner: o}]}\n",
     "bindery.yaml:1:34: drift.accept[0].match.class: \"target-missing\" is not accepted: expected "
     "missing, undeclared, condition-changed or principal-deleted"},
    {"AcceptedKey", "drift: {accept: [{match: {roles: r}, reason: r, owner: o}]}\n",
     "bindery.yaml:1:27: drift.accept[0].match.roles: unknown key: did you mean \"role\"?"},
    {"ExpiryNoList", "reconcile: {warnBeforeExpiry: 7d}\n",
     "bindery.yaml:1:31: reconcile.warnBeforeExpiry: expected a list of durations such as [7d, "
     "1d], found a string \"7d\""},
    {"ExpiryTwice", "reconcile: {warnBeforeExpiry: [24h, 1d]}\n",
     "bindery.yaml:1:31: reconcile.warnBeforeExpiry: \"1d\" is in the list twice"},
    {"ExpiryUnderASecond", "reconcile: {warnBeforeExpiry: [0s]}\n",
     "bindery.yaml:1:31: reconcile.warnBeforeExpiry: \"0s\" is out of range: expected from 1s to "
     "365d"},
    {"ExpiryTooMany", "reconcile: {warnBeforeExpiry: [1d, 2d, 3d, 4d, 5d, 6d]}\n",
     "bindery.yaml:1:31: reconcile.warnBeforeExpiry: expected at most 5 durations, found 6"},
    {"StoreScheme", "store: {url: mysql://h/b}\n",
     "bindery.yaml:1:14: store.url: \"mysql://h/b\" is not a store: expected sqlite:PATH or "
     "postgresql://HOST/DATABASE"},
    {"StoreSchemeWithPassword", "store: {url: \"mysql://u:secret@h/b\"}\n",
     "bindery.yaml:1:14: store.url: this is not a store: expected sqlite:PATH or "
     "postgresql://HOST/DATABASE"},
    {"StoreWithoutPath", "store: {url: \"sqlite:\"}\n",
     "bindery.yaml:1:14: store.url: \"sqlite:\" is not a store: expected sqlite:PATH or "
     "postgresql://HOST/DATABASE"},
    {"ListenBeyondLoopback", "server: {listen: \"0.0.0.0:9817\"}\n",
     "bindery.yaml:1:18: server.listen: \"0.0.0.0:9817\" can be reached from other machines "
     "without authentication: use a loopback address, name users in server.webConfigFile, or set "
     "server.insecure: true"},
    {"EmbeddedBeyondLoopback", "embeddedCloud: {listen: \":9818\"}\n",
     "bindery.yaml:1:25: embeddedCloud.listen: \":9818\" can be reached from other machines "
     "without authentication: use a loopback address, or set server.insecure: true"},
    {"SameListener", "embeddedCloud: {listen: \"127.0.0.1:9817\"}\n",
     "bindery.yaml:1:25: embeddedCloud.listen: is the same address as server.listen"},
    {"EmptyDirectory", "manifests: {directory: \"\"}\n",
     "bindery.yaml:1:24: manifests.directory: must not be empty"},
    {"ProviderWithoutType", "providers: {g: {project: p}}\n",
     "bindery.yaml:1:13: providers.g.type: is missing: cloudnative or monitoring"},
    {"ProviderIsNoMap", "providers: {g: embedded}\n",
     "bindery.yaml:1:16: providers.g: expected a map, found a string"},
    {"BadTypeHidesWhatFollows", "providers: {g: {type: gcp, site: x}}\n",
     "bindery.yaml:1:23: providers.g.type: \"gcp\" is not accepted: expected cloudnative or "
     "monitoring"},
    {"KeyOfTheOtherType", "providers: {g: {type: monitoring, project: p}}\n",
     "bindery.yaml:1:44: providers.g.project: is for providers of type cloudnative"},
    {"PlainHttp",
     "providers: {g: {type: cloudnative, endpoints: {backupdr: \"http://b.example\"}}}\n",
     "bindery.yaml:1:58: providers.g.endpoints.backupdr: \"http://b.example\" must begin with "
     "https:// "
     "(plain http is accepted only for localhost)"},
    {"ApiPath", "providers: {d: {type: monitoring, apiUrl: \"https://api.datadoghq.eu/api/\"}}\n",
     "bindery.yaml:1:43: providers.d.apiUrl: must not end in /api: give the host alone, such as "
     "https://api.datadoghq.com"},
    {"SiteAndUrl",
     "providers: {d: {type: monitoring, site: datadoghq.eu, apiUrl: \"https://h\"}}\n",
     "bindery.yaml:1:63: providers.d.apiUrl: give either site or apiUrl, not both"},
    {"SiteIsAUrl", "providers: {d: {type: monitoring, site: \"https://datadoghq.eu\"}}\n",
     "bindery.yaml:1:41: providers.d.site: is not a site such as "
     "datadoghq.eu"},
    {"UnknownCredentials",
     "providers: {g: {type: cloudnative, credentials: {type: applicationdefault}}}\n",
     "bindery.yaml:1:56: providers.g.credentials.type: \"applicationdefault\" is not accepted: did "
     "you mean \"applicationDefault\"?"},
    {"KeyFileMissing", "providers: {g: {type: cloudnative, credentials: {type: file}}}\n",
     "bindery.yaml:1:56: providers.g.credentials.file: is missing: file needs it"},
    {"FileWithoutItsType", "providers: {g: {type: cloudnative, credentials: {file: f}}}\n",
     "bindery.yaml:1:56: providers.g.credentials.file: is only for the types file and "
     "accessTokenFile"},
    {"ScanOfNoScope", "providers: {g: {type: cloudnative, scan: {scope: acme}}}\n",
     "bindery.yaml:1:50: providers.g.scan.scope: \"acme\" is no scope: write organizations/NUMBER, "
     "folders/NUMBER or projects/ID"},
    {"ScanWithoutAScope", "providers: {g: {type: cloudnative, scan: {interval: 1h}}}\n",
     "bindery.yaml:1:53: providers.g.scan.interval: is only of use with scan.scope"},
    {"HintsWithoutAScope", "providers: {g: {type: cloudnative, scan: {hints: true}}}\n",
     "bindery.yaml:1:50: providers.g.scan.hints: is only of use with scan.scope"},
    {"ExactIntervalTooShort", "reconcile: {interval: 10m, exactInterval: 5m}\n",
     "bindery.yaml:1:43: reconcile.exactInterval: is shorter than reconcile.interval"},
    {"NoSourceOfGroups", "providers: {g: {type: cloudnative, groups: ldap}}\n",
     "bindery.yaml:1:44: providers.g.groups.source: \"ldap\" is not accepted: expected "
     "files or cloudidentity"},
    {"ListOfGroups", "providers: {g: {type: cloudnative, groups: [a]}}\n",
     "bindery.yaml:1:44: providers.g.groups: expected a map, found a list"},
    {"TextInThePlaceOfASection", "notifications: here\n",
     "bindery.yaml:1:16: notifications: expected a map, found a string"},
    {"UniverseIsNoDomain", "providers: {g: {type: cloudnative, universeDomain: \"http://x\"}}\n",
     "bindery.yaml:1:52: providers.g.universeDomain: is not a domain such as googleapis.com"},
    {"KeysAndBearer",
     "providers: {d: {type: monitoring, bearerTokenFile: t, apiKeyFile: k, appKeyFile: k}}\n",
     "bindery.yaml:1:52: providers.d.bearerTokenFile: give either keys or a bearer token, not "
     "both"},
    {"TokenFileMissing",
     "providers: {g: {type: cloudnative, credentials: {type: accessTokenFile}}}\n",
     "bindery.yaml:1:56: providers.g.credentials.file: is missing: accessTokenFile needs it"},
    {"TokenMissing", "providers: {g: {type: cloudnative, credentials: {type: accessToken}}}\n",
     "bindery.yaml:1:56: providers.g.credentials.token: is missing or empty: accessToken needs it, "
     "for "
     "example ${env:ACCESS_TOKEN}"},
    {"TokenWithoutItsType", "providers: {g: {type: cloudnative, credentials: {token: t}}}\n",
     "bindery.yaml:1:57: providers.g.credentials.token: is only for the type accessToken"},
    {"UnsetVariable", "manifests: {directory: \"${env:NOWHERE}/m\"}\n",
     "bindery.yaml:1:24: manifests.directory: environment variable \"NOWHERE\" is not set"},
    {"NoVariable", "manifests: {directory: \"${HOME}/m\"}\n",
     "bindery.yaml:1:24: manifests.directory: \"${HOME}\" is not an environment variable: write "
     "${env:NAME}, or $${ for a literal ${"},
    {"VariableNotClosed", "manifests: {directory: \"${env:HOME\"}\n",
     "bindery.yaml:1:24: manifests.directory: \"${\" is not closed"},
};

INSTANTIATE_TEST_SUITE_P(Config, OneProblem, ::testing::ValuesIn(kCases),
                         [](const auto& param) { return std::string(param.param.name); });

TEST(ConfigProblems, AllAreReportedInTheOrderOfTheFile) {
  EXPECT_THAT(
      Problems(Parse("guard: {maxRemovedGrants: x}\n"
                     "server: {listen: \"0.0.0.0:1\"}\n"
                     "reconcile: {mod: enforce, concurrency: 0}\n")),
      ElementsAre("bindery.yaml:1:27: guard.maxRemovedGrants: expected a whole number, found a "
                  "string \"x\"",
                  HasSubstr("bindery.yaml:2:18: server.listen: "),
                  "bindery.yaml:3:13: reconcile.mod: unknown key: did you mean \"mode\"?",
                  HasSubstr("bindery.yaml:3:40: reconcile.concurrency: ")));
}

TEST(ConfigProblems, BrokenYamlIsReportedWithItsPlace) {
  const auto problems = Problems(Parse("server: {listen: \"127.0.0.1:1\"\n"));
  ASSERT_THAT(problems, Not(IsEmpty()));
  EXPECT_THAT(problems.front(), HasSubstr("bindery.yaml:"));
}

TEST(ConfigProblems, WhatAVariableHoldsIsNeverShown) {
  const std::string text =
      "reconcile: {interval: \"${env:SECRET}\", mode: \"${env:SECRET}\", concurrency: "
      "\"${env:SECRET}\"}\n"
      "server: {listen: \"${env:SECRET}:${env:SECRET}\"}\n"
      "store: {url: \"${env:SECRET}\"}\n"
      "reports: {formats: [\"${env:SECRET}\"]}\n"
      "providers: {d: {type: monitoring, apiUrl: \"${env:SECRET}\"}, e: {type: monitoring, site: "
      "\"${env:SECRET}\"}}\n";
  const auto problems = Problems(Parse(text, {{"SECRET", "hunter/2"}}));
  EXPECT_EQ(problems.size(), 8U);
  for (const std::string& problem : problems) EXPECT_THAT(problem, Not(HasSubstr("hunter")));
}

}  // namespace
}  // namespace bindery::config
