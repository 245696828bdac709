#include "harness/child_process.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <thread>

#include "harness/files.h"

namespace bindery::bench {
namespace {

std::atomic<bool> interrupted{false};

void NoteInterrupt(int /*signal*/) { interrupted = true; }

double Seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

[[noreturn]] void Become(std::vector<char*>& words, const std::string& out,
                         const std::string& err) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  // Ctrl-C is for the harness, which ends its children in order.
  ::setpgid(0, 0);
  constexpr int kAppend = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC;
  ::dup2(::open("/dev/null", O_RDONLY | O_CLOEXEC), STDIN_FILENO);
  ::dup2(::open(out.c_str(), kAppend, 0600), STDOUT_FILENO);
  ::dup2(::open(err.c_str(), kAppend, 0600), STDERR_FILENO);
  ::execvp(words.front(), words.data());
  ::_exit(127);
}

}  // namespace

bool Interrupted() { return interrupted; }

void HandleInterrupts() {
  struct sigaction action = {};
  action.sa_handler = NoteInterrupt;
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
}

void Pause(double seconds) {
  if (Interrupted()) throw std::runtime_error("interrupted");
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
}

ChildProcess::ChildProcess(const std::vector<std::string>& command, const std::string& out,
                           const std::string& err) {
  std::vector<std::string> copies = command;
  std::vector<char*> words;
  for (std::string& word : copies) words.push_back(word.data());
  words.push_back(nullptr);
  pid_ = ::fork();
  if (pid_ < 0) throw std::runtime_error(std::string("cannot fork: ") + std::strerror(errno));
  if (pid_ == 0) Become(words, out, err);
  if (::clock_getcpuclockid(pid_, &clock_) != 0) throw std::runtime_error("no CPU clock");
}

ChildProcess::~ChildProcess() {
  if (!ended_) End(SIGKILL);
}

int ChildProcess::End(int signal) {
  if (!ended_ && signal != 0) ::kill(pid_, signal);
  while (!ended_) {
    Reap(0);
    if (!ended_ && Interrupted()) ::kill(pid_, SIGKILL);
  }
  return exit_code_;
}

bool ChildProcess::Running() {
  if (!ended_) Reap(WNOHANG);
  return !ended_;
}

void ChildProcess::Reap(int options) {
  int status = 0;
  rusage usage = {};
  if (::wait4(pid_, &status, options, &usage) != pid_) return;
  ended_ = true;
  exit_code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  final_cpu_ = Seconds(usage.ru_utime) + Seconds(usage.ru_stime);
  final_peak_ = static_cast<double>(usage.ru_maxrss) * 1024;
}

double ChildProcess::CpuSeconds() const {
  if (ended_) return final_cpu_;
  timespec time = {};
  ::clock_gettime(clock_, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

double ChildProcess::PeakResidentBytes() const {
  return ended_ ? final_peak_ : StatusBytes("VmHWM:");
}

void ChildProcess::ForgetPeak() const {
  std::ofstream file("/proc/" + std::to_string(pid_) + "/clear_refs");
  file << "5" << std::flush;  // proc(5)
  if (!file) throw std::runtime_error("the peak of the memory cannot be reset");
}

std::optional<double> ChildProcess::WrittenBytes() const {
  std::ifstream io("/proc/" + std::to_string(pid_) + "/io");
  std::string name;
  for (double value = 0; io >> name >> value;) {
    if (name == "write_bytes:") return value;
  }
  return std::nullopt;
}

double ChildProcess::StatusBytes(const std::string& field) const {
  std::ifstream status("/proc/" + std::to_string(pid_) + "/status");
  for (std::string line; std::getline(status, line);) {
    if (line.rfind(field, 0) == 0) return std::stod(line.substr(field.size())) * 1024;
  }
  return 0;
}

Finished RunToEnd(const std::vector<std::string>& command) {
  const TempFolder folder;
  const auto begun = std::chrono::steady_clock::now();
  ChildProcess child(command, folder / "out", folder / "err");
  Finished finished;
  finished.exit_code = child.End(0);
  finished.wall_seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  finished.cpu_seconds = child.CpuSeconds();
  finished.peak_bytes = child.PeakResidentBytes();
  finished.out = ReadText(folder / "out");
  finished.err = ReadText(folder / "err");
  if (Interrupted()) throw std::runtime_error("interrupted");
  return finished;
}

}  // namespace bindery::bench
