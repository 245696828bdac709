// Trying out webhooks, and how far they are.

#include <algorithm>

#include "app/commands/common.h"
#include "app/webhooks.h"
#include "notify/endpoint.h"
#include "notify/outbox.h"
#include "notify/sending.h"
#include "report/json_fields.h"
#include "report/text_style.h"
#include "report/text_table.h"

namespace bindery {
namespace {

using report::Colour;

/// Scheme, host and port: the rest of a URL may be a secret.
std::string Destination(const std::string& url) {
  const std::size_t scheme = url.find("://");
  if (scheme == std::string::npos) return "";
  return url.substr(0, url.find_first_of("/?", scheme + 3));
}

Json TestOf(const WebhookConfig& webhook, const notify::NotifierSettings& settings) {
  const SystemClock clock;
  const auto endpoint = notify::ReadEndpoint(webhook);
  const auto transport = notify::TransportOf(webhook, settings);
  const MonoTime began = clock.Mono();
  const notify::Attempt attempt =
      notify::Send(webhook, notify::ComposeTest(webhook.format, settings.Source(), clock.Wall()),
                   *transport, clock);
  const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(clock.Mono() - began);
  const bool accepted = attempt.result == notify::Attempt::Result::kAccepted;
  Json json = {{"name", webhook.name},
               {"destination", endpoint ? Destination(endpoint->url) : ""},
               {"format", webhook.format == WebhookFormat::kSlack ? "slack" : "cloudevents"},
               {"signed", endpoint && !endpoint->keys.empty()},
               {"accepted", accepted},
               {"status", attempt.status},
               {"latencyMs", took.count()}};
  if (!accepted) json["reason"] = attempt.reason;
  return json;
}

std::string TestText(const Json& report, const TextStyle& style) {
  report::Table table({{"WEBHOOK"}, {"TO", true}, {"ACCEPTED"}, {"TOOK"}, {"REASON", true}});
  for (const Json& webhook : report::ArrayMember(report, "webhooks")) {
    const bool accepted = report::BoolMember(webhook, "accepted");
    table.AddRow({{report::Shown(webhook, "name")},
                  {report::Shown(webhook, "destination")},
                  {accepted ? "yes" : "no", accepted ? Colour::kGreen : Colour::kRed},
                  {std::to_string(report::IntMember(webhook, "latencyMs")) + "ms"},
                  {report::Shown(webhook, "reason")}});
  }
  return table.Text(style);
}

std::string StatusText(const Json& report, const TextStyle& style) {
  const Json& webhooks = report::ArrayMember(report, "webhooks");
  if (webhooks.empty()) return "No webhooks are on record.\n";
  report::Table table({{"WEBHOOK"}, {"PENDING"}, {"DELIVERED"}, {"FAILING"}, {"REASON", true}});
  for (const Json& webhook : webhooks) {
    const bool failing = !webhook.at("failingSince").is_null();
    table.AddRow({{report::Shown(webhook, "name")},
                  {std::to_string(report::IntMember(webhook, "pending"))},
                  {report::AgeOf(webhook, "deliveredAt", style)},
                  {failing ? report::AgeOf(webhook, "failingSince", style) : "",
                   failing ? Colour::kRed : Colour::kNone},
                  {report::Shown(webhook, "reason")}});
  }
  return table.Text(style);
}

/// What it is still to be told. What a webhook wants that is not configured any more is not known:
/// then everything counts.
Expected<std::int64_t> PendingOf(const WebhookRecord& record, const Config& config,
                                 const JournalReader& store) {
  const auto& webhooks = config.notifications.webhooks;
  const auto found = webhooks.find(record.name);
  if (found == webhooks.end()) return record.last_event - record.cursor;
  const auto waiting = notify::CountWaiting(found->second, store);
  if (!waiting) return Fail(waiting.error());
  return static_cast<std::int64_t>(*waiting);
}

/// Those to try; kNotFound when there is none of that name, or none at all.
Expected<std::vector<WebhookConfig>> Chosen(const Config& config, const std::string& name) {
  std::vector<WebhookConfig> chosen;
  for (const auto& [known, webhook] : config.notifications.webhooks) {
    if (name.empty() || known == name) chosen.push_back(webhook);
  }
  if (!chosen.empty()) return chosen;
  const std::string file = "\"" + config.file.string() + "\"";
  return Fail(Code::kNotFound, name.empty() ? file + " names no webhooks: see notifications there"
                                            : file + " names no webhook \"" + name + "\"");
}

}  // namespace

int NotifyTestCommand(const CommandContext& context, const std::string& name) {
  const Expected<Config> config = ReadConfig(context);
  if (!config) return Complain(config.error());
  const auto webhooks = Chosen(*config, name);
  if (!webhooks) return Complain(webhooks.error());
  Json results = Json::array();
  for (const WebhookConfig& webhook : *webhooks) {
    results.push_back(TestOf(webhook, NotifierSettingsOf(*config)));
  }
  const bool accepted = std::ranges::all_of(
      results, [](const Json& result) { return report::BoolMember(result, "accepted"); });
  Print(context, {{"webhooks", std::move(results)}}, TestText);
  return accepted ? kExitOk : kExitError;
}

int NotifyStatusCommand(const CommandContext& context) {
  const Expected<Config> config = ReadConfig(context);
  if (!config) return Complain(config.error());
  const auto store = OpenForReading(*config);
  if (!store) return Complain(store.error());
  const auto records = (*store)->Webhooks();
  if (!records) return Complain(records.error());
  Json webhooks = Json::array();
  for (const WebhookRecord& record : *records) {
    const auto pending = PendingOf(record, *config, **store);
    if (!pending) return Complain(pending.error());
    webhooks.push_back(
        {{"name", record.name},
         {"cursor", record.cursor},
         {"pending", *pending},
         {"deliveredAt", report::TimeOrNull(record.delivered_at.value_or(WallTime()))},
         {"failingSince", report::TimeOrNull(record.failing_since.value_or(WallTime()))},
         {"reason", record.failure}});
  }
  Print(context, {{"webhooks", std::move(webhooks)}}, StatusText);
  return kExitOk;
}

}  // namespace bindery
