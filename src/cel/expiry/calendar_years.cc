#include "cel/expiry/calendar_years.h"

#include <string>

#include "cel/evaluation/zone.h"

namespace bindery::cel {
namespace {

constexpr std::int64_t kTwoDays = 2 * 24 * 3600;

}  // namespace

std::optional<Timestamp> BeginOfYear(std::int64_t year, std::string_view zone) {
  // Beyond these years a zone has a part of a year only.
  if (year < 1000 || year > 9998) return std::nullopt;
  const Expected<Timestamp> in_utc = ParseDate(std::to_string(year) + "-01-01");
  if (!in_utc) return std::nullopt;
  const auto before = FindOffset(zone, in_utc->seconds - kTwoDays);
  const auto after = FindOffset(zone, in_utc->seconds + kTwoDays);
  const auto there = FindOffset(zone, in_utc->seconds);
  if (!before || !after || !there || *before != *there || *after != *there) return std::nullopt;
  return Timestamp{in_utc->seconds - *there, 0};
}

}  // namespace bindery::cel
