// Tests of webhooks, and their delivery position.

#include <algorithm>

#include "app/clouds/webhooks.h"
#include "app/command_line.h"
#include "app/shell/common.h"
#include "notify/endpoint.h"
#include "notify/outbox.h"
#include "notify/sending.h"
#include "report/text/text_style.h"
#include "report/text/text_table.h"
#include "report/values/webhook_values.h"

namespace bindery::app {
namespace {

using report::Colour;

/// Scheme, host and port: the rest of a URL may be a secret.
std::string Destination(const std::string& url) {
  const std::size_t scheme = url.find("://");
  if (scheme == std::string::npos) return "";
  return url.substr(0, url.find_first_of("/?", scheme + 3));
}

report::WebhookTest MakeTest(const config::WebhookConfig& webhook,
                             const notify::NotifierSettings& settings) {
  const SystemClock clock;
  const auto endpoint = notify::ReadEndpoint(webhook);
  const auto transport = notify::MakeTransport(webhook, settings);
  const MonoTime began = clock.Mono();
  const notify::Attempt attempt =
      notify::Send(webhook, notify::ComposeTest(webhook.format, settings.Source(), clock.Wall()),
                   *transport, clock);
  const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(clock.Mono() - began);
  report::WebhookTest test;
  test.name = webhook.name;
  test.destination = endpoint ? Destination(endpoint->url) : "";
  test.format = webhook.format == config::WebhookFormat::kSlack ? "slack" : "cloudevents";
  test.is_signed = endpoint && !endpoint->keys.empty();
  test.accepted = attempt.result == notify::Attempt::Result::kAccepted;
  test.status = attempt.status;
  test.latency_ms = took.count();
  test.reason = attempt.reason;
  return test;
}

std::string TestText(const report::WebhookTests& tests, const report::TextStyle& style) {
  report::Table table({{"WEBHOOK"}, {"TO", true}, {"ACCEPTED"}, {"TOOK"}, {"REASON", true}});
  for (const report::WebhookTest& test : tests.webhooks) {
    table.AddRow({{report::Printable(test.name)},
                  {report::Printable(test.destination)},
                  {test.accepted ? "yes" : "no", test.accepted ? Colour::kGreen : Colour::kRed},
                  {std::to_string(test.latency_ms) + "ms"},
                  {report::Printable(test.reason)}});
  }
  return table.Text(style);
}

std::string StatusText(const report::WebhookList& list, const report::TextStyle& style) {
  if (list.webhooks.empty()) return "No webhooks are on record.\n";
  report::Table table({{"WEBHOOK"}, {"PENDING"}, {"DELIVERED"}, {"FAILING"}, {"REASON", true}});
  for (const report::WebhookProgress& webhook : list.webhooks) {
    const bool failing = webhook.failing_since != WallTime{};
    table.AddRow({{report::Printable(webhook.name)},
                  {std::to_string(webhook.pending)},
                  {report::FormatTimeAge(webhook.delivered_at, style)},
                  {failing ? report::FormatTimeAge(webhook.failing_since, style) : "",
                   failing ? Colour::kRed : Colour::kNone},
                  {report::Printable(webhook.reason)}});
  }
  return table.Text(style);
}

/// The number of pending events. The filter of a webhook outside of the configuration is unknown:
/// everything counts.
Expected<std::int64_t> CountPending(const store::WebhookRecord& record,
                                    const config::Config& config,
                                    const store::JournalReader& store) {
  const auto& webhooks = config.notifications.webhooks;
  const auto found = webhooks.find(record.name);
  if (found == webhooks.end()) return record.last_event - record.cursor;
  const auto waiting = notify::CountWaiting(found->second, store);
  if (!waiting) return Fail(waiting.error());
  return static_cast<std::int64_t>(*waiting);
}

/// Those to try; kNotFound if none exists of the name, or none at all.
Expected<std::vector<config::WebhookConfig>> Chosen(const config::Config& config,
                                                    const std::string& name) {
  std::vector<config::WebhookConfig> chosen;
  for (const auto& [known, webhook] : config.notifications.webhooks) {
    if (name.empty() || known == name) chosen.push_back(webhook);
  }
  if (!chosen.empty()) return chosen;
  const std::string file = "\"" + config.file.string() + "\"";
  return Fail(Code::kNotFound, name.empty() ? file + " names no webhooks: see notifications there"
                                            : file + " names no webhook \"" + name + "\"");
}

/// One message by the webhook, or by each when `name` is empty: 0 accepted, 2 not.
int NotifyTestCommand(const CommandContext& context, const std::string& name) {
  const Expected<config::Config> config = ReadConfig(context);
  if (!config) return PrintError(config.error());
  const auto webhooks = Chosen(*config, name);
  if (!webhooks) return PrintError(webhooks.error());
  report::WebhookTests tests;
  for (const config::WebhookConfig& webhook : *webhooks) {
    tests.webhooks.push_back(MakeTest(webhook, MakeNotifierSettings(*config)));
  }
  Print(context, tests, TestText);
  return std::ranges::all_of(tests.webhooks, &report::WebhookTest::accepted) ? kExitOk : kExitError;
}

int NotifyStatusCommand(const CommandContext& context) {
  const Expected<config::Config> config = ReadConfig(context);
  if (!config) return PrintError(config.error());
  const auto store = OpenForReading(*config);
  if (!store) return PrintError(store.error());
  const auto records = (*store)->Webhooks();
  if (!records) return PrintError(records.error());
  report::WebhookList list;
  for (const store::WebhookRecord& record : *records) {
    const auto pending = CountPending(record, *config, **store);
    if (!pending) return PrintError(pending.error());
    list.webhooks.push_back({record.name, record.cursor, *pending,
                             record.delivered_at.value_or(WallTime{}),
                             record.failing_since.value_or(WallTime{}), record.failure});
  }
  Print(context, list, StatusText);
  return kExitOk;
}

}  // namespace

void DefineNotify(CommandLine& line) {
  const Command notify(line, "notify", "Test the webhooks, or show the delivery status");
  notify->require_subcommand(1);
  notify.Examples(
      "bindery notify test\nbindery notify test payments-channel\nbindery notify status");

  auto& name = line.Keep<std::string>();
  const Command test(line, "notify test",
                     "Send a test message by each webhook, or by the named webhook");
  test.Notes(
      "Uses the configuration only: needs no daemon, and does not change a running daemon.\n"
      "Exit codes: 0 all were accepted, 2 some were not.");
  test.Examples("bindery notify test\nbindery notify test payments-channel -o json");
  test->add_option("name", name, "A webhook of the configuration; all if none");
  test.Output({"text", "json", "yaml"});
  test.Runs([&name](const CommandContext& context) { return NotifyTestCommand(context, name); });

  const Command status(line, "notify status",
                       "Show the delivery position of each webhook, from the store");
  status.Examples("bindery notify status");
  status.Output({"text", "json", "yaml"});
  status.Runs(NotifyStatusCommand);
}

}  // namespace bindery::app
