#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>

#include "core/base/json.h"
#include "harness/child_process.h"

namespace bindery::bench {

/// What a cloud was asked since the counts were last reset.
struct Calls {
  std::size_t reads = 0;
  std::size_t writes = 0;
};

/// `bindery emulator` as a process of its own, with its state in `folder`.
class Cloud {
 public:
  Cloud(const std::string& program, const std::string& folder, const std::string& seed);

  [[nodiscard]] const std::string& url() const { return url_; }
  [[nodiscard]] std::uint16_t port() const;
  [[nodiscard]] const ChildProcess& process() const { return *process_; }

  /// Every call waits that long; a timer in the emulator, no thread.
  void SetLatency(std::chrono::milliseconds latency) const;
  [[nodiscard]] Calls Counted() const;
  /// The bytes of all bodies that were answered since then.
  [[nodiscard]] double AnsweredBytes() const;
  void ResetCounts() const;
  /// Forgets everything and begins with this seed.
  void Replace(const std::string& seed) const;
  /// Waits until so many reads and writes were counted; throws after the patience, which begins
  /// again with every call that is counted.
  void AwaitCalls(Calls wanted, double patience_seconds = 60) const;

  [[nodiscard]] Json ReadPolicy(const std::string& target) const;
  /// What someone else would do behind bindery's back.
  void WritePolicy(const std::string& target, const Json& policy) const;

 private:
  std::string url_;
  std::unique_ptr<ChildProcess> process_;
};

}  // namespace bindery::bench
