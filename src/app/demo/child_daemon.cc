#include "app/demo/child_daemon.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <iterator>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace bindery::app {
namespace {

[[nodiscard]] ::sigset_t EndSignals() {
  ::sigset_t signals;
  ::sigemptyset(&signals);
  ::sigaddset(&signals, SIGINT);
  ::sigaddset(&signals, SIGTERM);
  return signals;
}

[[nodiscard]] std::vector<std::string> ChildVariables(const std::filesystem::path& state,
                                                      const std::string& listen) {
  constexpr std::string_view kLeftOut[] = {"BINDERY_", "NOTIFY_SOCKET=", "WATCHDOG_", "LISTEN_",
                                           "STATE_DIRECTORY="};
  std::vector<std::string> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text = *variable;
    const bool left_out =
        std::any_of(std::begin(kLeftOut), std::end(kLeftOut),
                    [&](std::string_view prefix) { return text.starts_with(prefix); });
    if (!left_out) variables.emplace_back(text);
  }
  variables.push_back("STATE_DIRECTORY=" + state.string());
  if (!listen.empty()) variables.push_back("BINDERY_SERVER_LISTEN=" + listen);
  return variables;
}

[[nodiscard]] std::vector<char*> Pointers(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

/// The child after fork(): only calls that are safe after fork().
[[noreturn]] void BecomeDaemon(::pid_t parent, int log, char* const* words,
                               char* const* variables) {
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  // The parent may have died before prctl().
  if (::getppid() != parent) ::_exit(1);
  // Ctrl+C is for the parent; the parent passes the signal on.
  ::setpgid(0, 0);
  const ::sigset_t signals = EndSignals();
  ::pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
  ::dup2(log, STDOUT_FILENO);
  ::dup2(log, STDERR_FILENO);
  ::execve("/proc/self/exe", words, variables);
  ::_exit(127);
}

[[nodiscard]] Error SystemFailure(const char* what) {
  Error error;
  error.code = Code::kUnavailable;
  error.message = std::string(what) + ": " + std::generic_category().message(errno);
  return error;
}

}  // namespace

Expected<ChildDaemon> ChildDaemon::Start(const std::filesystem::path& config,
                                         const std::filesystem::path& state,
                                         const std::string& listen) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return Fail(SystemFailure("a pipe"));
  const ::sigset_t signals = EndSignals();
  ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  const int told = ::signalfd(-1, &signals, SFD_CLOEXEC);
  std::vector<std::string> words = {"bindery", "run", "-c", config.string()};
  std::vector<std::string> variables = ChildVariables(state, listen);
  const std::vector<char*> word_pointers = Pointers(words);
  const std::vector<char*> variable_pointers = Pointers(variables);
  const ::pid_t parent = ::getpid();
  const ::pid_t child = ::fork();
  if (child == 0) BecomeDaemon(parent, ends[1], word_pointers.data(), variable_pointers.data());
  ::close(ends[1]);
  if (child > 0) return ChildDaemon(child, ends[0], told);
  const Error failure = SystemFailure("a process");
  ::close(ends[0]);
  ::close(told);
  return Fail(failure);
}

ChildDaemon::ChildDaemon(ChildDaemon&& other) noexcept
    : child_(std::exchange(other.child_, -1)),
      log_(std::exchange(other.log_, -1)),
      signals_(std::exchange(other.signals_, -1)),
      unread_(std::move(other.unread_)),
      told_to_end_(other.told_to_end_) {}

ChildDaemon::~ChildDaemon() {
  if (child_ < 0) return;
  ::kill(child_, SIGTERM);
  // A full pipe would keep the child from ending.
  while (ReadMore(std::nullopt)) unread_.clear();
  ::waitpid(child_, nullptr, 0);
  ::close(log_);
  ::close(signals_);
  const ::sigset_t signals = EndSignals();
  ::pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
}

bool ChildDaemon::Follow(const std::function<bool(const Json&)>& take,
                         std::optional<std::chrono::milliseconds> patience) {
  std::optional<std::chrono::steady_clock::time_point> until;
  if (patience) until = std::chrono::steady_clock::now() + *patience;
  do {
    for (std::size_t end = unread_.find('\n'); end != std::string::npos; end = unread_.find('\n')) {
      const std::string line = unread_.substr(0, end);
      unread_.erase(0, end + 1);
      const Expected<Json> entry = ParseJson(line);
      if (take(entry && entry->is_object() ? *entry : Json{{"msg", line}})) return true;
    }
  } while (ReadMore(until));
  return false;
}

bool ChildDaemon::ReadMore(const std::optional<std::chrono::steady_clock::time_point>& until) {
  while (true) {
    int milliseconds = -1;
    if (until) {
      const auto left =
          std::chrono::ceil<std::chrono::milliseconds>(*until - std::chrono::steady_clock::now());
      if (left.count() <= 0) return false;
      milliseconds = static_cast<int>(left.count());
    }
    std::array<::pollfd, 2> waited{{{log_, POLLIN, 0}, {signals_, POLLIN, 0}}};
    if (::poll(waited.data(), waited.size(), milliseconds) < 0 && errno != EINTR) return false;
    if ((waited[1].revents & POLLIN) != 0) PassOnSignal();
    if ((waited[0].revents & (POLLIN | POLLHUP)) == 0) continue;
    std::array<char, 4096> read{};
    const ::ssize_t count = ::read(log_, read.data(), read.size());
    if (count <= 0) return false;
    unread_.append(read.data(), static_cast<std::size_t>(count));
    return true;
  }
}

void ChildDaemon::PassOnSignal() {
  ::signalfd_siginfo received{};
  if (::read(signals_, &received, sizeof(received)) <= 0) return;
  told_to_end_ = true;
  ::kill(child_, SIGTERM);
}

}  // namespace bindery::app
