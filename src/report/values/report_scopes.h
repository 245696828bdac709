#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "core/access/drift.h"
#include "core/access/status.h"
#include "core/base/clock.h"
#include "core/settings/label_selector.h"
#include "core/settings/mode.h"
#include "core/text/type_token.h"
#include "report/codec/list_slice.h"

namespace bindery::report {

// What a report is asked for.

/// The resources to list; an unset field does not restrict.
struct ResourceFilter {
  /// From ParseTypeToken: without an apiVersion it matches the kind alone, in any case.
  std::optional<TypeToken> kind;
  std::string name;
  LabelSelector labels;
  bool not_ready = false;
  std::optional<ResourceState> state = {};
  std::string text = {};  ///< Part of a name, a target, a file, a reason or a label, in any case.

  [[nodiscard]] bool empty() const {
    return !kind && name.empty() && labels.empty() && !not_ready && !state && text.empty();
  }
};

enum class ResourceOrder { kName, kKind, kTarget, kManifest, kState, kLabels, kChanged };

struct ResourceList {
  ResourceOrder order = ResourceOrder::kName;  ///< Of kState the worst, of kChanged the last first.
  bool descending = false;                     ///< The other way round.
  ListPage page = {};
};

/// For how long a corrected difference stays in a drift report by default.
inline constexpr std::chrono::hours kRecentlyCorrected{24};

struct UnmanagedGrants;

/// The differences of a drift report.
struct DriftScope {
  WallTime now;
  /// Also differences corrected since; none when not set.
  std::optional<WallTime> resolved_since;
  /// The time of the last report: new, gone and remaining differences are counted from there.
  std::optional<WallTime> previous = {};
  Severity least = Severity::kLow;  ///< What is below is left out, of the counts too.
  Mode mode = Mode::kEnforce;       ///< Of resources that name none themselves.
  /// Declared grants that end by themselves within the time count as expiring.
  std::chrono::milliseconds expiring_within = std::chrono::hours(7 * 24);
  bool attribution = false;  ///< Audit logs are read: say of each difference who made it.
  /// Current foreign drift comes first, whatever its severity.
  bool foreign_first = false;
  /// What the report says about targets that nobody manages; null: nothing.
  std::shared_ptr<const UnmanagedGrants> unmanaged = {};
};

/// Whether ended holds are listed too.
enum class Ended {
  kLeaveOut,  ///< Only those that are open, and those that are approved but not carried out yet.
  kInclude,
};

}  // namespace bindery::report
