#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "core/error.h"
#include "core/expected.h"

namespace bindery {

struct StoreCounts {
  std::int64_t revisions = 0;
  std::int64_t policies = 0;
  std::int64_t events = 0;
  std::int64_t drift = 0;
};

/// Why an open store may not keep what it is given.
struct StoreFault {
  Error error;
  bool lost = false;   ///< What is open is not what another start would open: open it again.
  bool gone = false;   ///< Another start would find none: PutBack() helps.
  bool older = false;  ///< What another start would open may be an older state of it.
};

/// The store as a thing that is watched: by the daemon, which measures it, and by the thread that
/// looks whether it is still there.
///
/// Threads: any. Examine() and PutBack() block as long as what they look at does, and readers wait
/// for PutBack().
class StoreHealth {
 public:
  virtual ~StoreHealth() = default;

  /// Where the store that was found damaged when this one was opened was put, for people to read;
  /// empty when none was.
  [[nodiscard]] virtual std::string recovered_from() const = 0;

  /// Whether another store than the one that the last run left was found when this one was opened:
  /// it may be an older state of it.
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

  /// After StoreFault::gone: copies what is open back to where a start looks for it. False when
  /// something is there.
  virtual Expected<bool> PutBack() = 0;

  [[nodiscard]] virtual Expected<StoreCounts> Counts() const = 0;
};

}  // namespace bindery
