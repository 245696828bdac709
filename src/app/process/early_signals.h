#pragma once

namespace bindery::app {

/// For the time before main(), when the libraries are initialized: ends of pipes and requests to
/// reload end nothing if this is going to run for long.
void IgnoreSignalsWhileLoading(int argc, char** argv);

/// Called first in main() by what runs for long. A broken pipe and a file that grew too large are
/// errors of a call from now on, no signals. With `reloads`, SIGHUP is remembered until the loop
/// takes it over, and never ends the process; SIGTERM and SIGINT end it until then, also where it
/// is the first process of a container.
void HoldSignals(bool reloads);

/// Whether a SIGHUP came since HoldSignals() or the last call. Not thread-safe.
[[nodiscard]] bool TakeEarlyReload();

/// From now on SIGTERM and SIGINT are remembered, also while no loop waits for them. Not
/// thread-safe, as the next.
void HoldEnds();
[[nodiscard]] bool TakeHeldEnd();

}  // namespace bindery::app
