#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "core/base/expected.h"
#include "core/base/mutex.h"

namespace bindery::store {

/// A point in the history of a store: a number of writes of one of its runs. A store whose table
/// `runs` counts fewer writes of the run, or does not know the run, is older than the point or has
/// a different history.
struct StoreMark {
  std::string run;            ///< Random.
  std::int64_t number = 0;    ///< Of the run: counts up within one store.
  std::int64_t writes = 0;    ///< Transactions that the run has committed.
  std::string database = {};  ///< The tables of a server, as WitnessedDatabase(); empty: a file.
  bool last = false;          ///< The run wrote nothing afterwards.
  bool operator==(const StoreMark&) const = default;
};

/// What was last seen of a store, kept outside of it: in memory and, for the next start, in a file
/// that is not put back together with the store. Without a file nothing is known at a start, which
/// proves nothing. Any thread.
class StoreWitness {
 public:
  /// Reads `file`. One that is missing, or is no witness, is as none; an empty path is memory
  /// only.
  explicit StoreWitness(std::filesystem::path file = {});

  [[nodiscard]] std::optional<StoreMark> seen() const;

  /// A run began or ended: kept in the file at once, and brought to disk.
  void Keep(const StoreMark& mark);

  /// The run went on, and what it wrote is durable. In the file at most once a second; with
  /// `settled`, as nothing else is under way, at once.
  void Note(const StoreMark& mark, bool settled);

  /// A second replica has the store, at `mark`: kept in memory, unless the mark is older than the
  /// known mark.
  void Follow(const StoreMark& mark);

  /// Why the file could not be written last; nothing: it could, or there is none.
  [[nodiscard]] std::optional<Error> failure() const;
  [[nodiscard]] const std::filesystem::path& file() const { return file_; }

 private:
  void Save(bool to_disk) REQUIRES(mutex_);

  const std::filesystem::path file_;
  mutable Mutex mutex_;
  std::optional<StoreMark> seen_ GUARDED_BY(mutex_);
  std::optional<StoreMark> saved_ GUARDED_BY(mutex_);
  std::chrono::steady_clock::time_point tried_ GUARDED_BY(mutex_);
  std::optional<Error> failure_ GUARDED_BY(mutex_);
};

}  // namespace bindery::store
