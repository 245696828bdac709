#include "emulator/emulator.h"

#include <csignal>
#include <cstdio>
#include <tuple>

#include "app/commands/common.h"
#include "app/hardening.h"

namespace bindery {

int EmulatorCommand(const EmulatorArguments& arguments) {
  // Blocked before any thread starts, so that only sigwait below sees them.
  ::sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);

  HardeningConfig hardening;
  hardening.landlock = false;  // It writes a store and reads a seed, wherever they are.
  std::ignore = Harden(hardening, {});

  emulator::Options options;
  options.listen = arguments.listen;
  options.store = arguments.store;
  options.seed = arguments.seed;
  const Expected<std::unique_ptr<emulator::Emulator>> cloud = emulator::Emulator::Start(options);
  if (!cloud) return Complain(cloud.error());
  std::printf("serving the embedded cloud on %s\n", (*cloud)->Url().c_str());
  std::fflush(stdout);
  int signal = 0;
  sigwait(&signals, &signal);
  (*cloud)->Stop();
  return kExitOk;
}

}  // namespace bindery
