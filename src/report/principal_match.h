#pragma once

#include <string>
#include <string_view>

#include "core/target.h"

namespace bindery::report {

/// How a principal of a grant relates to the one that is asked about.
enum class Match {
  kNone,
  kSame,
  kDeleted,     ///< It was the one asked about, and is deleted.
  kContains,    ///< It stands for everyone of the kind asked about.
  kMayContain,  ///< It stands for others too, perhaps for this one: membership is not known.
};

/// Compares as the kind of the target does.
[[nodiscard]] Match MatchOf(const Target& target, const std::string& granted,
                            const std::string& asked);

/// Who a principal that stands for others stands for, in words; empty for a single one.
[[nodiscard]] std::string_view MembershipNote(std::string_view principal);

}  // namespace bindery::report
