#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/expected.h"

namespace bindery::cel {

/// How many seconds a zone is ahead of UTC at the second since 1970: "UTC", the name of a zone
/// ("Europe/Berlin"), or a fixed offset like "+02:00", "-09:30" or "02:00". Each zone is read once,
/// from the system's data (/usr/share/zoneinfo, or $TZDIR). kNotFound if none exists of the name;
/// the message names the package tzdata when there is no data at all. From any thread.
[[nodiscard]] Expected<std::int64_t> FindOffset(std::string_view zone, std::int64_t time);

/// Where the data of time zones is, and of which version.
struct ZoneData {
  std::string directory;   ///< /usr/share/zoneinfo, or $TZDIR.
  std::string version;     ///< "2025b"; empty where the directory does not tell.
  bool available = false;  ///< Zones can be read there.
};

/// Reads the files of the directory. From any thread.
[[nodiscard]] ZoneData InstalledZones();

}  // namespace bindery::cel
