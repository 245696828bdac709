#include "app/check/store_preflight.h"

#include <unistd.h>

#include <filesystem>
#include <optional>
#include <string>
#include <utility>

#include "sqlite/database.h"
#include "store/open_store.h"

namespace bindery::app {
namespace {

constexpr const char* kBeTheDaemon = "run as the user the daemon runs as, or let that user ";

report::PreflightCheck Failed(const StoreLocation& store, std::string message, std::string action) {
  return {"store", store.Shown(), report::CheckState::kFailed, std::move(message),
          std::move(action)};
}

/// The first existing folder on the way to `path`.
std::filesystem::path ExistingParent(std::filesystem::path path) {
  std::error_code ignored;
  while (path.has_relative_path() && !std::filesystem::exists(path, ignored)) {
    path = path.parent_path();
  }
  return path;
}

std::string ActionForStoreError(const Error& error) {
  if (sqlite::SaysDamaged(error)) {
    return "see what is lost with bindery store check, and bring a backup back with bindery store "
           "restore; moving the file away is the last resort: history and the policies kept for a "
           "rollback are lost with it";
  }
  if (sqlite::SaysOtherTables(error)) {
    return "use the version of bindery that made it, or bring a backup of this version back with "
           "bindery store restore; moving the file away is the last resort: history and the "
           "policies "
           "kept for a rollback are lost with it";
  }
  switch (error.code) {
    case Code::kPermissionDenied:
      return std::string(kBeTheDaemon) + "read and write it, and the folder it is in";
    case Code::kUnavailable:
      return "try again; if that goes on, look at the disk it is on";
    case Code::kResourceExhausted:
      return "make room on the disk it is on";
    default:
      return "correct store.url: what is there is no store of bindery";
  }
}

std::string ActionForDatabase(const Error& error) {
  switch (error.code) {
    case Code::kPermissionDenied:
      return "correct the user or the password (in a passfile), or what the server allows the user "
             "(pg_hba.conf, GRANT)";
    case Code::kNotFound:
      return "make the database: createdb";
    case Code::kInvalidArgument:
      return "correct store.url";
    case Code::kFailedPrecondition:
      return "do what the message says";
    default:
      return "see whether the server runs, takes connections from here, and takes writes";
  }
}

/// Whether the daemon could write the file, or make it.
std::optional<report::PreflightCheck> ProblemOfFile(const StoreLocation& store, bool there) {
  const std::filesystem::path& file = store.file;
  const std::filesystem::path folder = ExistingParent(there ? file.parent_path() : file);
  if (::access(folder.c_str(), W_OK | X_OK) != 0) {
    return Failed(store, "the folder \"" + folder.string() + "\" cannot be written",
                  std::string(kBeTheDaemon) + "write there");
  }
  if (there && ::access(file.c_str(), W_OK) != 0) {
    return Failed(store, "cannot be written", std::string(kBeTheDaemon) + "write it");
  }
  return std::nullopt;
}

}  // namespace

report::PreflightCheck StoreProblem(const StoreLocation& store, const Error& error) {
  return Failed(store, ToString(error),
                store.InDatabase() ? ActionForDatabase(error) : ActionForStoreError(error));
}

report::PreflightCheck PreflightOfStore(const StoreLocation& store) {
  const SystemClock clock;
  const auto opened = store::OpenStore(store, store::StoreAccess::kReadOnly, clock);
  if (!opened && opened.error().code != Code::kNotFound) return StoreProblem(store, opened.error());
  if (!store.InDatabase()) {
    if (auto problem = ProblemOfFile(store, opened.has_value())) return *std::move(problem);
  }
  return {"store", store.Shown(), report::CheckState::kOk,
          opened ? "can be read" : "is not there yet and will be made", ""};
}

}  // namespace bindery::app
