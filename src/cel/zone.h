#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cel/zone_rule.h"
#include "core/expected.h"

namespace bindery::cel {

/// A time zone of the system's data (the TZif files of RFC 8536).
class Zone {
 public:
  /// From the content of a file. kInvalidArgument when it is none, or counts leap seconds.
  [[nodiscard]] static Expected<Zone> Parse(std::string_view file);

  /// Seconds ahead of UTC at that second since 1970.
  [[nodiscard]] std::int64_t OffsetAt(std::int64_t time) const;

 private:
  std::vector<std::int64_t> changes_;  ///< When the offset changes, ascending …
  std::vector<std::int64_t> offsets_;  ///< … and what it is from then on.
  std::int64_t first_offset_ = 0;      ///< Before the first change.
  std::optional<ZoneRule> rule_;       ///< After the last one.
};

/// The zone of that name ("Europe/Berlin") from the files under `directory`, read once. kNotFound
/// when there is none, with a word on the package that holds them when the directory is missing.
[[nodiscard]] Expected<std::shared_ptr<const Zone>> FindZone(
    const std::string& name, const std::string& directory = "/usr/share/zoneinfo");

/// How many seconds a zone is ahead of UTC at that second since 1970: "UTC", a name, or a fixed
/// offset like "+02:00", "-09:30" or "02:00".
[[nodiscard]] Expected<std::int64_t> OffsetOf(std::string_view zone, std::int64_t time);

}  // namespace bindery::cel
