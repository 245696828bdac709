#include <SQLiteCpp/Database.h>
#include <unistd.h>

#include <system_error>

#include "core/base/whole_file.h"
#include "sqlite/copy.h"
#include "store/upkeep/upkeep.h"
#include "store/upkeep/upkeep_files.h"

namespace bindery::store {
namespace {

namespace fs = std::filesystem;

Expected<void> CheckPlace(const fs::path& file) {
  std::error_code failure;
  if (fs::exists(fs::symlink_status(file, failure))) return ExistsAlready(file);
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
  auto from = OpenAnyVersion(store.string());
  if (!from) return Fail(from.error());
  const auto version = GetVersion(**from);
  if (!version) return Fail(version.error());
  // The final name appears only when the file is whole.
  const std::string partial = file.string() + ".partial-" + std::to_string(::getpid());
  if (auto copied = sqlite::CopyDatabase(**from, partial); !copied) return Fail(copied.error());
  StoreCopy copy = {MeasureBytes(partial), *version};
  if (auto named = MoveWithoutReplacing(partial, file); !named) {
    ::unlink(partial.c_str());
    return Fail(named.error());
  }
  SyncFolder(file.parent_path().string());
  return copy;
}

}  // namespace bindery::store
