#include "config/config.h"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <system_error>

extern "C" char** environ;  // NOLINT(readability-identifier-naming): the system's name

namespace bindery {
namespace {

constexpr std::size_t kMaxFileBytes = 1U << 20U;

tl::unexpected<std::vector<ConfigProblem>> Unreadable(const std::filesystem::path& file,
                                                      std::string why) {
  return tl::unexpected(
      std::vector<ConfigProblem>{{file.string(), 0, 0, "", "cannot be read: " + std::move(why)}});
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

ConfigResult LoadConfig(const std::filesystem::path& file) {
  std::error_code failure;
  const auto status = std::filesystem::status(file, failure);
  if (!std::filesystem::exists(status)) return Unreadable(file, "no such file");
  if (std::filesystem::is_directory(status)) return Unreadable(file, "it is a directory");
  errno = 0;
  std::ifstream in(file, std::ios::binary);
  if (!in) return Unreadable(file, std::generic_category().message(errno));
  std::string text(kMaxFileBytes + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (in.bad()) return Unreadable(file, std::generic_category().message(errno));
  text.resize(static_cast<std::size_t>(in.gcount()));
  if (text.size() > kMaxFileBytes) return Unreadable(file, "it is larger than 1 MiB");

  const std::filesystem::path absolute = std::filesystem::absolute(file, failure);
  auto parsed = ParseConfig(text, file.string(), absolute.parent_path(), ProcessEnvironment());
  if (parsed) parsed->file = absolute;
  return parsed;
}

}  // namespace bindery
