#include "store/open_store.h"

#include "store/opening.h"
#include "store/sqlite_store.h"

namespace bindery {
namespace {

Expected<std::unique_ptr<Store>> OpenReadOnly(const std::filesystem::path& path,
                                              const Clock& clock) {
  auto reader = store::OpenForReading(path);
  if (!reader) return Fail(reader.error());
  return std::make_unique<store::SqliteStore>(path, std::move(*reader), clock);
}

}  // namespace

Expected<std::unique_ptr<Store>> OpenStore(const std::filesystem::path& path, StoreAccess access,
                                           const Clock& clock) {
  if (access == StoreAccess::kReadOnly) return OpenReadOnly(path, clock);

  auto lock = store::LockFile::Take(path.string(), "stop it first, or give this one another store");
  if (!lock) return Fail(lock.error());
  auto opened = store::OpenForWriting(path, clock);
  if (!opened) return Fail(opened.error());
  auto reader = store::OpenForReading(path);
  if (!reader) return Fail(reader.error());
  return std::make_unique<store::SqliteStore>(
      path, std::move(*lock), std::move(opened->recovered_from), std::move(opened->connection),
      std::move(*reader), clock);
}

}  // namespace bindery
