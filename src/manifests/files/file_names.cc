#include "manifests/files/file_names.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <climits>

#include "yaml/text.h"

namespace bindery::manifests {
namespace {

constexpr std::array<std::string_view, 3> kManifestEndings = {".yaml", ".yml", ".json"};
constexpr std::size_t kLongestEnding = 5;
constexpr std::array<std::string_view, 6> kTemporaryEndings = {".swp", ".swx",  ".tmp",
                                                               ".bak", ".orig", ".rej"};

template <typename Endings>
bool EndsInAny(std::string_view name, const Endings& endings) {
  return std::any_of(endings.begin(), endings.end(), [name](std::string_view ending) {
    return name.size() > ending.size() && name.ends_with(ending);
  });
}

/// Folders and links of ConfigMap volumes: `..data`, `..data_tmp`, `..2026_11_23_09_30_00.123`.
bool IsVolumesName(std::string_view name) {
  if (name == kDataLink || name == "..data_tmp") return true;
  constexpr std::string_view kShape = "..dddd_dd_dd_dd_dd_dd.";
  if (name.size() <= kShape.size()) return false;
  const auto fits = [](char shape, char c) {
    return shape == 'd' ? c >= '0' && c <= '9' : c == shape;
  };
  return std::equal(kShape.begin(), kShape.end(), name.begin(), fits) &&
         name.find_first_not_of("0123456789", kShape.size()) == std::string_view::npos;
}

bool IsControl(char c) { return static_cast<unsigned char>(c) < 0x20U || c == 0x7F; }

}  // namespace

bool IsIgnoredName(std::string_view name) {
  if (name.empty() || name.front() == '.' || name.back() == '~') return true;
  if (name.size() > 1 && name.front() == '#' && name.back() == '#') return true;
  if (name == "4913" || name == "lost+found") return true;
  return EndsInAny(name, kTemporaryEndings);
}

bool IsHiddenManifestName(std::string_view name) {
  // ".#" begins the locks of an editor.
  if (name.empty() || name.front() != '.' || name.starts_with(".#")) return false;
  const auto first = name.find_first_not_of('.');
  if (first == std::string_view::npos) return false;
  const std::string_view shown = name.substr(first);
  return IsManifestName(shown) || IsMisspelledName(shown);
}

bool IsHiddenFolderName(std::string_view name) {
  if (name == "." || name == ".." || IsRepositoryName(name)) return false;
  return IsIgnoredName(name) && !IsVolumesName(name);
}

bool IsRepositoryName(std::string_view name) {
  return name == ".git" || std::find(kOtherRepositories.begin(), kOtherRepositories.end(), name) !=
                               kOtherRepositories.end();
}

bool IsMisspelledName(std::string_view name) {
  const auto dot = name.rfind('.');
  if (dot == std::string_view::npos || dot == 0 || IsIgnoredName(name)) return false;
  std::string ending(name.substr(dot));
  if (ending.size() > kLongestEnding) return false;
  std::transform(ending.begin(), ending.end(), ending.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return ending != name.substr(dot) && std::find(kManifestEndings.begin(), kManifestEndings.end(),
                                                 ending) != kManifestEndings.end();
}

bool IsManifestName(std::string_view name) {
  return EndsInAny(name, kManifestEndings) && !IsIgnoredName(name);
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

std::string PathIn(std::string_view folder, std::string_view name) {
  std::string path;
  path.reserve(folder.size() + 1 + name.size());
  path = folder;
  if (!path.empty() && path.back() != '/') path += '/';
  path += name;
  return path;
}

std::string GetRealPath(int fd) {
  std::string link = "/proc/self/fd/" + std::to_string(fd);
  std::string path = LinkText(-1, link.c_str());
  // Descriptors other than files have "pipe:[…]".
  return path.starts_with('/') ? path : std::string();
}

std::string LinkText(int fd, const char* name) {
  std::array<char, PATH_MAX> buffer = {};
  const ssize_t size = ::readlinkat(fd, name, buffer.data(), buffer.size());
  return size > 0 ? std::string(buffer.data(), static_cast<std::size_t>(size)) : std::string();
}

}  // namespace bindery::manifests
