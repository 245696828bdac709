#include "config/config.h"

#include <algorithm>
#include <cstdlib>
#include <system_error>
#include <utility>

#include "config/config_file.h"
#include "config/web_config.h"

namespace bindery {
namespace {

/// What else must hold of the file that the configuration names, so that a start or reload does
/// not find it out halfway.
std::vector<ConfigProblem> WebProblems(const Config& config, const std::string& file) {
  const ServerConfig& server = config.server;
  if (server.web_config.empty()) return {};
  const WebConfigResult web = LoadWebConfig(server.web_config);
  if (!web) return web.error();
  if (web->Authenticates() || server.insecure || IsLoopbackHost(server.listen.host)) return {};
  return {
      {file, 0, 0, "server.listen",
       "\"" + server.listen.Text() +
           "\" can be reached from other machines, and server.webConfigFile asks nobody who "
           "they are: give it basic_auth_users or client_auth_type RequireAndVerifyClientCert"}};
}

}  // namespace

bool Config::UsesEmbeddedCloud() const {
  return std::ranges::any_of(providers, [](const auto& entry) { return entry.second.embedded; });
}

std::string ConfigProblem::Text() const {
  std::string text = file;
  if (line > 0) text += ":" + std::to_string(line) + ":" + std::to_string(column);
  text += ": ";
  if (!path.empty()) text += path + ": ";
  return text + message;
}

ConfigResult LoadConfig(const std::filesystem::path& file) {
  const Expected<std::string> text = config_internal::ReadConfigFile(file);
  if (!text) {
    return tl::unexpected(
        std::vector<ConfigProblem>{{file.string(), 0, 0, "", text.error().message}});
  }
  std::error_code failure;
  const std::filesystem::path absolute = std::filesystem::absolute(file, failure);
  auto parsed = ParseConfig(*text, file.string(), absolute.parent_path(),
                            [](const std::string& name) -> std::optional<std::string> {
                              // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing here sets variables
                              const char* value = std::getenv(name.c_str());
                              if (value == nullptr) return std::nullopt;
                              return value;
                            });
  if (!parsed) return parsed;
  if (auto problems = WebProblems(*parsed, file.string()); !problems.empty()) {
    return tl::unexpected(std::move(problems));
  }
  parsed->file = absolute;
  return parsed;
}

}  // namespace bindery
