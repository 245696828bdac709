// Who has access: questions to the policies on record, while the daemon is down or up.

#include <cstdio>
#include <utility>

#include "app/commands/common.h"
#include "report/access_report.h"
#include "report/moment.h"

namespace bindery {
namespace {

/// A moment that may not be given.
Expected<std::optional<WallTime>> MomentOf(const std::string& text, const char* option,
                                           WallTime now) {
  if (text.empty()) return std::optional<WallTime>();
  const Expected<WallTime> moment = ParseMoment(text, now);
  if (!moment) return Fail(moment.error().Wrap(option));
  return std::optional(*moment);
}

/// The project that completes a target's name: that of the first provider that has one.
std::string DefaultProject(const Config& config) {
  for (const auto& [name, provider] : config.providers) {
    if (!provider.project.empty()) return provider.project;
  }
  return "";
}

void PrintAccess(const CommandContext& context, const Json& report,
                 std::string (*text)(const Json&, const TextStyle&)) {
  if (context.output != Output::kCsv) {
    Print(context, report, text);
    return;
  }
  const std::string csv = AccessCsv(report);
  std::fwrite(csv.data(), 1, csv.size(), stdout);
}

Expected<AccessQuery> QueryOf(const AccessArguments& arguments, WallTime now) {
  AccessQuery query;
  query.role = arguments.role;
  query.target = arguments.target;
  query.principal = arguments.principal;
  query.direct = arguments.direct;
  auto at = MomentOf(arguments.at, "--at", now);
  if (!at) return Fail(at.error());
  query.at = *at;
  for (const std::string& attribute : arguments.attributes) {
    if (auto added = AddAttribute(attribute, query.attributes); !added) {
      return Fail(added.error().Wrap("--set"));
    }
  }
  return query;
}

}  // namespace

int AccessCommand(const CommandContext& context, const AccessArguments& arguments) {
  const WallTime now = std::chrono::system_clock::now();
  Expected<AccessQuery> query = QueryOf(arguments, now);
  if (!query) return Complain(query.error());
  const Expected<Config> config = ReadConfig(context);
  if (!config) return Complain(config.error());
  query->default_project = DefaultProject(*config);
  const Expected<std::unique_ptr<Store>> store = OpenForReading(*config);
  if (!store) return Complain(store.error());
  Expected<Json> report = AccessReport(**store, *query, now);
  if (!report) return Complain(report.error());
  // What was true at a moment of the past does not grow old.
  Json stale = arguments.at.empty() ? StaleState(*config, **store) : Json();
  if (!stale.is_null()) {
    TellStale(stale);
    (*report)["stale"] = std::move(stale);
  }
  PrintAccess(context, *report, AccessText);
  return kExitOk;
}

int AccessDiffCommand(const CommandContext& context, const AccessArguments& arguments,
                      ExitStyle style) {
  const auto complain = [style](const Error& error) { return ExitCodeOf(Complain(error), style); };
  const WallTime now = std::chrono::system_clock::now();
  const auto since = MomentOf(arguments.since, "--since", now);
  if (!since) return complain(since.error());
  const auto until = MomentOf(arguments.until, "--until", now);
  if (!until) return complain(until.error());
  const Expected<Config> config = ReadConfig(context);
  if (!config) return complain(config.error());
  const Expected<std::unique_ptr<Store>> store = OpenForReading(*config);
  if (!store) return complain(store.error());
  AccessDiffQuery query;
  query.since = since->value_or(now);
  query.until = *until;
  query.target = arguments.target;
  query.default_project = DefaultProject(*config);
  const Expected<Json> report = AccessDiffReport(**store, query, now);
  if (!report) return complain(report.error());
  PrintAccess(context, *report, AccessDiffText);
  return ExitCodeOf(report->at("changes").empty() ? kExitOk : kExitDiffers, style);
}

}  // namespace bindery
