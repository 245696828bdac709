#include "manifests/file_names.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <climits>

#include "yaml/text.h"

namespace bindery {
namespace {

constexpr std::array<std::string_view, 3> kManifestEndings = {".yaml", ".yml", ".json"};
constexpr std::array<std::string_view, 6> kTemporaryEndings = {".swp", ".swx",  ".tmp",
                                                               ".bak", ".orig", ".rej"};

template <typename Endings>
bool EndsInOneOf(std::string_view name, const Endings& endings) {
  return std::any_of(endings.begin(), endings.end(), [name](std::string_view ending) {
    return name.size() > ending.size() && name.ends_with(ending);
  });
}

bool IsControl(char c) { return static_cast<unsigned char>(c) < 0x20U || c == 0x7F; }

}  // namespace

bool IsIgnoredName(std::string_view name) {
  if (name.empty() || name.front() == '.' || name.back() == '~') return true;
  if (name.size() > 1 && name.front() == '#' && name.back() == '#') return true;
  if (name == "4913" || name == "lost+found") return true;
  return EndsInOneOf(name, kTemporaryEndings);
}

bool IsHiddenName(std::string_view name) {
  // Two dots begin the folders of ConfigMap volumes, ".#" the locks of an editor.
  return name.size() > 1 && name[0] == '.' && name[1] != '.' && name[1] != '#' && name != ".git";
}

bool IsManifestName(std::string_view name) {
  return EndsInOneOf(name, kManifestEndings) && !IsIgnoredName(name);
}

bool IsSafeName(std::string_view name) {
  bool ascii = true;
  for (const char c : name) {
    if (IsControl(c)) return false;
    if (static_cast<unsigned char>(c) >= 0x80U) ascii = false;
  }
  return ascii || !yaml::FindBadText(name);
}

std::string EscapedName(std::string_view name) {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string text;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20U && byte < 0x7FU) {
      text += c;
      continue;
    }
    text += "\\x";
    text += kHex[byte >> 4U];
    text += kHex[byte & 0x0FU];
  }
  return text;
}

std::string JoinPath(std::string_view folder, std::string_view name) {
  std::string path;
  path.reserve(folder.size() + 1 + name.size());
  path = folder;
  if (!path.empty() && path.back() != '/') path += '/';
  path += name;
  return path;
}

bool IsWithin(std::string_view path, std::string_view folder) {
  if (folder == "/") return path.starts_with('/');
  return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

std::string RealPathOf(int fd) {
  std::string link = "/proc/self/fd/" + std::to_string(fd);
  std::string path = LinkText(-1, link.c_str());
  // Descriptors that are no files say "pipe:[…]".
  return path.starts_with('/') ? path : std::string();
}

std::string LinkText(int fd, const char* name) {
  std::array<char, PATH_MAX> buffer = {};
  const ssize_t size = ::readlinkat(fd, name, buffer.data(), buffer.size());
  return size > 0 ? std::string(buffer.data(), static_cast<std::size_t>(size)) : std::string();
}

}  // namespace bindery
