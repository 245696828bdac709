#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace bindery::cel {

/// When the clocks change in every year from now on, as POSIX writes it in TZ and the time zone
/// data in its last line: "CET-1CEST,M3.5.0,M10.5.0/3".
class ZoneRule {
 public:
  /// Nothing when the text is malformed.
  [[nodiscard]] static std::optional<ZoneRule> Parse(std::string_view text);

  /// Seconds ahead of UTC at that second since 1970.
  [[nodiscard]] std::int64_t OffsetAt(std::int64_t time) const;

 private:
  /// A day of a year, and the second of it.
  struct Change {
    enum class Form { kWeekday, kJulian, kZeroBased };
    Form form = Form::kWeekday;
    int month = 1;    ///< 1 to 12.
    int week = 1;     ///< 1 to 5; 5 is the last.
    int weekday = 0;  ///< 0 is Sunday.
    int day = 0;      ///< Of the year: 1 to 365 without 29 February, or 0 to 365.
    std::int64_t second = 7200;
  };

  static bool TakeChange(std::string_view& text, Change& change);
  static std::int64_t LocalSecond(const Change& change, int year);

  std::int64_t standard_ = 0;
  std::int64_t daylight_ = 0;
  bool has_daylight_ = false;
  Change start_;
  Change end_;
};

}  // namespace bindery::cel
