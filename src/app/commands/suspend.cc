// Suspending resources, and enforcing them again.

#include <algorithm>
#include <utility>

#include "app/command_line.h"
#include "app/commands/common.h"
#include "app/commands/selection.h"
#include "app/daemon_client.h"

namespace bindery {
namespace {

/// "FILE:LINE" of the manifest of that name among `resources`; empty when it is not one of them.
std::string SourceIn(const Json* resources, const Json& name) {
  if (resources == nullptr) return "";
  for (const Json& resource : *resources) {
    if (resource.at("name") != name) continue;
    const Json& source = resource.at("source");
    return StringMember(source, "file") + ":" + source.at("line").dump();
  }
  return "";
}

/// Posts these names in batches: the size of a request is limited.
Expected<Json> PostNames(const Config& config, const char* path,
                         const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 2000;
  DaemonClient daemon(config);
  Json all;
  for (std::size_t first = 0; first < names.size(); first += kMost) {
    const auto begin = names.begin() + static_cast<std::ptrdiff_t>(first);
    const auto end =
        names.begin() + static_cast<std::ptrdiff_t>(std::min(first + kMost, names.size()));
    auto answer = daemon.Post(path, {{"names", std::vector<std::string>(begin, end)}});
    if (!answer) return answer;
    if (all.is_null()) {
      all = std::move(*answer);
      continue;
    }
    for (const char* list : {"names", "stillSuspended"}) {
      for (Json& item : (*answer)[list]) all[list].push_back(std::move(item));
    }
  }
  return all;
}

std::string SuspendText(const Json& report, bool suspend) {
  const Json* still = FindMember(report, "stillSuspended");
  std::string text;
  for (const Json& name : report.at("names")) {
    const std::string source = SourceIn(still, name);
    text += name.get<std::string>();
    if (!source.empty()) {
      text += ": still suspended, by its manifest (options.suspend in " + source + ")\n";
    } else {
      text += suspend ? ": suspended\n" : ": resumed\n";
    }
  }
  return text.empty() ? "Nothing is suspended by an operator.\n" : text;
}

int SetSuspended(const CommandContext& context, const ChosenResources& chosen, bool suspend) {
  const Expected<Config> config = FindDaemon(context);
  if (!config) return PrintError(config.error());
  // A resource that was not suspended cannot be reported as resumed.
  const auto names = ChosenNames(*config, chosen, [suspend](const ResourceRecord& record) {
    return suspend || record.suspended;
  });
  if (!names) return PrintError(names.error());
  const char* path = suspend ? "/api/v1/suspend" : "/api/v1/resume";
  Expected<Json> answer = Json{{"names", Json::array()}, {"suspended", suspend}};
  if (!names->empty()) answer = PostNames(*config, path, *names);
  if (!answer) return PrintError(answer.error());
  Print(context, *answer, [suspend](const Json& report, const TextStyle& /*style*/) {
    return SuspendText(report, suspend);
  });
  const Json* still = FindMember(*answer, "stillSuspended");
  return still == nullptr || still->empty() ? kExitOk : kExitError;
}

}  // namespace

void DefineSuspend(CommandLine& line) {
  auto& chosen = line.Keep<ChosenResources>();
  const Command suspend(line, "suspend", "Have the daemon leave resources alone");
  AddChoice(suspend, chosen);
  suspend.Examples(
      "bindery suspend payments-viewers payments-editors\nbindery suspend -l team=payments");
  suspend.Runs(
      [&chosen](const CommandContext& context) { return SetSuspended(context, chosen, true); });
}

void DefineResume(CommandLine& line) {
  auto& chosen = line.Keep<ChosenResources>();
  const Command resume(line, "resume", "Have the daemon enforce suspended resources again");
  AddChoice(resume, chosen);
  resume.Notes("With -l and --all: those that an operator suspended.");
  resume.Examples("bindery resume payments-viewers\nbindery resume --all");
  resume.Runs(
      [&chosen](const CommandContext& context) { return SetSuspended(context, chosen, false); });
}

}  // namespace bindery
