#include "report/reports/drift_context.h"

#include <algorithm>
#include <tuple>

#include "core/access/claim_part.h"
#include "core/settings/accepted_drift.h"
#include "core/text/time_text.h"
#include "manifests/documents/spec.h"
#include "report/access/condition_judge.h"
#include "report/reports/known_targets.h"
#include "report/text/json_fields.h"
#include "report/values/resource_counts.h"

namespace bindery::report {
namespace {

/// When it ends by itself: now in force, and not for long.
void TakeExpiring(const store::ResourceRecord& record, const DriftScope& scope,
                  ConditionJudge& judge, DriftContext& context) {
  if (!record.accepted || record.grants <= 0) return;
  const auto bounds = judge.FindBounds(manifests::TimedExpression(record.spec));
  if (!bounds || bounds->phase != cel::TimePhase::kWithin || !bounds->ends_at) return;
  const Expected<WallTime> ends = ParseRfc3339(cel::ToString(*bounds->ends_at));
  if (!ends || *ends - scope.now > scope.expiring_within) return;
  context.expiring.push_back({record.name, record.target.name, std::string(RoleOfPart(record.role)),
                              record.grants, *bounds->ends_at,
                              MakeSourceLine(record.source_file, record.source_line)});
}

/// The effect of a resource in force on its target.
void TakeForTarget(const store::ResourceRecord& record, Mode mode, DriftContext::Known& known) {
  const Json options = ObjectFromText(record.options);
  const std::string own = StringMember(options, "mode");
  const bool suspended = record.suspended || BoolMember(options, "suspend");
  const bool enforced = own.empty() ? mode == Mode::kEnforce : own == "enforce";
  known.enforced = known.enforced || (enforced && !suspended);
  known.suspended = known.suspended || suspended;
  if (IsFailing(record.status)) known.failure = record.status.reason;
}

void Take(const store::ResourceRecord& record, Mode mode, DriftContext& context) {
  const bool counts = !record.target.name.empty() && CountsAsTarget(record.target);
  // The state in force has a target, also while nothing is on record of it.
  if (record.accepted && counts) {
    DriftContext::Known& known = context.targets.Obtain(record.target);
    known.on_record = true;
    TakeForTarget(record, mode, known);
  }
  if (!IsFailing(record.status)) return;
  DriftContext::Known* const known = counts ? context.targets.Find(record.target) : nullptr;
  if (known != nullptr) known->failing = true;
  context.failing.push_back({record.name, record.target.name, record.status.reason,
                             record.status.message,
                             MakeSourceLine(record.source_file, record.source_line)});
}

/// What bindery did about a difference of the class.
std::string Done(DriftClass drift_class) {
  switch (drift_class) {
    case DriftClass::kMissing:
      return "granted";
    case DriftClass::kUndeclared:
      return "taken away";
    case DriftClass::kConditionChanged:
      return "given the declared condition";
    case DriftClass::kLookupChanged:
      return "passed on to what refers to it";
    case DriftClass::kPrincipalDeleted:
      return "granted to the principal that exists again";
    case DriftClass::kTargetMissing:
    case DriftClass::kJustInTime:
    case DriftClass::kTombstone:
    case DriftClass::kStoredDifferently:
      break;
  }
  return "put right";
}

/// The action of a writing pass.
std::string ToDo(DriftClass drift_class) {
  switch (drift_class) {
    case DriftClass::kMissing:
      return "to be granted";
    case DriftClass::kUndeclared:
      return "to be taken away";
    case DriftClass::kConditionChanged:
      return "to be given the declared condition";
    case DriftClass::kPrincipalDeleted:
      return "to be granted anew";
    default:
      return "to be put right";
  }
}

/// The cause of a difference: the failure of its resource, or for an undeclared grant, any failure
/// on the target. Empty without a failure.
std::string FailureBehind(const store::DriftEntry& entry, const DriftContext& context) {
  if (entry.resource) {
    ResourceStatus status;
    status.reason = entry.resource->reason;
    return IsFailing(status) ? status.reason : "";
  }
  const DriftContext::Known* target = context.targets.Find(entry.record.target);
  return target == nullptr ? "" : target->failure.str();
}

bool IsSuspended(const store::DriftEntry& entry, const DriftContext& context) {
  if (entry.resource) return entry.resource->reason == reason::kSuspended;
  const DriftContext::Known* target = context.targets.Find(entry.record.target);
  return target != nullptr && target->suspended && !target->enforced;
}

/// The service said that the principal does not exist.
bool IsRefused(const store::DriftEntry& entry) {
  return entry.resource && entry.resource->reason == reason::kPrincipalDeleted;
}

std::string ActionOnOpen(const store::DriftEntry& entry, const DriftContext& context) {
  const DriftClass drift_class = entry.record.item.drift_class;
  if (drift_class == DriftClass::kPrincipalDeleted && IsRefused(entry)) {
    return "none: take the principal out of the manifest, or restore it";
  }
  if (drift_class == DriftClass::kTargetMissing) return "none: looked for again each interval";
  if (const DriftRest rest = entry.record.item.rest; rest != DriftRest::kNone) {
    return "none: only reported (" + std::string(ToString(rest)) + ")";
  }
  if (IsSuspended(entry, context)) return "none while suspended";
  if (const std::string failure = FailureBehind(entry, context); !failure.empty()) {
    return ToDo(drift_class) + " once " + failure + " is over";
  }
  const DriftContext::Known* target = context.targets.Find(entry.record.target);
  const bool enforced = target != nullptr && target->enforced;
  return enforced ? ToDo(drift_class) + " by the next pass" : "none: only reported (mode observe)";
}

Expected<void> ReadHold(const store::ReportReader& store, DriftContext& context) {
  const auto holds = store.Holds();
  if (!holds) return Fail(holds.error());
  const auto is_open = [](const store::HoldRecord& record) {
    return record.state == HoldState::kOpen;
  };
  // Where some were denied, which difference is of which hold is for bindery guard to say.
  const bool denied = std::any_of(
      holds->begin(), holds->end(),
      [](const store::HoldRecord& record) { return record.state == HoldState::kDenied; });
  if (!denied && std::count_if(holds->begin(), holds->end(), is_open) == 1) {
    context.hold = std::find_if(holds->begin(), holds->end(), is_open)->digest;
  }
  return {};
}

}  // namespace

Expected<DriftContext> DriftContext::ReadOn(const store::ReportReader& store,
                                            const DriftScope& scope,
                                            const std::set<Target>& targets) {
  DriftContext context;
  auto resources = store.ResourcesOnEach({targets.begin(), targets.end()});
  if (!resources) return Fail(resources.error());
  std::ranges::sort(*resources, {}, &store::ResourceRecord::name);
  for (const store::ResourceRecord& record : *resources) Take(record, scope.mode, context);
  if (auto read = ReadHold(store, context); !read) return Fail(read.error());
  return context;
}

Expected<DriftContext> DriftContext::Read(const store::ReportReader& store,
                                          const DriftScope& scope) {
  DriftContext context;
  ConditionJudge judge = ConditionJudge::At(scope.now);
  const auto read = store.ReadCatalog(
      [&context](store::TargetRecord&& record) {
        if (!CountsAsTarget(record.target)) return;
        DriftContext::Known& known = context.targets.Obtain(record.target);
        known.on_record = true;
        known.observed = record.observed;
        context.grants += record.grants;
        context.undeclared += record.undeclared;
      },
      [&](store::ResourceRecord&& record) {
        Take(record, scope.mode, context);
        TakeExpiring(record, scope, judge, context);
      });
  if (!read) return Fail(read.error());
  std::ranges::sort(context.failing, {}, &FailingResource::resource);
  std::ranges::sort(context.expiring, {}, [](const ExpiringGrants& entry) {
    return std::tie(entry.ends_at, entry.resource);
  });
  if (auto held = ReadHold(store, context); !held) return Fail(held.error());
  return context;
}

std::int64_t DriftContext::CountExpiring() const {
  std::int64_t count = 0;
  for (const ExpiringGrants& entry : expiring) count += entry.grants;
  return count;
}

std::string ActionOn(const store::DriftEntry& entry, const DriftContext& context) {
  constexpr std::size_t kShownDigest = 12;
  const store::DriftRecord& record = entry.record;
  switch (record.item.state) {
    case DriftState::kCorrected:
      if (record.resolved_by == "elsewhere") return "put right elsewhere";
      return Done(record.item.drift_class);
    case DriftState::kHeld:
      if (context.hold.empty()) return "waits for approval: bindery guard";
      return "waits for: bindery guard approve " + context.hold.substr(0, kShownDigest);
    case DriftState::kAccepted:
      if (record.item.drift_class == DriftClass::kJustInTime) {
        return "none: just-in-time access " +
               AcceptanceInWords(record.item.acceptance.value_or(Acceptance()));
      }
      return "none: accepted " + AcceptanceInWords(record.item.acceptance.value_or(Acceptance()));
    case DriftState::kNoted:
      return record.item.drift_class == DriftClass::kTombstone
                 ? "none: the next write of its role drops it"
                 : "none: write the name that the service stores";
    case DriftState::kOpen:
      break;
  }
  return ActionOnOpen(entry, context);
}

}  // namespace bindery::report
