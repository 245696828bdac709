// The resources on record, while the daemon is down or up.

#include <chrono>
#include <cstdio>
#include <optional>
#include <thread>

#include "app/clouds/provider_access.h"
#include "app/command_line.h"
#include "app/commands/selection.h"
#include "app/shell/common.h"
#include "core/text/type_token.h"
#include "manifests/schema/given_values.h"
#include "providers/registry/kinds.h"
#include "reconcilers/secrets.h"
#include "report/forms/texts.h"
#include "report/reports/problem_lines.h"
#include "report/reports/reports.h"

namespace bindery::app {
namespace {

struct GetArguments {
  std::vector<std::string> what;    ///< [KIND] [NAME]
  std::vector<std::string> labels;  ///< As LabelSelector reads them.
  bool not_ready = false;
  bool watch = false;
  bool show_secrets = false;  ///< Of lookups: read now, and not kept.
  std::string group_by;       ///< Empty: by kind on a terminal.
};

Expected<report::ResourceFilter> MakeFilter(const GetArguments& arguments) {
  report::ResourceFilter filter;
  const providers::Kinds kinds;
  if (!arguments.what.empty()) {
    const std::optional<TypeToken> token = ParseTypeToken(arguments.what[0]);
    const reconcilers::Kind* kind = token ? kinds.Find(*token) : nullptr;
    if (kind != nullptr) {
      filter.kind = kind->schema().token;
      if (arguments.what.size() > 1) filter.name = arguments.what[1];
    } else if (arguments.what.size() == 1) {
      filter.name = arguments.what[0];
    } else {
      return Fail(Code::kInvalidArgument, FindKind(kinds, arguments.what[0]).error().message +
                                              "; of two words, the first is a kind and the "
                                              "second a name");
    }
  }
  auto labels = MakeSelector(arguments.labels);
  if (!labels) return Fail(labels.error());
  filter.labels = std::move(*labels);
  filter.not_ready = arguments.not_ready;
  return filter;
}

/// The present outputs of a lookup, with secrets. If it cannot be read, the recorded outputs
/// stay.
void Reveal(const config::Config& config, const providers::Kinds& kinds,
            report::ReportedResource& resource) {
  const reconcilers::Kind* kind = kinds.Find({resource.api_version, resource.kind});
  if (kind == nullptr || !reconcilers::HaveSecrets(kind->schema().outputs)) return;
  const Expected<OpenedProvider> provider = OpenProvider(config, *kind, resource.provider);
  Expected<Sighting> found = provider ? LookAt(*provider, *kind, resource.target, Secrets::kShown)
                                      : Expected<Sighting>(Fail(provider.error()));
  if (found) {
    resource.outputs = manifests::GivenValues(resource.inputs, std::move(found->outputs));
  } else {
    PrintError(found.error().Wrap(resource.name));
  }
}

Expected<void> RevealAll(const CommandContext& context, report::ListedResources& report) {
  const Expected<config::Config> config = ReadConfig(context);
  if (!config) return Fail(config.error());
  const providers::Kinds kinds;
  for (report::ReportedResource& resource : report.resources) Reveal(*config, kinds, resource);
  return {};
}

Expected<report::ListedResources> ResourcesAsked(const CommandContext& context,
                                                 const store::ReportReader& store,
                                                 const GetArguments& arguments,
                                                 const report::ResourceFilter& filter) {
  auto report = report::ResourcesReport(store, filter, std::chrono::system_clock::now());
  if (!report) return report;
  if (const Expected<config::Config> config = ReadConfig(context)) {
    report::AddExcerpts(report->problems, config->manifests.directory);
    report->stale = StaleState(*config);
  }
  if (!arguments.show_secrets) return report;
  if (auto shown = RevealAll(context, *report); !shown) return Fail(shown.error());
  return report;
}

/// Why the selected resources have none of the name.
std::string WhyNotFound(const store::ReportReader& store, const std::string& name) {
  const auto known = report::FindResource(store, name);
  return known ? "\"" + name + "\" is not of that kind, or not so labelled"
               : ToString(known.error());
}

std::optional<report::ResourceGroups> GroupsAsked(const std::string& by) {
  if (by.empty()) return std::nullopt;
  if (by == "none") return report::ResourceGroups::kNone;
  return by == "kind" ? report::ResourceGroups::kKind : report::ResourceGroups::kState;
}

/// The report without the parts that each check changes.
std::string TextOfNews(report::ListedResources report) {
  for (report::ReportedResource& resource : report.resources) resource.observed_at = {};
  if (report.stale) report.stale->last_observed_at = {};
  return report::ToJson(report).dump();
}

/// Prints a report unless nothing is new since what was printed last.
void PrintNews(const CommandContext& context, const report::ListedResources& report,
               std::optional<report::ResourceGroups> groups, std::string& shown) {
  std::string text = TextOfNews(report);
  if (text == shown) return;
  shown = std::move(text);
  TellStale(report.stale);
  Print(context, report::ToJson(report),
        [&](const Json& /*the same*/, const report::TextStyle& style) {
          return context.output == Output::kName ? report::ResourceNamesText(report)
                                                 : report::ResourcesText(report, style, groups);
        });
  std::fflush(stdout);
}

int GetCommand(const CommandContext& context, const GetArguments& arguments) {
  const Expected<report::ResourceFilter> filter = MakeFilter(arguments);
  if (!filter) return PrintError(filter.error());
  if (arguments.show_secrets && arguments.watch) {
    return PrintError("--show-secrets reads the clouds, once: it does not go with --watch");
  }
  return WithStore(context, [&](const store::ReportReader& store, const config::Config& config) {
    TellMissingManifests(config);
    std::string shown;
    while (true) {
      const auto report = ResourcesAsked(context, store, arguments, *filter);
      if (!report) return PrintError(report.error());
      const bool none = report->resources.empty();
      if (none && !filter->name.empty() && !arguments.watch) {
        return PrintError(WhyNotFound(store, filter->name));
      }
      PrintNews(context, *report, GroupsAsked(arguments.group_by), shown);
      if (!arguments.watch || std::ferror(stdout) != 0) return kExitOk;
      std::this_thread::sleep_for(std::chrono::seconds(1));
    }
  });
}

}  // namespace

void DefineGet(CommandLine& line) {
  auto& arguments = line.Keep<GetArguments>();
  const Command get(line, "get", "Show resources with status and outputs");
  get->add_option("what", arguments.what, "[KIND] [NAME]")
      ->expected(0, 2)
      ->type_name(kResourceOrKindType);
  get.Labels(arguments.labels);
  get->add_option("--group-by", arguments.group_by,
                  "Groups of rows with a title: kind, state or none; default: by kind on a "
                  "terminal, if there are several kinds")
      ->check(CLI::IsMember({"kind", "state", "none"}));
  get->add_flag("--not-ready", arguments.not_ready, "Only resources that are not ready");
  get->add_flag("--show-secrets", arguments.show_secrets,
                "Read lookups now and show secrets unmasked");
  get->add_flag("-w,--watch", arguments.watch, "Show again after every change");
  get.NoHeaders();
  get.Waits();
  get.Output({"text", "wide", "name", "json", "yaml"});
  get.Examples(
      "bindery get\nbindery get RestrictionPolicy -l team=payments\n"
      "bindery get -l 'team in (payments,storefront),!test' --not-ready\n"
      "bindery get --group-by state\nbindery get payments-viewers -o yaml\nbindery get --watch");
  get.Runs([&arguments](const CommandContext& context) { return GetCommand(context, arguments); });
}

}  // namespace bindery::app
