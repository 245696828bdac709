#pragma once

#include <string>

namespace bindery {

/// What this machine calls itself; "localhost" where it does not say.
[[nodiscard]] std::string HostName();

}  // namespace bindery
