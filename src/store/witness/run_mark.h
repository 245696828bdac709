#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "store/sql/connection.h"
#include "store/witness/witness.h"

namespace bindery::store {

/// The run that writes to the store: how many of its transactions were committed. A store with
/// fewer of them was put back to an older state. Any thread.
class RunMark {
 public:
  RunMark(std::string run, std::int64_t number, std::string database)
      : run_(std::move(run)), number_(number), database_(std::move(database)) {}

  [[nodiscard]] const std::string& run() const { return run_; }
  [[nodiscard]] std::int64_t writes() const { return writes_; }
  [[nodiscard]] StoreMark Now(bool last = false) const {
    return {run_, number_, writes_, database_, last};
  }

  /// A further write is durable.
  void NoteCommit() { ++writes_; }

  /// The store was found to be an older state, or not to know the run: that remains so.
  void NoteOlder() { older_ = true; }
  [[nodiscard]] bool older() const { return older_; }

  /// As a condition of SQL: the database holds all that was committed.
  [[nodiscard]] std::string InPlace() const {
    return "EXISTS (SELECT 1 FROM runs WHERE id = '" + run_ +
           "' AND writes >= " + std::to_string(writes_) + ")";
  }

 private:
  const std::string run_;
  const std::int64_t number_;
  const std::string database_;
  std::atomic<std::int64_t> writes_ = 0;
  std::atomic<bool> older_ = false;
};

inline constexpr const char* kPutBack =
    "the store was put back to an older state while it was open, or has another content";

/// How a run found the store.
struct BegunRun {
  std::string run;
  std::int64_t number = 0;
  /// The store is, or may be, older than the last known state. The question of the evidence then
  /// comes before any removal.
  bool older = false;
};

/// Puts a new run on record, in a separate transaction; `seen`: what a witness saw last, of
/// `database` now (as StoreMark::database). `replaced`: it may be older, as is known otherwise.
/// Throws EngineError.
[[nodiscard]] BegunRun BeginRun(Connection& connection, const std::optional<StoreMark>& seen,
                                const std::string& database, bool replaced);

/// How many writes of the run the store holds; nothing: it does not know the run. Within a
/// transaction; throws EngineError.
[[nodiscard]] std::optional<std::int64_t> GetWrites(Connection& connection, const std::string& run);

}  // namespace bindery::store
