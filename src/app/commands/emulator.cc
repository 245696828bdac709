#include "emulator/emulator.h"

#include <csignal>
#include <cstdio>
#include <string>
#include <tuple>
#include <vector>

#include "app/command_line.h"
#include "app/process/hardening.h"
#include "app/shell/common.h"
#include "config/kind_files.h"
#include "providers/registry/providers.h"

namespace bindery::app {
namespace {

struct EmulatorArguments {
  std::string listen;
  std::string store;
  std::string seed;
  std::vector<std::string> kinds;
};

int EmulatorCommand(const EmulatorArguments& arguments) {
  const config::KindFiles kinds =
      config::ReadKindFiles({arguments.kinds.begin(), arguments.kinds.end()});
  for (const config::ConfigProblem& problem : kinds.problems) PrintError(problem.Text());
  if (!kinds.problems.empty()) return kExitError;
  std::ignore = providers::KindsOfFiles().Install(kinds.rows);
  // Blocked before any thread starts, so that only sigwait below sees them.
  ::sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);

  config::HardeningConfig hardening;
  hardening.landlock = false;  // It writes a store and reads a seed, wherever they are.
  std::ignore = Harden(hardening, {});

  emulator::Options options;
  options.listen = arguments.listen;
  options.store = arguments.store;
  options.seed = arguments.seed;
  const Expected<std::unique_ptr<emulator::Emulator>> cloud = emulator::Emulator::Start(options);
  if (!cloud) return PrintError(cloud.error());
  std::printf("serving the embedded cloud on %s\n", (*cloud)->Url().c_str());
  std::fflush(stdout);
  int signal = 0;
  sigwait(&signals, &signal);
  (*cloud)->Stop();
  return kExitOk;
}

}  // namespace

void DefineEmulator(CommandLine& line) {
  auto& arguments = line.Keep<EmulatorArguments>();
  const Command emulator(line, "emulator", "Serve the embedded cloud without a daemon");
  emulator->add_option("--listen", arguments.listen, "Address to listen on")
      ->default_val("127.0.0.1:9818");
  emulator->add_option("--store", arguments.store, "SQLite file for the state")
      ->required()
      ->type_name(kFileType);
  emulator->add_option("--seed", arguments.seed, "YAML file with the initial content")
      ->type_name(kFileType);
  emulator->add_option("--kinds", arguments.kinds, "Files of further kinds to serve")
      ->type_name(kFileType);
  emulator.Examples("bindery emulator --store cloud.db --seed embedded-cloud.yaml");
  emulator.Runs([&arguments](const CommandContext&) { return EmulatorCommand(arguments); });
}

}  // namespace bindery::app
