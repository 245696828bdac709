#pragma once

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace bindery::testing {

/// What no log, report, metric, error or store may hold. Test credentials carry the first, the
/// embedded cloud's tokens begin with the second.
inline const std::vector<std::string>& SecretMarks() {
  static const std::vector<std::string> kMarks = {
      "SECRET", "ya29.emulated", "PRIVATE KEY", "eyJhbGciOi", "Bearer ", "Basic ", "DD-API-KEY:"};
  return kMarks;
}

/// The first mark in a text, with what is around it; empty when there is none.
inline std::string SecretIn(const std::string& text) {
  constexpr std::size_t kAround = 60;
  for (const std::string& mark : SecretMarks()) {
    const std::size_t at = text.find(mark);
    if (at == std::string::npos) continue;
    const std::size_t begin = at < kAround ? 0 : at - kAround;
    return text.substr(begin, 2 * kAround);
  }
  return "";
}

/// "file: what is around the secret" for each file below `folder` that holds one; `inputs` are the
/// files (relative) where secrets belong.
inline std::vector<std::string> FilesWithSecrets(const std::filesystem::path& folder,
                                                 const std::set<std::string>& inputs) {
  std::vector<std::string> found;
  std::error_code gone;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder, gone)) {
    if (!entry.is_regular_file(gone)) continue;
    const std::string name = entry.path().lexically_relative(folder).string();
    if (inputs.contains(name)) continue;
    std::ostringstream text;
    text << std::ifstream(entry.path(), std::ios::binary).rdbuf();
    if (const std::string secret = SecretIn(text.str()); !secret.empty()) {
      found.push_back(name + ": " + secret);
    }
  }
  return found;
}

}  // namespace bindery::testing
