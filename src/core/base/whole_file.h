#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace bindery {

// Files written and read whole. Any thread; no function follows what another process does
// to the same file meanwhile.

/// Writes all of `text`, also where the system takes the text in parts. False: errno says why not.
[[nodiscard]] bool WriteAll(int fd, std::string_view text);

/// The next `size` bytes; fewer where the file ends sooner. Nothing: errno says why not.
[[nodiscard]] std::optional<std::string> ReadAll(int fd, std::size_t size);

/// Brings the names in a folder to disk, where the file system can do so. Empty: the current
/// folder.
void SyncFolder(const std::string& folder);

/// Gives a finished file the name `to`, atomically and in the place of an older file `to`, and
/// brings the name to disk. Both names are on one file system. False: errno says why not, and
/// `from` still exists.
[[nodiscard]] bool MoveIntoPlace(const std::string& from, const std::string& to);

/// Writes a file of this program's own (OpenPrivateFile()) under `path` with ".new" after the name,
/// and moves the file into place: a reader of `path` finds all of the text before or all of `text`.
/// `to_disk`: the same holds after a power failure. False: errno says why not, for
/// PrivateFileFailure(), and `path` is unchanged.
[[nodiscard]] bool ReplacePrivateFile(const std::string& path, std::string_view text, bool to_disk);

}  // namespace bindery
