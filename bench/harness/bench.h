#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "harness/cloud.h"
#include "harness/daemon.h"
#include "harness/directory.h"
#include "harness/files.h"
#include "harness/results.h"

namespace bindery::bench {

/// What a workload is run with, and where its results go.
class Bench {
 public:
  struct Options {
    std::size_t runs = 5;
    std::size_t targets = 10'000;  ///< Of the workloads that let them be chosen.
    bool full = false;             ///< The sizes that take minutes too.
    std::string bindery;           ///< The program under test.
    std::string emulator;          ///< The program that serves as the cloud.
    std::string floors;            ///< The folder of the bare programs.
    std::string peers;             ///< The folder of the other tools' scripts.
    std::string profiles;          ///< A folder for perf's recordings of the daemon; empty: none.
  };

  explicit Bench(Options options) : options_(std::move(options)) {}

  [[nodiscard]] const Options& options() const { return options_; }
  [[nodiscard]] Results& results() { return results_; }
  void BeginWorkload(const std::string& name) { workload_ = name; }

  void Add(Figure figure);
  void Add(Growth growth);
  void Add(Slope slope);
  void Add(PeerRun run);
  /// Tells who waits what is going on, on stderr.
  void Say(const std::string& text) const;

  /// Runs a bare program; its result.
  [[nodiscard]] Json Floor(const std::string& name, std::vector<std::string> arguments) const;
  /// The bare client's reads of all targets of `shape`.
  [[nodiscard]] Json BareReads(const Cloud& cloud, std::size_t count,
                               std::size_t concurrency) const;

  /// Runs both in turns, ABAB, `runs` times.
  void InTurns(const std::function<void()>& measured, const std::function<void()>& floor) const;

 private:
  Options options_;
  Results results_;
  std::string workload_;
};

/// A folder of manifests, a cloud that has their targets, and a daemon that is not started yet.
struct Scene {
  Scene(const Bench& bench, const Shape& shape, DaemonSettings settings = {});

  TempFolder folder;
  Cloud cloud;
  Daemon daemon;
  DaemonSettings settings;               ///< As configured.
  std::vector<std::string> one_of_each;  ///< A binding of each target, to have all checked.

  /// One pass over all targets, now.
  void CheckAll() const { daemon.Check(one_of_each); }
  [[nodiscard]] std::string manifests() const { return folder / "m"; }
};

/// A workload by its name.
struct Workload {
  const char* name;
  const char* summary;
  void (*run)(Bench& bench);
};

}  // namespace bindery::bench
