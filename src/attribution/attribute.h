#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "core/access/audit_entry.h"
#include "core/access/drift.h"
#include "core/base/clock.h"

namespace bindery::attribution {

/// By how much the clocks of clouds and of the machine may differ, and a reading may be older than
/// its time.
inline constexpr std::chrono::seconds kClocks(5);

/// A difference of one target, with its time.
struct Question {
  const DriftItem& item;
  /// Of a changed condition: the grant as it was found instead.
  std::optional<Grant> observed;
  std::optional<WallTime> read_before;  ///< The last reading without it; nothing: there was none.
  WallTime first_seen;
  /// The form in which two spellings of a principal are equal.
  std::function<std::string(const std::string&)> normal;
  /// When bindery itself wrote the target.
  std::span<const WallTime> own_writes;
};

/// Why an entry is held to have made a difference.
enum class How {
  kExact,   ///< It names the grant.
  kPolicy,  ///< Nothing else can have.
};
[[nodiscard]] std::string_view ToString(How how);  ///< "exact", "policy"

struct Answer {
  const AuditEntry* entry = nullptr;
  How how = How::kExact;
};

/// Which of the entries of its target, oldest first, made a difference; nothing when that cannot be
/// told. Our own calls are never the answer. Pure.
[[nodiscard]] std::optional<Answer> Attribute(const Question& question,
                                              std::span<const AuditEntry> entries);

/// The entry calls itself bindery's.
[[nodiscard]] bool LooksLikeOurs(const AuditEntry& entry);

}  // namespace bindery::attribution
