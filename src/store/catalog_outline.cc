#include "store/catalog_outline.h"

#include <cstdint>
#include <memory>
#include <utility>

#include "store/postgres/postgres_engine.h"
#include "store/sql/connection.h"
#include "store/sql/engine_error.h"
#include "store/sql/words.h"
#include "store/sqlite/opening.h"

namespace bindery::store {
namespace {

Expected<std::unique_ptr<Connection>> OpenReader(const StoreLocation& location) {
  if (location.InDatabase()) {
    return store::PostgresEngine(location.database, nullptr).OpenReader();
  }
  auto reader = OpenForReading(location.file);
  if (!reader) return Fail(reader.error());
  return std::unique_ptr<Connection>(std::move(*reader));
}

template <typename Read>
auto ReadFrom(const StoreLocation& location, const char* doing, const Read& read)
    -> Expected<decltype(read(std::declval<Connection&>()))> {
  const auto connection = OpenReader(location);
  if (!connection) return Fail(connection.error());
  return store::Attempt(doing, [&] {
    const ReadTransaction transaction(**connection);
    return read(**connection);
  });
}

}  // namespace

Expected<std::vector<std::string>> ResourcesDeclaredIn(const StoreLocation& location,
                                                       const std::set<std::string>& files) {
  return ReadFrom(location, "read resources", [&](Connection& connection) {
    std::vector<std::int64_t> ids;
    {
      WordReader words(connection);
      Query query(connection, "SELECT id, source_file FROM resources");
      while (query.Next()) {
        if (files.contains(words.Text(query, 1))) ids.push_back(query.Int(0));
      }
    }
    std::vector<std::string> names;
    for (const std::int64_t id : ids) {
      Query query(connection, "SELECT name FROM names WHERE id = ?1", id);
      if (query.Next()) names.push_back(query.Text(0));
    }
    return names;
  });
}

Expected<bool> NamesProjectsByNumber(const StoreLocation& location) {
  return ReadFrom(location, "read targets", [](Connection& connection) {
    Query query(connection,
                "SELECT 1 FROM names n JOIN target_keys k ON k.name = n.id "
                "WHERE n.name >= 'projects/0' AND n.name < 'projects/:' LIMIT 1");
    return query.Next();
  });
}

Expected<WallTime> LastObservation(const StoreLocation& location) {
  return ReadFrom(location, "read targets", [](Connection& connection) {
    Query query(connection,
                "SELECT max(observed_at) FROM observations o JOIN targets t "
                "ON t.target_id = o.target_id WHERE observed = 1");
    return query.Next() && !query.IsNull(0) ? query.Time(0) : WallTime();
  });
}

}  // namespace bindery::store
