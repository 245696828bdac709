#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "sqlite/database.h"

namespace bindery::sqlite {

/// Copies a database, as one state of it, into a new file of mode 0600 that needs no -wal file
/// beside it, reads the copy through, and brings it to disk. Does not block writers of
/// `from`. kAlreadyExists when there is something at `path`; kResourceExhausted when the
/// disk is full; kInternal "…is damaged…" when the copy is not sound. Leaves nothing behind when it
/// fails.
[[nodiscard]] Expected<void> CopyDatabase(SQLite::Database& from, const std::string& path);

/// The same of the database at `from`, which is only read. kNotFound when it is missing.
[[nodiscard]] Expected<void> CopyFile(const std::string& from, const std::string& path);

/// Everything that is wrong with the pages, indexes and constraints of a database, at most `most`
/// findings. Reads it all, some seconds a GiB.
[[nodiscard]] Expected<std::vector<std::string>> IntegrityFindings(SQLite::Database& database,
                                                                   std::size_t most);

}  // namespace bindery::sqlite
