#pragma once

#include <sys/types.h>

#include <ctime>
#include <optional>
#include <string>
#include <vector>

namespace bindery::bench {

// A benchmark that cannot go on throws std::runtime_error, which main() reports; nothing here is
// meant to be mended while it runs.

/// True after SIGINT or SIGTERM: waits end with an exception, so that processes and folders are
/// cleaned up on the way out.
[[nodiscard]] bool Interrupted();
/// Makes the two signals end the run in order.
void HandleInterrupts();
/// Throws when the run was interrupted, else sleeps.
void Pause(double seconds);

/// A program started from here. It dies with this process, whatever ends it.
class ChildProcess {
 public:
  /// Output and errors are appended to these files.
  ChildProcess(const std::vector<std::string>& command, const std::string& out,
               const std::string& err);
  /// Kills it if it still runs.
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  /// Sends the signal (0: none) and waits for the end; the exit code, or 128 + signal.
  int End(int signal);
  /// False once it ended by itself.
  [[nodiscard]] bool Running();

  /// User and system time so far; after End() of its whole life.
  [[nodiscard]] double CpuSeconds() const;
  /// Memory it occupies, and the most it ever did; the latter also after End().
  [[nodiscard]] double ResidentBytes() const { return StatusBytes("VmRSS:"); }
  [[nodiscard]] double PeakResidentBytes() const;
  /// The peak begins anew. Throws if the kernel refuses.
  void ForgetPeak() const;
  /// What it caused to be written to disks; nothing where the kernel does not tell.
  [[nodiscard]] std::optional<double> WrittenBytes() const;
  [[nodiscard]] ::pid_t pid() const { return pid_; }

 private:
  [[nodiscard]] double StatusBytes(const std::string& field) const;
  void Reap(int options);

  ::pid_t pid_ = 0;
  ::clockid_t clock_ = 0;
  bool ended_ = false;
  int exit_code_ = 0;
  double final_cpu_ = 0;
  double final_peak_ = 0;
};

/// What a program that ran to its end left.
struct Finished {
  int exit_code = 0;
  std::string out;
  std::string err;
  double wall_seconds = 0;
  double cpu_seconds = 0;
  double peak_bytes = 0;
};

/// Runs a program to its end.
[[nodiscard]] Finished RunToEnd(const std::vector<std::string>& command);

}  // namespace bindery::bench
