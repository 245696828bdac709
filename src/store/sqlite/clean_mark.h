#pragma once

#include <string>

namespace bindery::store {

// Whether the daemon before ended in good order, so that the file need not be checked at the start.
// The mark is a file beside the database (`<path>.clean`) that says how it was left: size, inode
// and times, and what was recorded in it. A file that was copied back, cut off or written to by
// anyone else since is not as it was left, and is checked.

/// Leaves the mark, once the database is closed; that takes some milliseconds where the database
/// was written just now. Leaves none while a -wal file waits. A failure is no error: the next start
/// then checks. `content`: one line that differs between any two states of the store.
void LeaveCleanMark(const std::string& path, const std::string& content);

/// How the database was left.
struct CleanMark {
  bool as_left = false;  ///< The file is the one that was left, and was not touched since.
  std::string content;   ///< As LeaveCleanMark was given it; empty when that is not known.
};

/// Takes the mark away. After a crash there is none.
[[nodiscard]] CleanMark TakeCleanMark(const std::string& path);

}  // namespace bindery::store
