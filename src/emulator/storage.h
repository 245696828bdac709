#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "emulator/seed.h"

namespace SQLite {  // NOLINT(readability-identifier-naming): the library's own name
class Database;
}  // namespace SQLite

namespace bindery::emulator {

/// The cloud's own SQLite file: its whole content, as entries. Finished writes survive the death of
/// the process. One thread at a time.
class Storage {
 public:
  /// `path` may be ":memory:".
  [[nodiscard]] static Expected<std::unique_ptr<Storage>> Open(const std::string& path);
  ~Storage();
  Storage(const Storage&) = delete;
  Storage& operator=(const Storage&) = delete;

  /// All entries, in the order they were first written.
  [[nodiscard]] Expected<std::vector<Entry>> Load();
  /// Writes missing entries, in one transaction.
  [[nodiscard]] Expected<void> Insert(const std::vector<Entry>& entries);
  /// Writes these entries and deletes all others, in one transaction.
  [[nodiscard]] Expected<void> Replace(const std::vector<Entry>& entries);
  /// Writes one entry, new or not.
  [[nodiscard]] Expected<void> Put(const Entry& entry);

 private:
  explicit Storage(std::unique_ptr<SQLite::Database> database);

  struct Statements;
  std::unique_ptr<SQLite::Database> database_;
  std::unique_ptr<Statements> statements_;
};

}  // namespace bindery::emulator
