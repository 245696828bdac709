#pragma once

#include <array>
#include <string>
#include <string_view>

namespace bindery::manifests {

/// True for names that are never looked at, of files and folders: hidden ones, those editors and
/// tools give to what is not yet or no longer the file (`x~`, `#x#`, `.x.swp`, `x.tmp`, vim's
/// `4913`), and `lost+found`, which every file system of its own has and only root may read.
[[nodiscard]] bool IsIgnoredName(std::string_view name);

/// True for names of manifest files, with any letters in capitals, but for dots before them.
[[nodiscard]] bool IsHiddenManifestName(std::string_view name);

/// The folders of Mercurial, Sapling, Breezy and Subversion in the root of a work tree.
inline constexpr std::array<std::string_view, 4> kOtherRepositories = {".hg", ".sl", ".bzr",
                                                                       ".svn"};

/// True for the folder of a version control system in the root of its work tree.
[[nodiscard]] bool IsRepositoryName(std::string_view name);

/// True for ignored names that may hide a folder of manifests: not for a repository, nor those of
/// ConfigMap volumes (`..data` and the folders with a time for a name).
[[nodiscard]] bool IsHiddenFolderName(std::string_view name);

/// True for names a manifest file would bear but for capitals in its ending: `a.YAML`.
[[nodiscard]] bool IsMisspelledName(std::string_view name);

/// True for names a manifest file bears: ending in .yaml, .yml or .json, and not ignored.
[[nodiscard]] bool IsManifestName(std::string_view name);

/// True when the name can be shown, logged and put into JSON as it is: UTF-8 without control
/// characters.
[[nodiscard]] bool IsSafeName(std::string_view name);

/// The name with `\xNN` for every byte that is not printable ASCII: for names that are not safe.
[[nodiscard]] std::string EscapedName(std::string_view name);

/// "folder/name", or "name" when the folder is "".
[[nodiscard]] std::string PathIn(std::string_view folder, std::string_view name);

/// The real path of an open file or folder, however it was reached; "" when /proc does not tell.
[[nodiscard]] std::string GetRealPath(int fd);

/// The target of the link `name` in the folder `fd`; "" when `name` is no link.
[[nodiscard]] std::string LinkText(int fd, const char* name);

/// The link that a ConfigMap volume exchanges to change all files atomically.
inline constexpr std::string_view kDataLink = "..data";

}  // namespace bindery::manifests
