#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>

#include "app/observe/run_telemetry.h"
#include "app/process/witness_file.h"
#include "app/run/store_watch.h"
#include "server/requests/change_signal.h"
#include "store/ports/store.h"
#include "store/witness/witness.h"

namespace bindery::app {

/// The store of the daemon: reports its commits, and its loss.
///
/// Invariant: a lost store stays lost; only a restart opens the store again.
class OpenedStore {
 public:
  /// `run` must outlive the object; `store` and its `witness` must not be null.
  OpenedStore(std::unique_ptr<store::Store> store, RunTelemetry& run,
              std::shared_ptr<const store::StoreWitness> witness);

  [[nodiscard]] store::Store& get() const { return *store_; }
  /// Raised at each commit.
  [[nodiscard]] server::ChangeSignal& changes() { return changes_; }

  /// `wake` is called after each commit as well; `reopenings`: how often it was lost before.
  void TellOfCommits(std::function<void()> wake, std::size_t reopenings);

  /// `lost` is called on the watch's thread, once. `look`: on a separate thread, periodically.
  void Watch(std::function<void(const store::StoreFault&)> lost, bool look);
  /// As StoreWatch::LookAtWatch.
  void LookAtWatch() { watch_->LookAtWatch(); }

  /// On the loop's thread: the store is lost.
  void Lose(const store::StoreFault& fault) { lost_ = fault; }
  [[nodiscard]] const std::optional<store::StoreFault>& lost() const { return lost_; }

  /// Ends the watch, and puts a lost store back at `path` if it is gone from there.
  void Close(const std::filesystem::path& path);

 private:
  RunTelemetry& run_;
  server::ChangeSignal changes_;
  const std::unique_ptr<store::Store> store_;
  WitnessWatch witness_;
  std::optional<store::StoreFault> lost_;  ///< The loop's thread's, while it runs.
  std::unique_ptr<StoreWatch> watch_;
};

}  // namespace bindery::app
