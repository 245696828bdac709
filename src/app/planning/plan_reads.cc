// The reads of plans, within the quotas of the controller's work.

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/planning/plan_desk.h"
#include "app/planning/plan_errors.h"
#include "controller/calls/quota_lane.h"
#include "core/text/time_text.h"

namespace bindery::app {

using std::chrono::milliseconds;

/// The gate's answer about a read.
struct PlanDesk::Turn {
  bool go = false;
  std::chrono::nanoseconds wait{0};  ///< Until it is worth asking again; after a go, the pace.
  MonoTime now;
  std::string away;  ///< Why its host is not asked; empty when it may be.
};

PlanDesk::Turn PlanDesk::AskForTurn(controller::Engine& engine, const controller::QuotaKey& lane,
                                    const controller::Now& now) {
  const controller::CallGate::Verdict verdict =
      engine.schedule().calls().gate().Acquire(lane, /*urgent=*/false, now.mono);
  Turn said{verdict.go, verdict.ask_again - now.mono, now.mono, {}};
  const controller::CircuitBreaker* breaker =
      engine.schedule().calls().gate().FindBreaker(lane.host);
  if (verdict.host_is_away && breaker != nullptr) said.away = breaker->last_error();
  const double rate = engine.schedule().calls().gate().Rate(lane, now.mono);
  if (verdict.go && rate > 0) {
    // As long again as the read itself takes of the quota: that is left to the controller.
    said.wait = std::chrono::duration_cast<std::chrono::nanoseconds>(
        std::chrono::duration<double>(2 / rate));
  }
  return said;
}

std::optional<Error> PlanDesk::WaitForTurn(const controller::QuotaKey& lane,
                                           MonoTime patience_ends) {
  while (true) {
    const auto turn = OnLoop<Turn>([lane](controller::Engine& engine, const controller::Now& now) {
      return AskForTurn(engine, lane, now);
    });
    if (!turn) return DaemonEnds();
    if (!turn->away.empty()) {
      return Error{Code::kUnavailable,
                   "calls to " + lane.host + " wait until it answers; " + turn->away};
    }
    if (!turn->go && (turn->wait > kLongestWait || turn->now + turn->wait > patience_ends)) {
      return NoRoomForPlan("the quota of provider " + lane.provider + " has no room for " +
                               FormatAge(std::chrono::ceil<milliseconds>(turn->wait)) +
                               ": ask for fewer by name, or later",
                           turn->wait);
    }
    if (turn->wait.count() > 0 && !Sleep(turn->wait)) return DaemonEnds();
    if (turn->go) return std::nullopt;
  }
}

Expected<std::string> PlanDesk::Read(const controller::CheckJob& job, MonoTime patience_ends) {
  const std::string& target = job.target.name;
  const controller::QuotaKey lane =
      controller::ChooseLane(job.provider, *job.kind, *job.connection, target,
                             controller::NameApi(*job.kind, *job.connection, target));
  {
    // In sequence: each leaves as much of the quota as it takes.
    const MutexLock turn(turns_);
    if (IsEnding()) return Fail(DaemonEnds());
    if (auto refusal = WaitForTurn(lane, patience_ends)) return Fail(*std::move(refusal));
  }
  Expected<std::string> answered = controller::FetchPolicy(job);
  const std::optional<Error> error = answered ? std::nullopt : std::optional(answered.error());
  post_([lane, name = job.target.Key(), connection = job.connection, error](
            controller::Engine& engine, const controller::Now& now) {
    std::vector<cloud::RateLimitReading> readings;
    if (connection->rate_limits != nullptr) readings = connection->rate_limits->Take();
    engine.schedule().calls().gate().Release(lane, error ? name : "", error ? &*error : nullptr,
                                             readings, now.mono);
  });
  return answered;
}

}  // namespace bindery::app
