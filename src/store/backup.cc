#include <SQLiteCpp/Database.h>
#include <fcntl.h>
#include <stdio.h>  // NOLINT(modernize-deprecated-headers): renameat2 is not in std
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <tuple>

#include "sqlite/copy.h"
#include "store/upkeep.h"
#include "store/upkeep_files.h"

namespace bindery {
namespace {

namespace fs = std::filesystem;

tl::unexpected<Error> Exists(const fs::path& file) {
  return Fail(Code::kAlreadyExists,
              "\"" + file.string() + "\" exists and is not overwritten: give another name");
}

/// Gives a finished file its name, unless there is one of that name by now.
Expected<void> MoveInto(const std::string& from, const fs::path& file) {
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, file.c_str(), RENAME_NOREPLACE) == 0) return {};
  if (errno == EEXIST) return Exists(file);
  // File systems that do not know how not to replace: the name was free a moment ago.
  std::error_code failure{errno, std::generic_category()};
  if (failure == std::errc::invalid_argument || failure == std::errc::function_not_supported) {
    if (fs::exists(fs::symlink_status(file))) return Exists(file);
    fs::rename(from, file, failure);
    if (!failure) return {};
  }
  return Fail(Code::kFailedPrecondition,
              "cannot name the backup \"" + file.string() + "\": " + failure.message());
}

Expected<void> CheckPlace(const fs::path& file) {
  std::error_code failure;
  if (fs::exists(fs::symlink_status(file, failure))) return Exists(file);
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  if (!file.has_filename()) {
    return Fail(Code::kInvalidArgument, "\"" + file.string() + "\" is not the name of a file");
  }
  if (fs::is_directory(folder, failure)) return {};
  return Fail(Code::kNotFound, "there is no folder \"" + folder.string() + "\" for the backup");
}

}  // namespace

Expected<StoreCopy> BackUpStore(const fs::path& store, const fs::path& file) {
  if (auto free = CheckPlace(file); !free) return Fail(free.error());
  auto from = store::OpenAnyVersion(store.string());
  if (!from) return Fail(from.error());
  const auto version = store::VersionOf(**from);
  if (!version) return Fail(version.error());
  // Under its own name it appears only when it is whole.
  const std::string partial = file.string() + ".partial-" + std::to_string(::getpid());
  if (auto copied = sqlite::CopyDatabase(**from, partial); !copied) return Fail(copied.error());
  StoreCopy copy = {store::SizeOf(partial), *version};
  if (auto named = MoveInto(partial, file); !named) {
    ::unlink(partial.c_str());
    return Fail(named.error());
  }
  sqlite::SyncFolder(file.parent_path().string());
  return copy;
}

}  // namespace bindery
