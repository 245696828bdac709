#include "telemetry/host_name.h"

#include <unistd.h>

#include <array>

namespace bindery::telemetry {

std::string HostName() {
  constexpr std::size_t kLongest = 256;
  std::array<char, kLongest> name{};
  if (::gethostname(name.data(), name.size() - 1) != 0 || name.front() == '\0') return "localhost";
  return name.data();
}

}  // namespace bindery::telemetry
