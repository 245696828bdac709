#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/json.h"

namespace bindery {

/// The outcome of withheld removals.
enum class HoldState {
  kOpen,       ///< They wait for an operator.
  kApproved,   ///< They may be carried out, and some are not yet.
  kDenied,     ///< They stay until the manifests say something else.
  kWithdrawn,  ///< Nothing wants them any more.
  kReleased,   ///< They were approved and are carried out, or not wanted any more.
};
inline constexpr std::array kAllHoldStates = {HoldState::kOpen, HoldState::kApproved,
                                              HoldState::kDenied, HoldState::kWithdrawn,
                                              HoldState::kReleased};

[[nodiscard]] std::string_view ToString(HoldState value);  ///< "open", "approved", …
/// An unknown text reads as kWithdrawn, which withholds nothing.
[[nodiscard]] HoldState HoldStateFromString(std::string_view text);

/// What the removals of a hold are for: a pass, or the return of a recorded policy.
struct HoldPurpose {
  std::int64_t rollback_to = 0;  ///< The revision that returns; 0: a pass.
  bool operator==(const HoldPurpose&) const = default;
};

[[nodiscard]] std::string ToString(const HoldPurpose& purpose);  ///< "pass", "rollback:7"
/// An unknown text reads as a pass.
[[nodiscard]] HoldPurpose HoldPurposeFromString(std::string_view text);
/// The same as JSON; false for JSON that is no purpose.
[[nodiscard]] Json ToJson(const HoldPurpose& purpose);
bool ReadJson(const Json& json, HoldPurpose& purpose);

}  // namespace bindery
