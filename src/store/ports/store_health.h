#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "core/base/error.h"
#include "core/base/expected.h"

namespace bindery::store {

struct StoreCounts {
  std::int64_t revisions = 0;
  std::int64_t policies = 0;
  std::int64_t events = 0;
  std::int64_t drift = 0;
};

/// Why an open store may not keep new data.
struct StoreFault {
  Error error;
  bool lost = false;   ///< What is open is not what another start would open: open it again.
  bool gone = false;   ///< Another start would find none: PutBack() helps.
  bool older = false;  ///< What another start would open may be an older state of it.
};

/// The store for its watchers: the daemon's metrics, and the thread that checks the
/// files.
///
/// Threads: any. Examine() and PutBack() block as long as what they look at does, and readers wait
/// for PutBack().
class StoreHealth {
 public:
  virtual ~StoreHealth() = default;

  /// Where the store that was found damaged when this one was opened was put, for people to read;
  /// empty when none was.
  [[nodiscard]] virtual std::string recovered_from() const = 0;

  /// Whether the opening found a different store than the last run left: the store may be an older
  /// state.
  [[nodiscard]] virtual bool replaced() const = 0;

  /// `observer` is called on the writer's thread after each commit, before the changes in it are
  /// told to be done; empty: none is called any more.
  using CommitObserver = std::function<void(std::chrono::nanoseconds, std::size_t changes)>;
  virtual void OnCommit(CommitObserver observer) = 0;

  /// Looks whether what is open is still what another start would open, and takes writes; nothing
  /// when it is. What is committed elsewhere is told as failed (kUnavailable). The right to be the
  /// only writer is taken again when it was lost. With `try_write` a transaction that changes
  /// nothing is committed too.
  virtual std::optional<StoreFault> Examine(bool try_write) = 0;

  /// After StoreFault::gone: copies the open data back to the path where a start looks. False when
  /// a file exists at the path.
  virtual Expected<bool> PutBack() = 0;

  [[nodiscard]] virtual Expected<StoreCounts> Counts() const = 0;
};

}  // namespace bindery::store
