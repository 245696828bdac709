#include "app/replicas/standby_control.h"

#include <utility>

#include "core/base/json_text.h"

namespace bindery::app {

void StandbyControl::Tell(const store::LeaseHolder* holder, const std::string& why) {
  const MutexLock lock(mutex_);
  holder_ = holder == nullptr ? std::nullopt : std::optional(*holder);
  why_ = why;
}

void StandbyControl::Execute(server::OperatorCommand command, std::string actor, Reply reply) {
  relay_.Ask(ForwardedCall(command), std::move(actor), std::move(reply));
}

void StandbyControl::Plan(std::vector<std::string> names, server::PlanAsker asker,
                          std::shared_ptr<server::PlanLines> lines, Reply reply) {
  relay_.Ask(ForwardedCall::Plan(names, asker), "",
             [lines = std::move(lines), reply = std::move(reply)](Expected<Json> plan) {
               if (plan && lines != nullptr) {
                 for (const Json& line : std::exchange(plan->at("changes"), Json::array())) {
                   lines->Add(CompactJson(line));
                 }
               }
               reply(std::move(plan));
             });
}

void StandbyControl::PlanDirectory(server::PlanUpload upload, server::PlanAsker asker,
                                   Reply reply) {
  relay_.Ask(ForwardedCall::PlanDirectory(upload, asker), "", std::move(reply));
}

void StandbyControl::Metrics(std::function<void(std::string)> reply) { reply(metrics_.Render()); }

report::ActivityReport StandbyControl::Activity() const { return {}; }

std::vector<server::HealthCheck> StandbyControl::Health() const {
  const MutexLock lock(mutex_);
  // Without a loop nothing can be dead: a waiting replica is alive.
  server::HealthCheck standby{"standby", true, "", /*liveness=*/true, "stands by"};
  if (holder_) standby.note += ": the replica on " + holder_->host + " is at work";
  return {std::move(standby), {"store", holder_.has_value(), why_}};
}

}  // namespace bindery::app
