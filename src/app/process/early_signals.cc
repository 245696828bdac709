#include "app/process/early_signals.h"

#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <csignal>
#include <string_view>

namespace bindery::app {
namespace {

/// Asio gives a signal to all waiting handlers, and keeps the signal for later handlers if none
/// waits: with this object SIGHUP never has its default action.
class Keeper {
 public:
  template <typename... Signals>
  explicit Keeper(Signals... signals) : signals_(io_, signals...) {
    Wait();
  }

  bool Take() {
    io_.restart();
    io_.poll();
    const bool came = came_;
    came_ = false;
    return came;
  }

 private:
  void Wait() {
    signals_.async_wait([this](const boost::system::error_code& failed, int /*signal*/) {
      if (failed) return;
      came_ = true;
      Wait();
    });
  }

  boost::asio::io_context io_{1};
  boost::asio::signal_set signals_;
  bool came_ = false;
};

// Never destroyed: the keepers must outlive all users.
Keeper* reloads_kept = nullptr;
Keeper* ends_kept = nullptr;

/// By the default action; the first process of a container has none.
void EndBySignal(int signal) {
  ::raise(signal);
  ::_exit(128 + signal);
}

}  // namespace

void IgnoreSignalsWhileLoading(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    if (std::string_view(argv[i]) != "run") continue;
    // The configuration was not read yet: there is nothing to reload.
    ::signal(SIGHUP, SIG_IGN);
    ::signal(SIGPIPE, SIG_IGN);
  }
}

void HoldSignals(bool reloads) {
  ::signal(SIGPIPE, SIG_IGN);
  if (!reloads) {
    ::signal(SIGXFSZ, SIG_IGN);
    return;
  }
  // NOLINTNEXTLINE(cppcoreguidelines-owning-memory): never destroyed
  if (reloads_kept == nullptr) reloads_kept = new Keeper(SIGHUP);
  struct sigaction action = {};
  action.sa_handler = EndBySignal;
  action.sa_flags = static_cast<int>(SA_NODEFER | SA_RESETHAND);
  ::sigaction(SIGTERM, &action, nullptr);
  ::sigaction(SIGINT, &action, nullptr);
  ::signal(SIGXFSZ, SIG_IGN);
}

bool TakeEarlyReload() { return reloads_kept != nullptr && reloads_kept->Take(); }

void HoldEnds() {
  // NOLINTNEXTLINE(cppcoreguidelines-owning-memory): never destroyed
  if (ends_kept == nullptr) ends_kept = new Keeper(SIGTERM, SIGINT);
}

bool TakeHeldEnd() { return ends_kept != nullptr && ends_kept->Take(); }

}  // namespace bindery::app
