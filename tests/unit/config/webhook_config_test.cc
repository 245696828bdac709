// The webhooks of a configuration.

#include "config/config_json.h"
#include "unit/config/config_fixture.h"

namespace bindery::config {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::Pair;
using testing::Parse;
using testing::Problems;

std::string Webhook(const std::string& keys) {
  return "notifications: {webhooks: {ops: {" + keys + "}}}\n";
}

TEST(WebhookConfig, EveryKeyIsRead) {
  const ConfigResult config = Parse(R"(
notifications:
  source: /bindery/eu
  webhooks:
    ops:
      urlFile: secrets/url
      format: slack
      secretFile: /run/key
      filter:
        reasons: [DriftFound, "!Host*"]
        types: [Warning]
        minSeverity: high
        labels: {team: payments}
        kinds: [RestrictionPolicy]
        resources: ["payments-*"]
        targets: ["projects/acme/*"]
      timeout: 3s
      rateLimit: {perMinute: 6, burst: 2}
      repeatInterval: 0s
      giveUpAfter: 2h
      caFile: ca.pem
      insecure: true
)");
  ASSERT_THAT(Problems(config), IsEmpty());
  EXPECT_EQ(config->notifications.source, "/bindery/eu");
  const WebhookConfig& webhook = config->notifications.webhooks.at("ops");
  EXPECT_EQ(webhook.name, "ops");
  EXPECT_EQ(webhook.url_file, "/etc/bindery/secrets/url");
  EXPECT_EQ(webhook.format, WebhookFormat::kSlack);
  EXPECT_EQ(webhook.secret_file, "/run/key");
  EXPECT_THAT(webhook.filter.reasons, ElementsAre("DriftFound", "!Host*"));
  EXPECT_THAT(webhook.filter.types, ElementsAre(EventType::kWarning));
  EXPECT_EQ(webhook.filter.least_severity, LeastSeverity::kHigh);
  EXPECT_THAT(webhook.filter.labels, ElementsAre(Pair("team", "payments")));
  EXPECT_THAT(webhook.filter.kinds, ElementsAre("RestrictionPolicy"));
  EXPECT_THAT(webhook.filter.resources, ElementsAre("payments-*"));
  EXPECT_THAT(webhook.filter.targets, ElementsAre("projects/acme/*"));
  EXPECT_EQ(webhook.timeout, 3s);
  EXPECT_EQ(webhook.per_minute, 6);
  EXPECT_EQ(webhook.burst, 2);
  EXPECT_EQ(webhook.repeat_interval, 0s);
  EXPECT_EQ(webhook.give_up_after, 2h);
  EXPECT_EQ(webhook.ca_file, "/etc/bindery/ca.pem");
  EXPECT_TRUE(webhook.insecure);
}

TEST(WebhookConfig, WithoutAnyNobodyIsTold) {
  EXPECT_THAT(Parse("")->notifications.webhooks, IsEmpty());
  EXPECT_THAT(Problems(Parse("notifications: {webhooks: {}}\n")), IsEmpty());
}

struct WebhookCase {
  const char* name;
  std::string text;
  const char* problem;
};

class WebhookProblem : public ::testing::TestWithParam<WebhookCase> {};

TEST_P(WebhookProblem, IsSaidWithItsPlace) {
  EXPECT_THAT(Problems(Parse(GetParam().text)), ElementsAre(HasSubstr(GetParam().problem)));
}

const WebhookCase kWebhookCases[] = {
    {"UnknownKey", Webhook("url: https://h, formats: slack"),
     "notifications.webhooks.ops.formats: unknown key: did you mean \"format\"?"},
    {"NoUrl", Webhook("format: slack"),
     "notifications.webhooks.ops.url: is missing: give url or urlFile"},
    {"TwoUrls", Webhook("url: https://h, urlFile: f"),
     "notifications.webhooks.ops.url: give either url or urlFile, not both"},
    {"PlainHttpElsewhere", Webhook("url: http://h/p"), "insecure: true allows others"},
    {"APassword", Webhook("url: \"https://u:secret@h/p\""), "is not a URL that messages can"},
    {"AFragment", Webhook("url: \"https://h/p#x\""), "is not a URL that messages can"},
    {"Format", Webhook("url: https://h, format: teams"),
     "ops.format: \"teams\" is not accepted: expected cloudevents or slack"},
    {"Type", Webhook("url: https://h, filter: {types: [warning]}"), "did you mean \"Warning\"?"},
    {"Severity", Webhook("url: https://h, filter: {minSeverity: severe}"),
     "ops.filter.minSeverity"},
    {"OnePattern", Webhook("url: https://h, filter: {reasons: DriftFound}"),
     "expected a list of strings"},
    {"EmptyPattern", Webhook("url: https://h, filter: {reasons: [\"\"]}"),
     "ops.filter.reasons: holds an empty pattern"},
    {"LabelThatIsNoString", Webhook("url: https://h, filter: {labels: {tier: 1}}"),
     "ops.filter.labels: tier: expected strings, found an integer: quote it"},
    {"RateOfNothing", Webhook("url: https://h, rateLimit: {perMinute: 0}"),
     "ops.rateLimit.perMinute"},
    {"GivenUpAtOnce", Webhook("url: https://h, giveUpAfter: 1s"), "ops.giveUpAfter"},
    {"NoMap", "notifications: {webhooks: {ops: https://h}}\n",
     "notifications.webhooks.ops: expected a map, found a string"},
    {"SourceWithABlank", "notifications: {source: my host}\n",
     "notifications.source: is not a URI or a path"},
    {"SourceWithALineBreak", "notifications: {source: \"/a\\nb\"}\n", "is not a URI or a path"},
    {"SourceThatIsNoAscii", "notifications: {source: /büro}\n", "is not a URI or a path"},
    {"Name", "notifications: {webhooks: {\"a b\": {url: https://h}}}\n", "is not a name"},
};

INSTANTIATE_TEST_SUITE_P(Config, WebhookProblem, ::testing::ValuesIn(kWebhookCases),
                         [](const auto& param) { return param.param.name; });

TEST(WebhookConfig, AUrlMayHaveAQuery) {
  EXPECT_THAT(Problems(Parse(Webhook("url: \"https://h/p?token=x\""))), IsEmpty());
  EXPECT_THAT(Problems(Parse(Webhook("url: \"http://127.0.0.1:8080/p\""))), IsEmpty());
  EXPECT_THAT(Problems(Parse(Webhook("url: \"http://h:8080/p\", insecure: true"))), IsEmpty());
}

TEST(WebhookConfig, AUrlIsRepeatedNowhere) {
  const auto problems = Problems(Parse(Webhook("url: \"http://h/SECRET\"")));
  EXPECT_THAT(problems, ElementsAre(Not(HasSubstr("SECRET"))));
  const ConfigResult config = Parse(Webhook("url: \"https://h/SECRET\", filter: {labels: {a: b}}"));
  const Json report = ConfigReport(*config);
  const Json& webhook = report.at("config").at("notifications").at("webhooks").at("ops");
  EXPECT_EQ(webhook.at("url"), "********");
  EXPECT_EQ(webhook.at("filter").at("labels").at("a"), "b");
  EXPECT_EQ(report.at("sources").at("notifications.webhooks.ops.url").at("from"), "file");
}

TEST(WebhookConfig, AVariableOverridesAKey) {
  const ConfigResult config = Parse(
      Webhook("url: https://h"), {{"BINDERY_NOTIFICATIONS_WEBHOOKS_OPS_FORMAT", "slack"},
                                  {"BINDERY_NOTIFICATIONS_WEBHOOKS_OPS_FILTER_REASONS", "A, B"}});
  ASSERT_THAT(Problems(config), IsEmpty());
  EXPECT_EQ(config->notifications.webhooks.at("ops").format, WebhookFormat::kSlack);
  EXPECT_THAT(config->notifications.webhooks.at("ops").filter.reasons, ElementsAre("A", "B"));
}

TEST(WebhookConfig, ThereAreNotTooMany) {
  std::string text = "notifications:\n  webhooks:\n";
  for (int i = 0; i < 33; ++i) text += "    w" + std::to_string(i) + ": {url: https://h}\n";
  EXPECT_THAT(Problems(Parse(text)), ElementsAre(HasSubstr("holds 33 webhooks: at most 32")));
}

}  // namespace
}  // namespace bindery::config
