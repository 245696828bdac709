#include "manifests/files/held_names.h"

#include <algorithm>
#include <array>

#include "manifests/files/file_names.h"

namespace bindery::manifests {
namespace {

/// What stands before and after the name of a manifest file. In both '9' stands for digits, one at
/// least, and in what stands after it '*' for any text but none.
struct Pattern {
  std::string_view before;
  std::string_view after;
  std::string_view left;
};

constexpr std::array<Pattern, 60> kPatterns{{
    {"", ".conflict9", "a conflict copy of rclone"},
    {"", "..path9", "a conflict copy of rclone"},
    {"", ".partial", "an unfinished copy of a tool like rclone"},
    {"", ".*.partial", "an unfinished copy of a tool like rclone"},
    {"", ".part", "an unfinished copy"},
    {"", ".filepart", "an unfinished copy"},
    {"", ".crdownload", "an unfinished copy"},
    {".", ".part", "an unfinished copy"},
    {".syncthing.", ".tmp", "an unfinished copy of Syncthing"},
    {"~syncthing~", ".tmp", "an unfinished copy of Syncthing"},
    {"", ".sync-conflict-*", "a conflict copy of Syncthing"},
    {".unison.", ".*.unison.tmp", "an unfinished copy of Unison"},
    {"", ".9.bak", "a backup of Unison"},
    {".", ".~*", "an unfinished copy of Nextcloud or ownCloud"},
    {"", " (*", "a conflict copy of a tool like Dropbox or Nextcloud"},
    {"", "_conflict-*", "a conflict copy of ownCloud"},
    {"", ".!sync", "an unfinished copy of Resilio Sync"},
    {".", ".icloud", "a file that iCloud keeps elsewhere"},
    {".", ".??????", "an unfinished copy of rsync"},
    {".in.", ".", "an unfinished copy of an FTP server"},
    {"", ".download", "an unfinished copy"},
    {"", "~", "a backup of an editor"},
    {"", "___jb_*", "an unfinished copy of an editor"},
    {"", "~*", "a copy that a tool like git put aside"},
    {"", ".9.*~", "a backup of Ansible"},
    {".", "~", "a backup of an editor"},
    {"", ".~9~", "a numbered backup"},
    {"#", "#", "what an editor did not save"},
    {".", ".sw?", "what an editor did not save"},
    {".", ".kate-swp", "what an editor did not save"},
    {"", ".vsctmp", "an unfinished copy of an editor"},
    {"", ".sw?", "what an editor did not save"},
    {"", ".save", "what an editor did not save"},
    {"", ".save.9", "what an editor did not save"},
    {"", ".bak", "a backup"},
    {"", ".bak*", "a backup"},
    {"", ".backup", "a backup"},
    {"", ".backup*", "a backup"},
    {"", "_backup", "a backup"},
    {"", ".old", "a backup"},
    {"", ".prev", "a backup"},
    {"", ".dpkg-*", "a file that a package put aside"},
    {"", ".rpm???", "a file that a package put aside"},
    {"", ".rpm????", "a file that a package put aside"},
    {"", ".orig", "a backup of a merge or patch"},
    {"", ".rej", "what a patch could not bring in"},
    {"", ".mine", "a side of a conflict in Subversion"},
    {"", ".r9", "a side of a conflict in Subversion"},
    {"", ".BASE", "a side of a conflict in Breezy"},
    {"", ".THIS", "a side of a conflict in Breezy"},
    {"", ".OTHER", "a side of a conflict in Breezy"},
    {"", ".tmp", "an unfinished copy"},
    {"", ".temp", "an unfinished copy"},
    {"", ".new", "an unfinished copy"},
    {"", ".9", "a numbered or dated backup"},
    {"", ".9*", "a numbered or dated backup"},
    {"", "-9", "a numbered or dated backup"},
    {"", "-9*", "a numbered or dated backup"},
    {"", "_9", "a numbered or dated backup"},
    {"", "_9*", "a numbered or dated backup"},
}};

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

/// Some tools and file systems write ".TMP".
char Small(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// Requires all of `text` to fit; '?' stands for one letter or digit.
bool Fits(std::string_view pattern, std::string_view text) {
  if (pattern.empty()) return text.empty();
  if (text.empty()) return false;
  const std::string_view rest = pattern.substr(1);
  if (pattern.front() == '*' || pattern.front() == '9') {
    for (std::size_t size = 1; size <= text.size(); ++size) {
      if (pattern.front() == '9' && !IsDigit(text[size - 1])) return false;
      if (Fits(rest, text.substr(size))) return true;
    }
    return false;
  }
  const char c = Small(text.front());
  const bool alike = pattern.front() == '?' ? IsDigit(c) || (c >= 'a' && c <= 'z') || c == '_'
                                            : c == Small(pattern.front());
  return alike && Fits(rest, text.substr(1));
}

bool IsManifestInAnyLetters(std::string_view name) {
  return IsManifestName(name) || IsMisspelledName(name);
}

/// The place where the name of the manifest file may begin, by the text before.
std::optional<std::size_t> BeginningAfter(std::string_view before, std::string_view name) {
  std::size_t at = 0;
  for (const char wanted : before) {
    const std::size_t first = at;
    if (wanted == '9') {
      while (at < name.size() && IsDigit(name[at])) ++at;
    } else if (at < name.size() && name[at] == wanted) {
      ++at;
    }
    if (at == first) return std::nullopt;
  }
  return at;
}

std::optional<HeldName> HeldByPattern(const Pattern& pattern, std::string_view name) {
  const auto begin = BeginningAfter(pattern.before, name);
  if (!begin) return std::nullopt;
  const std::string_view rest = name.substr(*begin);
  // Its ending may stand in several places: the first is meant.
  for (std::size_t dot = rest.find('.'); dot != std::string_view::npos;
       dot = rest.find('.', dot + 1)) {
    for (const std::size_t size : {std::size_t{5}, std::size_t{4}}) {
      if (dot + size > rest.size()) continue;
      const std::string_view held = rest.substr(0, dot + size);
      if (!IsManifestInAnyLetters(held) || !Fits(pattern.after, rest.substr(dot + size))) continue;
      return HeldName{std::string(held), pattern.left};
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<HeldName> HeldBy(std::string_view name) {
  if (IsManifestName(name)) return std::nullopt;
  for (const Pattern& pattern : kPatterns) {
    if (auto held = HeldByPattern(pattern, name)) return held;
  }
  return std::nullopt;
}

}  // namespace bindery::manifests
