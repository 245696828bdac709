#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/clock.h"

namespace bindery::controller {

/// What the clock of the machine is worth, by what the services say the time is.
struct ClockJudgement {
  enum class Verdict {
    kUnknown,    ///< No service has told the time yet.
    kConfirmed,  ///< Most services agree with the local clock.
    kDisputed,   ///< They do not.
  };
  Verdict verdict = Verdict::kUnknown;
  /// How far the local clock is ahead of the service in the middle of them; negative: behind.
  std::chrono::milliseconds ahead{0};
  std::string witness = {};  ///< That service; empty when none is known.

  [[nodiscard]] bool confirmed() const { return verdict == Verdict::kConfirmed; }
  [[nodiscard]] bool disputed() const { return verdict == Verdict::kDisputed; }
  /// One line for people; empty when the clock is confirmed.
  [[nodiscard]] std::string Why() const;
};

/// Compares the local clock with the `Date` of the services' answers. What a service said counts on
/// by the clock that is never set, so a step of the local clock shows directly. A service whose own
/// time steps is believed once it has kept to the new time for a while: where it runs on the
/// machine its clock is the same one and confirms nothing. Pure: callers pass the time.
class ClockWitness {
 public:
  /// A larger difference is a disagreement.
  static constexpr std::chrono::seconds kTolerance{60};
  /// How long a service must keep to a time it stepped to.
  static constexpr std::chrono::minutes kSettles{10};
  /// Services that were silent for this much longer than the rest are ignored.
  static constexpr std::chrono::hours kSilence{1};

  /// The time from `source`, received at `at`.
  void Note(const std::string& source, WallTime date, MonoTime at);
  /// Forgets the sources of other providers; a source is "PROVIDER/SERVICE".
  void KeepProviders(const std::set<std::string>& providers);

  [[nodiscard]] ClockJudgement Judge(WallTime wall, MonoTime mono) const;
  /// The median of the services' times, also when the median service has just stepped; the local
  /// clock's `wall` until a service has told its time.
  [[nodiscard]] WallTime ServiceTime(WallTime wall, MonoTime mono) const;

 private:
  /// How far the local clock is ahead of each service that is asked.
  using Ahead = std::vector<std::pair<std::chrono::milliseconds, std::string_view>>;
  /// A time and the moment of its reading.
  struct Reading {
    WallTime date;
    MonoTime at;
    [[nodiscard]] WallTime TimeAt(MonoTime now) const {
      return date + std::chrono::duration_cast<WallTime::duration>(now - at);
    }
  };
  struct Source {
    Reading settled;
    std::optional<Reading> stepped;  ///< Another time it tells since `stepped_at`.
    MonoTime stepped_at;
    MonoTime heard;
    [[nodiscard]] const Reading& last() const { return stepped ? *stepped : settled; }
  };

  [[nodiscard]] Ahead MeasureAhead(const Reading& (*reading)(const Source& source), WallTime wall,
                                   MonoTime mono) const;

  std::map<std::string, Source> sources_;
};

}  // namespace bindery::controller
