#pragma once

#include <string>

namespace bindery::app {

/// From now on the system calls that run programs, trace processes, mount, load kernel code or
/// change the machine fail with EPERM, for the thread and those it starts. Empty, or why it cannot
/// be had.
[[nodiscard]] std::string DenySystemCalls();

}  // namespace bindery::app
