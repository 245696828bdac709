// The reading commands: they work from the store, while the daemon is down or up.

#include "report/reports.h"

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <optional>
#include <thread>
#include <type_traits>

#include "app/commands/common.h"
#include "app/commands/selection.h"
#include "app/provider_access.h"
#include "app/report_writer.h"
#include "app/version.h"
#include "core/printable.h"
#include "core/type_token.h"
#include "manifests/given_values.h"
#include "providers/kinds.h"
#include "reconcilers/secrets.h"
#include "report/drift_forms.h"
#include "report/moment.h"
#include "report/problem_lines.h"
#include "report/revision_report.h"
#include "report/text.h"
#include "yaml/node.h"

namespace bindery {
namespace {

/// Reads configuration and store, then calls `use` with the store, and the configuration if it
/// wants that.
template <typename Use>
int WithStore(const CommandContext& context, const Use& use) {
  const Expected<Config> config = ReadConfig(context);
  if (!config) return Complain(config.error());
  const Expected<std::unique_ptr<Store>> store = OpenForReading(*config);
  if (!store) return Complain(store.error());
  if constexpr (std::is_invocable_v<Use, const ReportReader&, const Config&>) {
    return use(**store, *config);
  } else {
    return use(**store);
  }
}

ReportFormat FormatOf(Output output) {
  switch (output) {
    case Output::kText:
    case Output::kWide:
    case Output::kName:
      return ReportFormat::kText;
    case Output::kJson:
      return ReportFormat::kJson;
    case Output::kYaml:
      return ReportFormat::kYaml;
    case Output::kSarif:
      return ReportFormat::kSarif;
    case Output::kMarkdown:
      return ReportFormat::kMarkdown;
    case Output::kHtml:
      return ReportFormat::kHtml;
    case Output::kCsv:
      return ReportFormat::kCsv;
  }
  return ReportFormat::kText;
}

Expected<ResourceFilter> FilterOf(const GetArguments& arguments) {
  ResourceFilter filter;
  const Kinds kinds;
  if (!arguments.what.empty()) {
    const std::optional<TypeToken> token = ParseTypeToken(arguments.what[0]);
    const Kind* kind = token ? kinds.Find(*token) : nullptr;
    if (kind != nullptr) {
      filter.kind = kind->schema().token;
      if (arguments.what.size() > 1) filter.name = arguments.what[1];
    } else if (arguments.what.size() == 1) {
      filter.name = arguments.what[0];
    } else {
      return Fail(FindKind(kinds, arguments.what[0]).error());
    }
  }
  auto labels = SelectorOf(arguments.labels);
  if (!labels) return Fail(labels.error());
  filter.labels = std::move(*labels);
  filter.not_ready = arguments.not_ready;
  return filter;
}

/// The outputs of a lookup as they are now, secrets and all. Where it cannot be read, those on
/// record stay.
void Reveal(const Config& config, const Kinds& kinds, Json& resource) {
  const TypeToken token = {StringMember(resource, "apiVersion"), StringMember(resource, "kind")};
  const Kind* kind = kinds.Find(token);
  if (kind == nullptr || !HaveSecrets(kind->schema().outputs)) return;
  const Expected<OpenedProvider> provider =
      OpenProvider(config, *kind, StringMember(resource, "provider"));
  Expected<Sighting> found =
      provider ? LookAt(*provider, *kind, StringMember(resource, "target"), Secrets::kShown)
               : Expected<Sighting>(Fail(provider.error()));
  if (found) {
    resource["outputs"] = GivenValues(resource.at("inputs"), std::move(found->outputs));
  } else {
    Complain(found.error().Wrap(StringMember(resource, "name")));
  }
}

Expected<void> RevealAll(const CommandContext& context, Json& report) {
  const Expected<Config> config = ReadConfig(context);
  if (!config) return Fail(config.error());
  const Kinds kinds;
  for (Json& resource : report.at("resources")) Reveal(*config, kinds, resource);
  return {};
}

Expected<Json> ResourcesAsked(const CommandContext& context, const ReportReader& store,
                              const GetArguments& arguments, const ResourceFilter& filter) {
  Expected<Json> report = ResourcesReport(store, filter, std::chrono::system_clock::now());
  if (!report) return report;
  if (const Expected<Config> config = ReadConfig(context)) {
    report::AddExcerpts(report->at("problems"), config->manifests.directory);
    if (Json stale = StaleState(*config, store); !stale.is_null()) {
      (*report)["stale"] = std::move(stale);
    }
  }
  if (!arguments.show_secrets) return report;
  if (auto shown = RevealAll(context, *report); !shown) return Fail(shown.error());
  return report;
}

/// Why there is no resource of that name among those that were asked for.
std::string WhyNotFound(const ReportReader& store, const std::string& name) {
  const auto known = FindResource(store, name);
  return known ? "\"" + name + "\" is not of that kind, or not so labelled"
               : ToString(known.error());
}

/// Events as a stream: each can be read before the next comes.
void PrintEach(const CommandContext& context, const Json& events) {
  for (const Json& event : events) {
    std::string text =
        context.output == Output::kJson
            ? PrintableJson(event.dump(-1, ' ', false, Json::error_handler_t::replace)) + "\n"
            : PrintableOutput(EventLine(event, StyleOfOutput()));
    if (context.output == Output::kYaml) text = "---\n" + yaml::ToYaml(event);
    std::fputs(text.c_str(), stdout);
  }
  std::fflush(stdout);
}

/// Prints a report unless it is what was printed last.
void PrintNews(const CommandContext& context, const Json& report, std::string& shown) {
  std::string text = report.dump();
  if (text == shown) return;
  shown = std::move(text);
  if (const Json* stale = FindMember(report, "stale"); stale != nullptr) TellStale(*stale);
  Print(context, report, [&](const Json& shown_report, const TextStyle& style) {
    return context.output == Output::kName ? ResourceNamesText(shown_report)
                                           : ResourcesText(shown_report, style);
  });
  std::fflush(stdout);
}

}  // namespace

int GetCommand(const CommandContext& context, const GetArguments& arguments) {
  const Expected<ResourceFilter> filter = FilterOf(arguments);
  if (!filter) return Complain(filter.error());
  if (arguments.show_secrets && arguments.watch) {
    return Complain("--show-secrets reads the clouds, once: it does not go with --watch");
  }
  return WithStore(context, [&](const ReportReader& store) {
    std::string shown;
    while (true) {
      const Expected<Json> report = ResourcesAsked(context, store, arguments, *filter);
      if (!report) return Complain(report.error());
      const bool none = report->at("resources").empty();
      if (none && !filter->name.empty() && !arguments.watch) {
        return Complain(WhyNotFound(store, filter->name));
      }
      PrintNews(context, *report, shown);
      if (!arguments.watch || std::ferror(stdout) != 0) return kExitOk;
      std::this_thread::sleep_for(std::chrono::seconds(1));
    }
  });
}

int DriftCommand(const CommandContext& context, const DriftArguments& arguments, ExitStyle style) {
  const WallTime now = std::chrono::system_clock::now();
  const Expected<WallTime> moment = ParseMoment(arguments.since, now);
  if (!moment) return ExitCodeOf(Complain(moment.error().Wrap("--since")), style);
  const int code = WithStore(context, [&](const ReportReader& store, const Config& config) {
    DriftScope scope = DriftScopeAt(now, DriftSettingsOf(config));
    scope.resolved_since = *moment;
    scope.least = arguments.least;
    auto report = ReadDriftDocument(store, scope);
    if (!report) return Complain(report.error());
    std::string text;
    const DriftLines standing = arguments.all ? DriftLines::kAll : DriftLines::kStanding;
    const DriftLines lines = arguments.accepted ? DriftLines::kAccepted : standing;
    auto written = WriteDrift({FormatOf(context.output), lines}, **report, StyleOfOutput(),
                              kVersion, [&text](std::string_view piece) { text += piece; });
    if (!written) return Complain(written.error());
    const Json summary = (*report)->head().at("summary");
    TellStale(StaleState(config, store));
    // A pager may stay open for hours: not with a snapshot of the store.
    report->reset();
    std::fwrite(text.data(), 1, text.size(), stdout);
    const bool differs = summary.at("open") != 0 || summary.at("held") != 0;
    return differs ? kExitDiffers : kExitOk;
  });
  return ExitCodeOf(code, style);
}

int EventsCommand(const CommandContext& context, const EventsArguments& arguments) {
  std::optional<WallTime> since;
  if (!arguments.since.empty()) {
    const auto moment = ParseMoment(arguments.since, std::chrono::system_clock::now());
    if (!moment) return Complain(moment.error().Wrap("--since"));
    since = *moment;
  }
  return WithStore(context, [&](const ReportReader& store) {
    EventFilter filter;
    filter.resource = arguments.name;
    filter.limit = arguments.limit;
    while (true) {
      const Expected<Json> report = EventsReport(store, filter, since);
      if (!report) return Complain(report.error());
      if (!arguments.follow) {
        Print(context, *report, EventsText);
        return kExitOk;
      }
      PrintEach(context, report->at("events"));
      // The end of the program tells of that.
      if (std::ferror(stdout) != 0) return kExitOk;
      if (!report->at("events").empty()) filter.after_id = report->at("events").back().at("id");
      filter.limit = std::numeric_limits<std::int32_t>::max();  // What comes now is all shown.
      std::this_thread::sleep_for(std::chrono::seconds(1));
    }
  });
}

int HistoryCommand(const CommandContext& context, const std::string& name, std::int64_t revision) {
  return WithStore(context, [&](const ReportReader& store) {
    const Expected<Json> report =
        revision == 0 ? HistoryReport(store, name) : RevisionReport(store, name, revision);
    if (!report) return Complain(report.error());
    Print(context, *report, revision == 0 ? HistoryText : RevisionText);
    return kExitOk;
  });
}

int GuardCommand(const CommandContext& context) {
  return WithStore(context, [&](const ReportReader& store, const Config& config) {
    Expected<Json> report = GuardReport(store);
    if (!report) return Complain(report.error());
    if (Json stale = StaleState(config, store); !stale.is_null()) {
      TellStale(stale);
      (*report)["stale"] = std::move(stale);
    }
    Print(context, *report, GuardText);
    return kExitOk;
  });
}

}  // namespace bindery
