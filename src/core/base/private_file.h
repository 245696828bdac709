#pragma once

#include <string>

namespace bindery {

/// Opens a file of the program's own, such as the store, its lock file or a report, with `flags` of
/// open(2), and makes the file if `flags` say so: with `mode`, less the umask.
///
/// A link at the end of the path is not followed: a user with write access to the folder could name
/// any file by the link. Further users lose the right to use an existing file. -1: errno has the
/// cause. Any thread.
[[nodiscard]] int OpenPrivateFile(const std::string& path, int flags, unsigned mode = 0600);

/// "it is a link: …" for people, from the errno of OpenPrivateFile().
[[nodiscard]] std::string PrivateFileFailure(int error);

}  // namespace bindery
