#include "config/config.h"

#include <algorithm>
#include <iterator>
#include <system_error>
#include <utility>

#include "config/config_file.h"
#include "config/kind_files.h"
#include "config/reading.h"
#include "config/web_config.h"
#include "providers/registry/providers.h"

extern "C" char** environ;  // NOLINT(readability-identifier-naming): the system's name

namespace bindery::config {
namespace {

/// Requirements of the named file, so that a start or reload does not fail halfway.
/// The error in the file is returned; a wrong reference is a problem of the
/// configuration.
std::vector<ConfigProblem> CheckWebConfig(Reading& reading) {
  const std::string key = "server.webConfigFile";
  const ServerConfig& server = reading.config.server;
  if (server.web_config.empty() || reading.Faulty(key)) return {};
  const auto text = ReadConfigFile(server.web_config);
  if (!text) {
    reading.Add(reading.Where(key), key,
                "\"" + server.web_config.string() + "\" " + text.error().message);
    return {};
  }
  const WebConfigResult web =
      ParseWebConfig(*text, server.web_config.string(), server.web_config.parent_path());
  if (!web) return web.error();
  if (web->Authenticates() || server.insecure || IsLoopbackHost(server.listen.host)) return {};
  reading.Add(
      reading.Where("server.listen"), "server.listen",
      "\"" + server.listen.Text() +
          "\" can be reached from other machines, and server.webConfigFile requires no "
          "authentication: set basic_auth_users or client_auth_type RequireAndVerifyClientCert");
  return {};
}

}  // namespace

bool Config::UsesEmbeddedCloud() const {
  return std::ranges::any_of(providers, [](const auto& entry) { return entry.second.embedded; });
}

std::string ConfigProblem::Text() const {
  std::string text = variable.empty() ? file : "$" + variable;
  if (line > 0) text += ":" + std::to_string(line) + ":" + std::to_string(column);
  text += ": ";
  if (!path.empty()) text += path + ": ";
  return text + message;
}

Environment ProcessEnvironment() {
  Environment variables;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos) continue;
    variables.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  return variables;
}

namespace {

/// A configuration file as far as readable, with its errors: for an unreadable file only that
/// error.
struct FileReading {
  Reading reading;
  std::vector<ConfigProblem> elsewhere;
};

/// Puts the rows of the named kind files in force. Returns the error of a file, and then none is in
/// force.
std::vector<ConfigProblem> TakeKinds(Reading& reading, const std::filesystem::path& base_dir) {
  if (reading.Faulty("kinds")) return {};
  std::vector<std::filesystem::path> files;
  for (const std::string& file : reading.config.kinds) {
    files.push_back((base_dir / file).lexically_normal());
  }
  KindFiles kinds = ReadKindFiles(files);
  if (!kinds.problems.empty()) return std::move(kinds.problems);
  reading.config.kinds_differ = !providers::KindsOfFiles().Install(kinds.rows);
  return {};
}

FileReading ReadFile(const std::filesystem::path& file) {
  FileReading read;
  const Expected<std::string> text = ReadConfigFile(file);
  if (!text) {
    read.elsewhere.push_back({file.string(), 0, 0, "", text.error().message});
    return read;
  }
  std::error_code failure;
  const std::filesystem::path absolute = std::filesystem::absolute(file, failure);
  std::vector<ConfigProblem> of_kinds;
  read.reading =
      ReadConfig(*text, file.string(), absolute.parent_path(), ProcessEnvironment(),
                 [&](Reading& reading) { of_kinds = TakeKinds(reading, absolute.parent_path()); });
  read.elsewhere = CheckWebConfig(read.reading);
  std::ranges::move(of_kinds, std::back_inserter(read.elsewhere));
  read.reading.config.file = absolute;
  return read;
}

}  // namespace

ConfigResult LoadConfig(const std::filesystem::path& file) {
  FileReading read = ReadFile(file);
  return MakeResult(std::move(read.reading), std::move(read.elsewhere));
}

ConfigResult SalvageConfig(const std::filesystem::path& file) {
  FileReading read = ReadFile(file);
  const auto hides_where = [](const ConfigProblem& problem) {
    return problem.path.empty() || problem.path == "server" || problem.path.starts_with("server.");
  };
  if (std::ranges::none_of(read.reading.problems, hides_where) &&
      std::ranges::none_of(read.elsewhere, hides_where)) {
    return std::move(read.reading.config);
  }
  return MakeResult(std::move(read.reading), std::move(read.elsewhere));
}

}  // namespace bindery::config
