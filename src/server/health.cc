#include "server/health.h"

#include <set>
#include <string>

#include "server/requests/replies.h"

namespace bindery::server {
namespace {

bool BelongsTo(std::string_view endpoint, const HealthCheck& check) {
  return endpoint != "livez" || check.liveness;
}

std::set<std::string> Excluded(const httpd::Request& request) {
  std::set<std::string> names;
  for (const auto& [key, value] : request.query) {
    if (key == "exclude") names.insert(value);
  }
  return names;
}

}  // namespace

httpd::Response HealthReply(std::string_view endpoint, const std::vector<HealthCheck>& checks,
                            const httpd::Request& request) {
  const bool verbose = request.FindQuery("verbose") != nullptr;
  std::set<std::string> excluded = Excluded(request);
  bool healthy = true;
  std::string lines;
  for (const HealthCheck& check : checks) {
    if (!BelongsTo(endpoint, check)) continue;
    if (excluded.erase(check.name) > 0) {
      lines += "[+]" + check.name + " excluded: ok\n";
    } else if (check.ok) {
      const bool told = verbose && !check.note.empty();
      lines += "[+]" + check.name + " ok" + (told ? ": " + check.note : std::string()) + "\n";
    } else {
      healthy = false;
      lines +=
          "[-]" + check.name + " failed: " + (verbose ? check.detail : "reason withheld") + "\n";
    }
  }
  for (const std::string& name : excluded) {
    lines += "warn: some health checks cannot be excluded: no matches for \"" + name + "\"\n";
  }
  if (healthy && !verbose) return TextReply(200, "ok");
  lines += std::string(endpoint) + " check " + (healthy ? "passed" : "failed") + "\n";
  return TextReply(healthy ? 200 : 500, std::move(lines));
}

httpd::Response SingleHealthReply(std::string_view endpoint, std::string_view name,
                                  const std::vector<HealthCheck>& checks) {
  std::string known;
  for (const HealthCheck& check : checks) {
    if (!BelongsTo(endpoint, check)) continue;
    if (check.name == name) {
      if (check.ok) return TextReply(200, "ok");
      return TextReply(500, "[-]" + check.name + " failed: " + check.detail + "\n");
    }
    known += (known.empty() ? "" : ", ") + check.name;
  }
  return TextReply(404, "there is no such check; there are: " + known + "\n");
}

}  // namespace bindery::server
