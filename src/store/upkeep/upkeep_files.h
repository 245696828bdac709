#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "core/base/expected.h"
#include "store/sqlite/lock_file.h"

namespace SQLite {  // NOLINT(readability-identifier-naming): the library's spelling
class Database;
}  // namespace SQLite

namespace bindery::store {

/// Opens a file for reading that must be a store, of whatever version: kFailedPrecondition when it
/// is something else.
[[nodiscard]] Expected<std::unique_ptr<SQLite::Database>> OpenAnyVersion(const std::string& path);

/// `PRAGMA user_version`.
[[nodiscard]] Expected<int> GetVersion(SQLite::Database& database);

/// 0 when missing.
[[nodiscard]] std::int64_t MeasureBytes(const std::string& path);

/// Takes the store's lock for upkeep: kFailedPrecondition when a daemon has it, with what to do.
[[nodiscard]] Expected<LockFile> LockForUpkeep(const std::string& store, const char* doing);

/// Root, who does the upkeep of a daemon that is somebody else, must not leave files that the
/// daemon cannot open: gives `path` to the owner of the folder it is in.
void GiveToFolderOwner(const std::string& path);

/// Gives a finished file its name, unless the name is taken by now: kAlreadyExists.
[[nodiscard]] Expected<void> MoveWithoutReplacing(const std::string& from,
                                                  const std::filesystem::path& file);

/// kAlreadyExists: `file` exists.
[[nodiscard]] tl::unexpected<Error> ExistsAlready(const std::filesystem::path& file);

}  // namespace bindery::store
