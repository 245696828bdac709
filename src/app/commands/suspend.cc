// Suspending and resuming resources.

#include <algorithm>
#include <iterator>
#include <utility>

#include "app/command_line.h"
#include "app/commands/selection.h"
#include "app/run/daemon_client.h"
#include "app/shell/common.h"
#include "report/values/change_values.h"
#include "server/requests/operator_command.h"

namespace bindery::app {
namespace {

/// "FILE:LINE" of the manifest that suspends the resource; empty if none does.
std::string FindSource(const report::SuspendAnswer& answer, const std::string& name) {
  if (!answer.still_suspended) return "";
  for (const report::StillSuspended& still : *answer.still_suspended) {
    if (still.name == name) return still.source.file + ":" + std::to_string(still.source.line);
  }
  return "";
}

void Append(report::SuspendAnswer part, report::SuspendAnswer& all) {
  std::ranges::move(part.names, std::back_inserter(all.names));
  if (!part.still_suspended) return;
  if (!all.still_suspended) all.still_suspended.emplace();
  std::ranges::move(*part.still_suspended, std::back_inserter(*all.still_suspended));
}

/// Posts these names in batches: the size of a request is limited.
Expected<report::SuspendAnswer> PostNames(const config::Config& config,
                                          const std::vector<std::string>& names, bool suspend) {
  constexpr std::size_t kMost = 2000;
  const char* path =
      suspend ? server::command::Suspend::kPath : server::command::Suspend::kResumePath;
  DaemonClient daemon(config);
  report::SuspendAnswer all;
  all.suspended = suspend;
  for (std::size_t first = 0; first < names.size(); first += kMost) {
    const auto begin = names.begin() + static_cast<std::ptrdiff_t>(first);
    const auto end =
        names.begin() + static_cast<std::ptrdiff_t>(std::min(first + kMost, names.size()));
    const auto json =
        daemon.Post(path, server::MakeBody(server::command::Suspend{{begin, end}, suspend}));
    if (!json) return Fail(json.error());
    auto part = report::FromJson<report::SuspendAnswer>(*json);
    if (!part) return Fail(part.error());
    Append(*std::move(part), all);
  }
  return all;
}

std::string SuspendText(const report::SuspendAnswer& answer, const report::TextStyle& /*style*/) {
  std::string text;
  for (const std::string& name : answer.names) {
    const std::string source = FindSource(answer, name);
    text += name;
    if (!source.empty()) {
      text += ": still suspended, by its manifest (options.suspend in " + source + ")\n";
    } else {
      text += answer.suspended ? ": suspended\n" : ": resumed\n";
    }
  }
  return text.empty() ? "Nothing is suspended by an operator.\n" : text;
}

int SetSuspended(const CommandContext& context, const ChosenResources& chosen, bool suspend) {
  const Expected<config::Config> config = FindDaemon(context);
  if (!config) return PrintError(config.error());
  // A resource that was not suspended cannot be reported as resumed.
  const auto names = ChosenNames(*config, chosen, [suspend](const store::ResourceRecord& record) {
    return suspend || record.suspended;
  });
  if (!names) return PrintError(names.error());
  const auto answer = PostNames(*config, *names, suspend);
  if (!answer) return PrintError(answer.error());
  Print(context, *answer, SuspendText);
  const auto& still = answer->still_suspended;
  return !still || still->empty() ? kExitOk : kExitError;
}

}  // namespace

void DefineSuspend(CommandLine& line) {
  auto& chosen = line.Keep<ChosenResources>();
  const Command suspend(line, "suspend", "Suspend resources");
  AddChoice(suspend, chosen);
  suspend.Examples(
      "bindery suspend payments-viewers payments-editors\nbindery suspend -l team=payments");
  suspend.Runs(
      [&chosen](const CommandContext& context) { return SetSuspended(context, chosen, true); });
}

void DefineResume(CommandLine& line) {
  auto& chosen = line.Keep<ChosenResources>();
  const Command resume(line, "resume", "Resume suspended resources");
  AddChoice(resume, chosen);
  resume.Notes("-l and --all concern resources that an operator suspended.");
  resume.Examples("bindery resume payments-viewers\nbindery resume --all");
  resume.Runs(
      [&chosen](const CommandContext& context) { return SetSuspended(context, chosen, false); });
}

}  // namespace bindery::app
