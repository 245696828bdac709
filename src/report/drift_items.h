#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/json.h"

namespace bindery::report {

// What the forms of a drift report share. Every text is printable.

using ItemList = std::vector<const Json*>;

/// The items that are open or held, and those that are over; as they came.
[[nodiscard]] ItemList StandingItems(const Json& report);
[[nodiscard]] ItemList CorrectedItems(const Json& report);
[[nodiscard]] ItemList AllItems(const Json& report);

/// The items by target, the target with the worst first; within one, as they came.
[[nodiscard]] std::vector<ItemList> ByTarget(const ItemList& items);

/// "roles/viewer user:ana@example.com", or the output of a lookup that changed; the target as a
/// whole has no grant.
[[nodiscard]] std::string GrantOf(const Json& item);

/// "until 2026-11-25 00:00", "from … until …", "ended …", "never in force": how time bounds the
/// grant, in UTC; empty where it does not.
[[nodiscard]] std::string TimeBoundsOf(const Json& item);

/// "teams/payments.yaml:3"; empty where no manifest is meant.
[[nodiscard]] std::string PlaceOf(const Json& item);

/// "2 differences stand among 9 grants on 2 targets: 1 open, 1 held; 3 corrected."
[[nodiscard]] std::string HeadlineOf(const Json& report);

/// "Since the last report of 2026-11-21 11:00 UTC: 1 new, 2 gone, 3 still there."
[[nodiscard]] std::string SinceLastOf(const Json& report);

/// "2026-11-21 11:30" of an RFC 3339 time; "" for null.
[[nodiscard]] std::string MinuteOf(const Json& item, std::string_view name);

/// What the summary counts, besides what the headline says: {"targets in sync", "8 of 9"}, ….
[[nodiscard]] std::vector<std::pair<std::string, std::string>> FiguresOf(const Json& report);

}  // namespace bindery::report
