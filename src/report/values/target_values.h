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

namespace bindery {

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
  kDeclared,    ///< In both.
  kUndeclared,  ///< In the policy only.
  kMissing,     ///< In a manifest only.
  kJustInTime,  ///< In the policy only, given by a service on request.
  kDeleted,     ///< In the policy only, of a principal that was deleted: it gives no access.
};
/// "declared", "undeclared", "missing", "just-in-time", "deleted principal"
[[nodiscard]] std::string_view ToString(GrantPresence presence);

/// A grant of a target's policy, or a declared grant that is missing.
struct PolicyLine {
  report::GrantLine grant;
  GrantPresence state = GrantPresence::kUndeclared;
  std::optional<DeclaringManifest> source;
  std::optional<report::TimeBounds> time_bounds;   ///< Of the grant's condition.
  std::optional<report::Attribution> attribution;  ///< Where it differs and reports say who did it.
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
inline constexpr auto report::kAllOf<GrantPresence> =
    std::array{GrantPresence::kDeclared, GrantPresence::kUndeclared, GrantPresence::kMissing,
               GrantPresence::kJustInTime, GrantPresence::kDeleted};

template <>
inline constexpr auto report::kFields<TargetLine> =
    std::tuple{report::Field{"target", &TargetLine::target},
               report::Field{"kind", &TargetLine::kind},
               report::Field{"provider", &TargetLine::provider},
               report::Field{"scope", &TargetLine::scope},
               report::Field{"resources", &TargetLine::resources},
               report::Field{"grants", &TargetLine::grants},
               report::Field{"undeclared", &TargetLine::undeclared},
               report::Field{"observed", &TargetLine::observed},
               report::Field{"exists", &TargetLine::exists},
               report::Field{"observedAt", &TargetLine::observed_at},
               report::Field{"open", &TargetLine::open},
               report::Field{"held", &TargetLine::held},
               report::Field{"severity", &TargetLine::severity}};

template <>
inline constexpr auto report::kFields<TargetList> = std::tuple_cat(
    std::tuple{report::Field{"targets", &TargetList::targets}}, report::kFields<ListSlice>);

template <>
inline constexpr auto report::kFields<DeclaringResource> =
    std::tuple{report::Field{"name", &DeclaringResource::name},
               report::Field{"ready", &DeclaringResource::ready},
               report::Field{"state", &DeclaringResource::state},
               report::Field{"reason", &DeclaringResource::reason},
               report::Field{"source", &DeclaringResource::source}};

template <>
inline constexpr auto report::kFields<PolicyLine> = std::tuple{
    report::Field{"grant", &PolicyLine::grant}, report::Field{"state", &PolicyLine::state},
    report::Field{"source", &PolicyLine::source},
    report::Field{"timeBounds", &PolicyLine::time_bounds},
    report::FieldIfSet{"attribution", &PolicyLine::attribution}};

template <>
inline constexpr auto report::kFields<TargetDetail> =
    std::tuple_cat(report::kFields<TargetLine>,
                   std::tuple{report::Field{"etag", &TargetDetail::etag},
                              report::Field{"digest", &TargetDetail::digest},
                              report::Field{"everWritten", &TargetDetail::ever_written},
                              report::Field{"declares", &TargetDetail::declares},
                              report::Field{"lines", &TargetDetail::lines},
                              report::Field{"revisions", &TargetDetail::revisions},
                              report::Field{"policy", &TargetDetail::policy}});

}  // namespace bindery
