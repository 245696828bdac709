#pragma once

#include <chrono>
#include <optional>

#include "controller/loop/manifest_source.h"
#include "core/base/clock.h"

namespace bindery::controller {

/// When the directory is looked at next, and how. Hints put a look off until it has been quiet for
/// the debounce; everything is looked at once an interval whatever the hints say, and where a
/// deletion has to be confirmed. Pure; belongs to the loop thread.
class ScanTiming {
 public:
  struct Limits {
    std::chrono::milliseconds debounce{200};
    std::chrono::milliseconds rescan_interval{30'000};
  };
  struct Next {
    MonoTime at;
    ScanMode how = ScanMode::kFull;
  };

  void SetLimits(Limits limits) { limits_ = limits; }

  /// A hint came: the time to look.
  [[nodiscard]] MonoTime Hinted(MonoTime now);

  /// The mode of the present look; nothing while a look is under way, and a further look follows.
  [[nodiscard]] std::optional<ScanMode> Begin(ScanMode how, MonoTime now);

  /// The look ended. `usable`: it can be acted on; `complete`: it was one at everything. Gives when
  /// to look next, or nothing where a hint that came meanwhile has set a time.
  [[nodiscard]] std::optional<Next> End(bool usable, bool complete, MonoTime now);

  /// The missing part has to be looked for once more. Gives when, as End.
  [[nodiscard]] std::optional<Next> Confirm(bool missing, MonoTime now);

  [[nodiscard]] bool scanning() const { return scanning_; }
  [[nodiscard]] bool confirming() const { return confirming_; }

 private:
  Limits limits_;
  bool scanning_ = false;
  bool confirming_ = false;
  bool hint_pending_ = false;
  MonoTime first_hint_{};
  MonoTime full_due_{};  ///< When everything is to be looked at again.
  std::optional<ScanMode> again_;
};

}  // namespace bindery::controller
