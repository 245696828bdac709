#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace bindery {

// Files that are written and read whole. Any thread; no function follows what another process does
// to the same file meanwhile.

/// Writes all of `text`, also where the system takes it in parts. False: errno says why not.
[[nodiscard]] bool WriteAll(int fd, std::string_view text);

/// The next `size` bytes; fewer where the file ends sooner. Nothing: errno says why not.
[[nodiscard]] std::optional<std::string> ReadAll(int fd, std::size_t size);

/// Brings to disk which files a folder holds, where its file system can do so. Empty: the current
/// folder.
void SyncFolder(const std::string& folder);

/// Gives a finished file the name `to`, atomically and in the place of what has that name, and
/// brings the name to disk. Both names are on one file system. False: errno says why not, and
/// `from` is still there.
[[nodiscard]] bool MoveIntoPlace(const std::string& from, const std::string& to);

/// Writes a file of this program's own (OpenPrivateFile()) under `path` with ".new" after it, and
/// moves it into place: a reader of `path` finds all of the text before or all of `text`.
/// `to_disk`: so it is after a power failure, too. False: errno says why not, for
/// PrivateFileFailure(), and `path` is as it was.
[[nodiscard]] bool ReplacePrivateFile(const std::string& path, std::string_view text, bool to_disk);

}  // namespace bindery
