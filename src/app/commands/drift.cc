// The last known drift, from the store, while the daemon is down or up.

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <string_view>

#include "app/clouds/clouds.h"
#include "app/command_line.h"
#include "app/process/version.h"
#include "app/process/waiting_line.h"
#include "app/reporting/report_writer.h"
#include "app/run/scan_desk.h"
#include "app/shell/common.h"
#include "report/codec/moment.h"
#include "report/forms/drift_forms.h"
#include "report/reports/reports.h"
#include "report/text/text.h"
#include "report/values/drift_values.h"
#include "store/ports/store.h"

namespace bindery::app {
namespace {

struct DriftArguments {
  std::string since = "24h";  ///< What was corrected that recently is known of too.
  bool all = false;           ///< For a terminal: also lists what was corrected.
  Severity least = Severity::kLow;
  bool accepted = false;    ///< For a terminal: lists what is accepted, and nothing else.
  bool unmanaged = false;   ///< Lists what nobody manages, and counts it for the exit code.
  std::string path_prefix;  ///< Of files in SARIF.
};

/// The common forms of -o first, as of every command.
std::vector<std::string> Forms() {
  std::vector<std::string> forms = {"text", "json", "yaml"};
  for (const std::string_view name : kReportFormatNames) {
    if (std::ranges::find(forms, name) == forms.end()) forms.emplace_back(name);
  }
  return forms;
}

ReportFormat ReadFormat(const std::string& form) {
  std::size_t index = 0;
  while (index + 1 < kReportFormatNames.size() && kReportFormatNames.at(index) != form) ++index;
  return static_cast<ReportFormat>(index);
}

report::DriftLines MakeLines(const DriftArguments& arguments) {
  if (arguments.accepted) return report::DriftLines::kAccepted;
  if (arguments.unmanaged) return report::DriftLines::kUnmanaged;
  return arguments.all ? report::DriftLines::kAll : report::DriftLines::kStanding;
}

/// All that scans found has to be counted: not for a short list on a terminal.
bool ShowsUnmanaged(const CommandContext& context, const DriftArguments& arguments) {
  return arguments.unmanaged || arguments.all || ReadFormat(context.form) != ReportFormat::kText;
}

int DriftCommand(const CommandContext& context, const DriftArguments& arguments) {
  const ExitStyle style = context.exit_style;
  const WallTime now = std::chrono::system_clock::now();
  const Expected<WallTime> moment = report::ParseMoment(arguments.since, now);
  if (!moment) return ChooseExitCode(PrintError(moment.error().Wrap("--since")), style);
  const int code = WithStore(context, [&](const store::Store& store, const config::Config& config) {
    report::DriftScope scope = report::DriftScopeAt(now, MakeDriftSettings(config));
    scope.foreign_first = true;
    scope.resolved_since = *moment;
    scope.least = arguments.least;
    if (ShowsUnmanaged(context, arguments)) {
      auto unmanaged = UnmanagedIn(store, MakeEngineSettings(config, {}).catalog, now);
      if (!unmanaged) return PrintError(unmanaged.error());
      scope.unmanaged = *std::move(unmanaged);
    }
    auto report = report::ReadDriftDocument(store, scope);
    if (!report) return PrintError(report.error());
    std::string text;
    auto written = report::WriteDrift(
        {ReadFormat(context.form), MakeLines(arguments), arguments.path_prefix}, **report,
        StyleOfOutput(), kVersion, [&text](std::string_view piece) { text += piece; });
    if (!written) return PrintError(written.error());
    const report::DriftHead& head = (*report)->head();
    const bool differs = head.summary.Standing() > 0 ||
                         (arguments.unmanaged && head.unmanaged && head.unmanaged->grants > 0);
    TellStale(StaleState(config));
    TellMissingManifests(config);
    // A pager may stay open for hours: not with a snapshot of the store.
    report->reset();
    EndWaiting();
    std::fwrite(text.data(), 1, text.size(), stdout);
    return differs ? kExitDiffers : kExitOk;
  });
  return ChooseExitCode(code, style);
}

}  // namespace

void DefineDrift(CommandLine& line) {
  auto& arguments = line.Keep<DriftArguments>();
  const Command drift(line, "drift", "Show the last known drift");
  drift->require_subcommand(0, 1);
  drift
      ->add_option("--since", arguments.since,
                   std::string("Also count differences corrected since: ") + report::kMomentForms)
      ->capture_default_str();
  drift->add_flag("--all", arguments.all,
                  "Also list corrected differences (text output; all further formats list them)");
  drift->add_flag("--accepted", arguments.accepted,
                  "List accepted differences only (text output; all further formats list them)");
  drift->add_flag(
      "--unmanaged", arguments.unmanaged,
      "List grants on targets that nobody manages, as the last scan found (text output; "
      "all further formats list them), and count them for the exit code");
  drift->add_option("--path-prefix", arguments.path_prefix, kPathPrefixHelp)
      ->type_name(kFolderType);
  const auto least = drift.LeastSeverity("Minimum severity of differences, also for the exit code");
  drift.DetailedExit();
  drift.Waits();
  drift.Output(Forms());
  drift.Notes("Example:\n  bindery drift --severity high\n  bindery drift -o html > drift.html");
  drift.Runs([&arguments, least](const CommandContext& context) {
    arguments.least = least();
    return DriftCommand(context, arguments);
  });
}

}  // namespace bindery::app
