#include "controller/work/work_report.h"

#include <algorithm>
#include <utility>

namespace bindery::controller {
TargetReport MakeReport(const TargetUnderWork& work, WorkAction action, const Error* error,
                        std::string message) {
  constexpr std::size_t kNamesShown = 3;
  TargetReport report;
  report.target = work.job->target;
  std::size_t shown = 0;
  for (const DeclaredClaim& claim : work.job->declared) {
    if (claim.manifest == nullptr) continue;
    if (++shown > kNamesShown) {
      report.resources += ",…";
      break;
    }
    report.resources += (report.resources.empty() ? "" : ",") + claim.manifest->name;
  }
  report.action = action;
  report.message = std::move(message);
  report.duration = work.times.spent;
  report.queued = std::max<MonoTime::duration>(work.times.started - work.taken.due, {});
  if (work.taken.priority == Priority::kPeriodic) report.lateness = report.queued;
  report.result = error == nullptr                ? WorkResult::kRequeueAfter
                  : error->code == Code::kAborted ? WorkResult::kRequeue
                                                  : WorkResult::kError;
  if (action == WorkAction::kWritten) {
    report.written = work.decision.written;
  }
  if (error != nullptr) {
    report.error = error->code;
    report.unexpected = error->unexpected;
  }
  report.trigger = work.taken.priority;
  if (work.job->connection != nullptr) report.provider = work.job->connection->provider;
  report.trace = work.job->trace;
  report.trace_parent = work.origin.trace_parent;
  report.pass = work.origin.pass;
  report.started = work.times.started;
  return report;
}

}  // namespace bindery::controller
