#pragma once

#include <string>

namespace bindery::store {

// Whether the daemon before ended in good order, so that the file need not be checked at the start.
// The mark is a file beside the database (`<path>.clean`) that says how it was left: size, inode
// and times. A file that was copied back, cut off or written to by anyone else since is not as it
// was left, and is checked.

/// Leaves the mark, once the database is closed; that takes some milliseconds where the database
/// was written just now. Leaves none while a -wal file waits. A failure is no error: the next start
/// then checks.
void LeaveCleanMark(const std::string& path);

/// Takes the mark away; true when there was one and the database is as it was left. After a crash
/// there is none.
[[nodiscard]] bool TakeCleanMark(const std::string& path);

}  // namespace bindery::store
