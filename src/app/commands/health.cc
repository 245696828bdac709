// What container engines and people run to learn whether the daemon is well.

#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "app/command_line.h"
#include "app/run/daemon_client.h"
#include "app/shell/common.h"
#include "core/text/time_text.h"

namespace bindery::app {
namespace {

struct HealthArguments {
  bool liveness = false;
  std::string timeout = "5s";
};

/// Container engines define these two codes and reserve the rest.
constexpr int kHealthy = 0;
constexpr int kUnhealthy = 1;

int Unhealthy(const Error& error) {
  PrintError(error);
  return kUnhealthy;
}

struct ProbedCheck {
  std::string name;
  bool ok = false;
  std::optional<std::string> detail;  ///< Why not.
};

struct ProbedHealth {
  bool ok = false;
  std::vector<ProbedCheck> checks;
};

/// "[+]store ok", "[-]manifests failed: WHY": what the endpoints say with ?verbose.
ProbedHealth HealthIn(const cloud::HttpResponse& response) {
  constexpr std::string_view kFailed = " failed: ";
  ProbedHealth health{response.status == 200, {}};
  std::istringstream lines(response.body);
  for (std::string line; std::getline(lines, line);) {
    const bool ok = line.starts_with("[+]");
    if (!ok && !line.starts_with("[-]")) continue;
    const std::string text = line.substr(3);
    const std::size_t end = ok ? text.find(' ') : text.find(kFailed);
    ProbedCheck check{text.substr(0, end), ok, std::nullopt};
    if (!ok && end != std::string::npos) check.detail = text.substr(end + kFailed.size());
    health.checks.push_back(std::move(check));
  }
  return health;
}

Json HealthReport(const ProbedHealth& health) {
  Json checks = Json::array();
  for (const ProbedCheck& check : health.checks) {
    Json json = {{"name", check.name}, {"ok", check.ok}};
    if (check.detail) json["detail"] = *check.detail;
    checks.push_back(std::move(json));
  }
  return {{"ok", health.ok}, {"checks", std::move(checks)}};
}

std::string HealthText(const ProbedHealth& health) {
  if (health.ok) return "ok\n";
  std::string text;
  for (const ProbedCheck& check : health.checks) {
    if (!check.ok) text += check.name + ": " + check.detail.value_or("") + "\n";
  }
  return text.empty() ? "not healthy\n" : text;
}

/// Whether the daemon is well: 0 it is, 1 it is not or does not answer, never anything else.
int HealthCommand(const CommandContext& context, const HealthArguments& arguments) {
  const auto patience = ParseDuration(arguments.timeout);
  if (!patience) return Unhealthy(patience.error());
  const Expected<config::Config> config = FindDaemon(context);
  if (!config) return Unhealthy(config.error());
  const std::string path = arguments.liveness ? "/livez?verbose" : "/readyz?verbose";
  const Expected<cloud::HttpResponse> response = DaemonClient(*config).Probe(path, *patience);
  if (!response) return Unhealthy(response.error().Wrap("no daemon answers"));
  const ProbedHealth health = HealthIn(*response);
  Print(context, HealthReport(health),
        [&](const Json& /*the same*/, const report::TextStyle& /*style*/) {
          return HealthText(health);
        });
  return health.ok ? kHealthy : kUnhealthy;
}

}  // namespace

void DefineHealth(CommandLine& line) {
  auto& arguments = line.Keep<HealthArguments>();
  const Command health(line, "health", "Check the readiness of the running daemon: 0 yes, 1 no");
  health->add_flag("--liveness", arguments.liveness, "Check liveness only: /livez, not /readyz");
  health->add_option("--timeout", arguments.timeout, "Maximum wait for the answer")
      ->capture_default_str();
  health.Output({"text", "json", "yaml"});
  health.Examples("bindery health\nbindery health --liveness --timeout 2s");
  // For health an error is 1: no further code exists.
  health.Runs(
      [&arguments](const CommandContext& context) { return HealthCommand(context, arguments); },
      ExitStyle::kTerraform);
}

}  // namespace bindery::app
