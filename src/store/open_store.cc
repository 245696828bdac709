#include "store/open_store.h"

#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "store/postgres/lease.h"
#include "store/postgres/postgres_connection.h"
#include "store/postgres/postgres_engine.h"
#include "store/postgres/postgres_ground.h"
#include "store/postgres/postgres_link.h"
#include "store/postgres/postgres_opening.h"
#include "store/sql/engine_error.h"
#include "store/sql_store.h"
#include "store/sqlite/opening.h"
#include "store/sqlite/sqlite_engine.h"
#include "store/witness/run_mark.h"
#include "store/witness/witness.h"
#include "store/witness/witnessed_run.h"

namespace bindery::store {
namespace {

Expected<std::unique_ptr<Store>> OpenFileReadOnly(const std::filesystem::path& path,
                                                  const Clock& clock) {
  auto engine = std::make_unique<SqliteEngine>(path);
  auto reader = engine->OpenReader();
  if (!reader) return Fail(reader.error());
  return std::make_unique<SqlStore>(std::move(engine), nullptr, std::move(*reader), clock);
}

/// The run of the program in a store opened for writing.
struct Begun {
  std::shared_ptr<RunMark> run;
  bool older = false;
};

Expected<Begun> Begin(Connection& writer, StoreWitness& witness, const std::string& database,
                      bool replaced) {
  return store::Attempt("begin a run", [&] {
    const BegunRun begun = BeginRun(writer, witness.seen(), database, replaced);
    auto run = std::make_shared<RunMark>(begun.run, begun.number, database);
    witness.Keep(run->Now());
    return Begun{std::move(run), begun.older};
  });
}

std::shared_ptr<StoreWitness> MakeWitness(const StoreSharing& sharing) {
  return sharing.witness != nullptr ? sharing.witness : std::make_shared<StoreWitness>();
}

Expected<std::unique_ptr<Store>> OpenFile(const std::filesystem::path& path, const Clock& clock,
                                          const StoreSharing& sharing) {
  auto lock = LockFile::Take(path.string(), "stop it first, or give this one another store");
  if (!lock) return Fail(lock.error());
  auto opened = OpenForWriting(path, clock);
  if (!opened) return Fail(opened.error());
  if (auto locked = lock->LockDatabase(); !locked) return Fail(locked.error());
  const auto witness = MakeWitness(sharing);
  auto begun = Begin(*opened->connection, *witness, /*database=*/"", opened->replaced);
  if (!begun) return Fail(begun.error());
  opened->connection->CountFor(begun->run);
  SqliteEngine::Found found{std::move(opened->recovered_from), begun->older};
  auto engine = std::make_unique<SqliteEngine>(path, std::move(*lock), std::move(found),
                                               store::WitnessedRun(begun->run, witness));
  auto reader = engine->OpenReader();
  if (!reader) return Fail(reader.error());
  return std::make_unique<SqlStore>(std::move(engine), std::move(opened->connection),
                                    std::move(*reader), clock);
}

/// Also for an unreachable database: a later read then reaches the database.
std::unique_ptr<Store> ReaderOfDatabase(const std::string& url, const Clock& clock) {
  return std::make_unique<SqlStore>(std::make_unique<PostgresEngine>(url, nullptr), nullptr,
                                    std::make_unique<PostgresConnection>(url), clock);
}

Expected<std::unique_ptr<Store>> OpenDatabaseReadOnly(const std::string& url, const Clock& clock) {
  auto link = PostgresLink::Connect(url);
  if (!link) return Fail(link.error());
  if (auto known = RequirePostgresStore(**link); !known) return Fail(known.error());
  return ReaderOfDatabase(url, clock);
}

Expected<std::unique_ptr<Store>> OpenDatabase(const std::string& url, const Clock& clock,
                                              const StoreSharing& sharing) {
  auto lease = Lease::Take(url, sharing);
  if (!lease) return Fail(lease.error());
  auto link = PostgresLink::Connect(url);
  // Connections may be few for a while.
  while (!link && link.error().code == Code::kUnavailable && (*lease)->holds() && sharing.waiting &&
         sharing.waiting(nullptr, link.error().message)) {
    std::this_thread::sleep_for(sharing.times.poll);
    link = PostgresLink::Connect(url);
  }
  if (!link) return Fail(link.error());
  if (auto whole = RequirePostgresStore(**link); !whole) return Fail(whole.error());
  auto engine = std::make_unique<PostgresEngine>(url, std::move(*lease));
  std::string database;
  auto known = store::Attempt("read the store", [&] { database = WitnessedDatabase(**link); });
  if (!known) return Fail(known.error());
  const auto witness = MakeWitness(sharing);
  auto begun = Begin(*engine->OpenWriter(), *witness, database, /*replaced=*/false);
  if (!begun) return Fail(begun.error());
  engine->Begin(store::WitnessedRun(begun->run, witness), begun->older);
  auto writer = engine->OpenWriter();
  auto reader = engine->OpenReader();
  if (!reader) return Fail(reader.error());
  return std::make_unique<SqlStore>(std::move(engine), std::move(writer), std::move(*reader),
                                    clock);
}

}  // namespace

Expected<std::unique_ptr<Store>> OpenStore(const StoreLocation& location, StoreAccess access,
                                           const Clock& clock, const StoreSharing& sharing) {
  const bool read_only = access != StoreAccess::kReadWrite;
  if (location.InDatabase()) {
    if (access == StoreAccess::kReadOnlyLater) return ReaderOfDatabase(location.database, clock);
    return read_only ? OpenDatabaseReadOnly(location.database, clock)
                     : OpenDatabase(location.database, clock, sharing);
  }
  return read_only ? OpenFileReadOnly(location.file, clock)
                   : OpenFile(location.file, clock, sharing);
}

}  // namespace bindery::store
