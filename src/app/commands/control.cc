// The commands that change something: they ask the daemon, over its UNIX socket.

#include <algorithm>
#include <utility>

#include "app/commands/common.h"
#include "app/commands/selection.h"
#include "app/daemon_client.h"
#include "report/json_fields.h"
#include "report/text_style.h"

namespace bindery {
namespace {

Expected<Json> Ask(const CommandContext& context, const std::string& path, const Json& body) {
  const Expected<Config> config = FindDaemon(context);
  if (!config) return Fail(config.error());
  return DaemonClient(*config).Post(path, body);
}

std::string ResultLine(const Json& result) {
  std::string line = StringMember(result, "name") + ": " + StringMember(result, "message");
  const std::string held = StringMember(result, "held");
  if (!held.empty()) line += " (bindery guard approve " + held + ")";
  return line + "\n";
}

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

/// "3 removals on 1 target".
std::string DecidedText(const Json& report) {
  return report::Count(report::IntMember(report, "removals"), "removal") + " on " +
         report::Count(report::IntMember(report, "targets"), "target");
}

bool IsDone(const Json& result) {
  const Json* done = FindMember(result, "done");
  return done != nullptr && done->is_boolean() && done->get<bool>();
}

/// Asks for these names, so many at a time: a request has a greatest size.
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
  if (!config) return Complain(config.error());
  // Of those that nobody suspended it cannot be said that they are resumed.
  const auto names = ChosenNames(*config, chosen, [suspend](const ResourceRecord& record) {
    return suspend || record.suspended;
  });
  if (!names) return Complain(names.error());
  const char* path = suspend ? "/api/v1/suspend" : "/api/v1/resume";
  Expected<Json> answer = Json{{"names", Json::array()}, {"suspended", suspend}};
  if (!names->empty()) answer = PostNames(*config, path, *names);
  if (!answer) return Complain(answer.error());
  Print(context, *answer, [suspend](const Json& report, const TextStyle& /*style*/) {
    return SuspendText(report, suspend);
  });
  const Json* still = FindMember(*answer, "stillSuspended");
  return still == nullptr || still->empty() ? kExitOk : kExitError;
}

}  // namespace

int ReconcileCommand(const CommandContext& context, const ChosenResources& chosen) {
  const Expected<Config> config = FindDaemon(context);
  if (!config) return Complain(config.error());
  // None at all are all that are in force, for the daemon.
  Expected<std::vector<std::string>> names = std::vector<std::string>();
  if (!chosen.all || !chosen.names.empty() || !chosen.labels.empty()) {
    names = ChosenNames(*config, chosen, [](const ResourceRecord&) { return true; });
  }
  if (!names) return Complain(names.error());
  if (chosen.now && names->empty()) {
    return Complain({Code::kInvalidArgument, "--now needs the names of resources"});
  }
  if (chosen.now) {
    const auto waived = DaemonClient(*config).Post("/api/v1/waive-settling", {{"names", *names}});
    if (!waived) return Complain(waived.error());
  }
  const Expected<Json> answer =
      DaemonClient(*config).Post("/api/v1/reconcile", {{"names", *names}});
  if (!answer) return Complain(answer.error());
  Print(context, *answer, [](const Json& report, const TextStyle& /*style*/) {
    std::string text;
    for (const Json& result : report.at("results")) text += ResultLine(result);
    return text;
  });
  for (const Json& result : answer->at("results")) {
    if (!IsDone(result)) return StringMember(result, "held").empty() ? kExitError : kExitDiffers;
  }
  return kExitOk;
}

int SuspendCommand(const CommandContext& context, const ChosenResources& chosen) {
  return SetSuspended(context, chosen, true);
}

int ResumeCommand(const CommandContext& context, const ChosenResources& chosen) {
  return SetSuspended(context, chosen, false);
}

int ForgetCommand(const CommandContext& context, const std::vector<std::string>& names) {
  const Expected<Json> answer = Ask(context, "/api/v1/forget", {{"names", names}});
  if (!answer) return Complain(answer.error());
  Print(context, *answer, [](const Json& report, const TextStyle& /*style*/) {
    std::string text;
    for (const Json& name : report.at("names")) {
      text += name.get<std::string>() + ": forgotten; what it granted was left as it is\n";
    }
    return text;
  });
  return kExitOk;
}

int ApproveCommand(const CommandContext& context, const std::string& digest) {
  const Expected<Json> answer = Ask(context, "/api/v1/guard/approve", {{"digest", digest}});
  if (!answer) return Complain(answer.error());
  Print(context, *answer, [](const Json& report, const TextStyle& /*style*/) {
    return "approved " + StringMember(report, "digest") + ": " + DecidedText(report) + " go on\n";
  });
  return kExitOk;
}

int DenyCommand(const CommandContext& context, const std::string& digest) {
  const Expected<Json> answer = Ask(context, "/api/v1/guard/deny", {{"digest", digest}});
  if (!answer) return Complain(answer.error());
  Print(context, *answer, [](const Json& report, const TextStyle& /*style*/) {
    const std::string whole = StringMember(report, "digest");
    return "denied " + whole + ": " + DecidedText(report) +
           " are not carried out, until the manifests say something else there\n"
           "bindery guard approve " +
           whole + " lets them through after all\n";
  });
  return kExitOk;
}

}  // namespace bindery
