#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/access/status.h"
#include "report/codec/json_codec.h"
#include "report/codec/list_slice.h"
#include "report/codec/source_line.h"
#include "report/codec/time_bounds.h"
#include "report/values/attributions.h"
#include "report/values/revision_values.h"

namespace bindery::report {

/// A target on record, with its state.
struct TargetLine {
  std::string target;
  std::string kind;
  std::string provider;
  std::string scope;
  std::size_t resources = 0;  ///< That are declared on it.
  std::int64_t grants = 0;
  std::int64_t undeclared = 0;  ///< Of the grants, those that no manifest declares.
  bool observed = false;        ///< Read at least once.
  bool exists = false;          ///< At the last reading.
  WallTime observed_at{};
  std::size_t open = 0;              ///< Differences.
  std::size_t held = 0;              ///< Differences.
  std::optional<Severity> severity;  ///< Of the worst difference; not set where there is none.
};

struct TargetList : ListSlice {
  std::vector<TargetLine> targets;  ///< By kind and name.
};

/// A resource declared on a target.
struct DeclaringResource {
  std::string name;
  bool ready = false;
  ResourceState state = ResourceState::kReconciling;
  std::string reason;
  std::optional<SourceLine> source;
};

/// Whether a grant is in the policy and in a manifest.
enum class GrantPresence {
  kDeclared,      ///< In both.
  kUndeclared,    ///< In the policy only.
  kMissing,       ///< In a manifest only.
  kJustInTime,    ///< In the policy only, given by a service on request.
  kDeleted,       ///< In the policy only, of a principal that was deleted: it gives no access.
  kServiceAgent,  ///< In the policy only: the cloud made it for a service of its own.
  kAccepted,      ///< In the policy only, and a rule or a manifest lets it stay.
};
/// "declared", "undeclared", "missing", "just-in-time", "deleted principal", "service agent",
/// "accepted"
[[nodiscard]] std::string_view ToString(GrantPresence presence);

/// A grant of a target's policy, or a declared grant that is missing.
struct PolicyLine {
  GrantLine grant;
  GrantPresence state = GrantPresence::kUndeclared;
  std::optional<DeclaringManifest> source;
  std::optional<TimeBounds> time_bounds;   ///< Of the grant's condition.
  std::optional<Attribution> attribution;  ///< Where it differs and reports say who did it.
};

/// One target with its whole policy.
struct TargetDetail : TargetLine {
  std::string etag;
  std::string digest;
  bool ever_written = false;  ///< By bindery.
  std::vector<DeclaringResource> declares;
  std::vector<PolicyLine> lines;
  std::vector<RevisionLine> revisions;  ///< The newest, newest first.
  Json policy;  ///< As it was last read; null where it was not, or there was none.
};

template <>
inline constexpr auto kAllOf<GrantPresence> =
    std::array{GrantPresence::kDeclared,   GrantPresence::kUndeclared, GrantPresence::kMissing,
               GrantPresence::kJustInTime, GrantPresence::kDeleted,    GrantPresence::kServiceAgent,
               GrantPresence::kAccepted};

template <>
inline constexpr auto kFields<TargetLine> =
    std::tuple{Field{"target", &TargetLine::target},
               Field{"kind", &TargetLine::kind},
               Field{"provider", &TargetLine::provider},
               Field{"scope", &TargetLine::scope},
               Field{"resources", &TargetLine::resources},
               Field{"grants", &TargetLine::grants},
               Field{"undeclared", &TargetLine::undeclared},
               Field{"observed", &TargetLine::observed},
               Field{"exists", &TargetLine::exists},
               Field{"observedAt", &TargetLine::observed_at},
               Field{"open", &TargetLine::open},
               Field{"held", &TargetLine::held},
               Field{"severity", &TargetLine::severity}};

template <>
inline constexpr auto kFields<TargetList> =
    std::tuple_cat(std::tuple{Field{"targets", &TargetList::targets}}, kFields<ListSlice>);

template <>
inline constexpr auto kFields<DeclaringResource> = std::tuple{
    Field{"name", &DeclaringResource::name}, Field{"ready", &DeclaringResource::ready},
    Field{"state", &DeclaringResource::state}, Field{"reason", &DeclaringResource::reason},
    Field{"source", &DeclaringResource::source}};

template <>
inline constexpr auto kFields<PolicyLine> =
    std::tuple{Field{"grant", &PolicyLine::grant}, Field{"state", &PolicyLine::state},
               Field{"source", &PolicyLine::source}, Field{"timeBounds", &PolicyLine::time_bounds},
               FieldIfSet{"attribution", &PolicyLine::attribution}};

template <>
inline constexpr auto kFields<TargetDetail> = std::tuple_cat(
    kFields<TargetLine>,
    std::tuple{Field{"etag", &TargetDetail::etag}, Field{"digest", &TargetDetail::digest},
               Field{"everWritten", &TargetDetail::ever_written},
               Field{"declares", &TargetDetail::declares}, Field{"lines", &TargetDetail::lines},
               Field{"revisions", &TargetDetail::revisions},
               Field{"policy", &TargetDetail::policy}});

}  // namespace bindery::report
