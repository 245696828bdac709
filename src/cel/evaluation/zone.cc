#include "cel/evaluation/zone.h"

#include <cctz/time_zone.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <string>

namespace bindery::cel {
namespace {

/// "Europe/Berlin": words that cannot leave the directory. The library also takes paths.
bool IsZoneName(std::string_view name) {
  // The library reads /etc/localtime as a zone of the name: the zone of the machine.
  if (name == "localtime") return false;
  if (name.empty() || name.size() > 64 || name.front() == '/' || name.back() == '/') return false;
  return name.find("//") == std::string_view::npos &&
         std::all_of(name.begin(), name.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                  c == '/' || c == '_' || c == '-' || c == '+';
         });
}

/// "+02:00", "-09:30" or "02:00", in seconds.
std::optional<std::int64_t> FixedOffset(std::string_view text) {
  const bool west = text.starts_with('-');
  if (west || text.starts_with('+')) text.remove_prefix(1);
  const auto digit = [text](std::size_t i) { return text[i] >= '0' && text[i] <= '9'; };
  if (text.size() != 5 || text[2] != ':' || !digit(0) || !digit(1) || !digit(3) || !digit(4)) {
    return std::nullopt;
  }
  const int hours = (text[0] - '0') * 10 + (text[1] - '0');
  const int minutes = (text[3] - '0') * 10 + (text[4] - '0');
  if (hours > 23 || minutes > 59) return std::nullopt;
  return (west ? -1 : 1) * (hours * 3600 + minutes * 60);
}

bool HasZones() {
  // A zone in every system's data.
  cctz::time_zone known;
  return cctz::load_time_zone("Etc/GMT+1", &known);
}

Error NoSuchZone(const std::string& name) {
  if (HasZones()) {
    return {Code::kNotFound, "unknown time zone \"" + name + "\""};
  }
  return {Code::kNotFound,
          "no time zone data: install the package tzdata to use the zone \"" + name + "\""};
}

}  // namespace

Expected<std::int64_t> FindOffset(std::string_view zone, std::int64_t time) {
  if (zone == "UTC") return 0;
  if (const std::optional<std::int64_t> fixed = FixedOffset(zone)) return *fixed;
  const std::string name(zone);
  cctz::time_zone found;
  if (!IsZoneName(name) || !cctz::load_time_zone(name, &found)) return Fail(NoSuchZone(name));
  const cctz::time_point<cctz::seconds> at{cctz::seconds(time)};
  return found.lookup(at).offset;
}

ZoneData InstalledZones() {
  const char* const set = std::getenv("TZDIR");  // NOLINT(concurrency-mt-unsafe): never changed
  ZoneData data;
  data.directory = set != nullptr && *set != '\0' ? set : "/usr/share/zoneinfo";
  data.available = HasZones();
  // The first line is "# version 2025b".
  std::string line;
  std::ifstream file(data.directory + "/tzdata.zi");
  constexpr std::string_view kTitle = "# version ";
  if (std::getline(file, line) && line.starts_with(kTitle)) {
    data.version = line.substr(kTitle.size());
  }
  return data;
}

}  // namespace bindery::cel
