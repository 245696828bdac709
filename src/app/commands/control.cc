// The commands that change something: they ask the daemon, over its UNIX socket.

#include <cstdio>

#include "app/commands/common.h"
#include "app/daemon_client.h"

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

bool IsDone(const Json& result) {
  const Json* done = FindMember(result, "done");
  return done != nullptr && done->is_boolean() && done->get<bool>();
}

}  // namespace

int ReconcileCommand(const CommandContext& context, const std::vector<std::string>& names) {
  const Expected<Json> answer = Ask(context, "/api/v1/reconcile", {{"names", names}});
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

int SuspendCommand(const CommandContext& context, const std::vector<std::string>& names,
                   bool suspend) {
  const char* path = suspend ? "/api/v1/suspend" : "/api/v1/resume";
  const Expected<Json> answer = Ask(context, path, {{"names", names}});
  if (!answer) return Complain(answer.error());
  const Json* still = FindMember(*answer, "stillSuspended");
  Print(context, *answer, [&](const Json& report, const TextStyle& /*style*/) {
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
    return text;
  });
  return still == nullptr || still->empty() ? kExitOk : kExitError;
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
    return "approved " + StringMember(report, "digest") + ": removals on " +
           report.at("targets").dump() + " targets go on\n";
  });
  return kExitOk;
}

int RollbackCommand(const CommandContext& context, const std::string& name, std::int64_t revision) {
  const Expected<Json> answer =
      Ask(context, "/api/v1/rollback", {{"name", name}, {"revision", revision}});
  if (!answer) return Complain(answer.error());
  Print(context, *answer, [&](const Json& report, const TextStyle& /*style*/) {
    std::string text = ResultLine(report);
    if (IsDone(report)) {
      text +=
          "The resources of its target are suspended, or the next check would undo this: "
          "bindery resume " +
          name + " enforces the manifests again.\n";
    }
    return text;
  });
  if (IsDone(*answer)) return kExitOk;
  return StringMember(*answer, "held").empty() ? kExitError : kExitDiffers;
}

}  // namespace bindery
