#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/base/json.h"
#include "harness/child_process.h"

namespace bindery::bench {

/// What of the configuration the workloads vary.
struct DaemonSettings {
  std::string cloud_url;
  std::string store_url = "sqlite:state/bindery.db";
  std::string manifests = "m";
  std::string probe_url;  ///< Of the service that serves the probes; empty: the same.
  std::string interval = "24h";
  std::string exact_interval = "0s";
  std::size_t concurrency = 32;
  std::size_t full_read_every = 10;
  bool share_checks = false;
  std::string debounce = "200ms";
  std::string settle = "10s";
  std::string rescan_interval = "30s";
  std::string endpoints = {};  ///< Further lines of the provider's endpoints.
  std::string extra = {};      ///< Further top-level lines of the configuration.
};

/// The real program in `folder`: manifests in m/, store in state/, log in daemon.err.
class Daemon {
 public:
  /// `profiles`: a folder for perf's recordings of each daemon; empty for none.
  Daemon(std::string program, std::string folder, std::string profiles)
      : program_(std::move(program)), folder_(std::move(folder)), profiles_(std::move(profiles)) {}

  void Configure(const DaemonSettings& settings) const;
  /// `run` as a process, which goes on.
  void Start();
  /// False once it ended by itself.
  [[nodiscard]] bool Running() { return process_->Running(); }
  /// What it said since Start().
  [[nodiscard]] std::string Log() const;
  /// Waits until its log says `text`.
  void AwaitLog(const std::string& text);
  /// The seconds since Start().
  [[nodiscard]] double SinceStart() const;
  /// Ends it in order and waits.
  void Stop();
  /// Ends it at once.
  void Kill();
  /// `run --once`: one full pass; throws unless it ends in one of sync (0).
  [[nodiscard]] Finished RunOnce() const;

  [[nodiscard]] const ChildProcess& process() const { return *process_; }
  [[nodiscard]] std::string Socket() const { return folder_ + "/state/bindery.sock"; }
  [[nodiscard]] std::string Store() const { return folder_ + "/state/bindery.db"; }
  /// Store and write-ahead log together.
  [[nodiscard]] double StoreBytes() const;
  void RemoveState() const;

  /// Has the targets of these resources checked at once; waits until all is done and recorded.
  void Check(const std::vector<std::string>& names) const;
  /// The sum over all series of a metric.
  [[nodiscard]] double Metric(const std::string& name) const;

 private:
  void Record();

  std::string program_;
  std::string folder_;
  std::string profiles_;
  std::unique_ptr<ChildProcess> process_;
  std::unique_ptr<ChildProcess> recorder_;  // Ends when the daemon does.
  std::chrono::steady_clock::time_point started_;
};

}  // namespace bindery::bench
