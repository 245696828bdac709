#include "app/planning/plan_desk.h"

#include <algorithm>
#include <future>
#include <iterator>
#include <memory>
#include <utility>

#include "app/directory/preview.h"
#include "controller/calls/quota_lane.h"
#include "controller/engine/plan_part.h"
#include "core/text/time_text.h"
#include "report/reports/plan_report.h"

namespace bindery::app {
namespace {

using std::chrono::milliseconds;

/// How often a wait for the loop's thread checks whether it is time to end.
constexpr milliseconds kGlance{50};

Error Ending() { return {Code::kUnavailable, "the daemon stops"}; }

Error Exhausted(const std::string& what, std::chrono::nanoseconds wait) {
  Error error{Code::kResourceExhausted, what};
  error.retry_after = std::chrono::ceil<std::chrono::seconds>(wait);
  return error;
}

bool WaitsForValues(const controller::Claims::Resources::value_type& item) {
  const auto& [name, entry] = item;
  return !entry.accepted && entry.standing.status->reason == reason::kDependencyNotReady;
}

}  // namespace

/// The gate's answer about a read.
struct PlanDesk::Turn {
  bool go = false;
  std::chrono::nanoseconds wait{0};  ///< Until it is worth asking again; after a go, the pace.
  MonoTime now;
  std::string away;  ///< Why its host is not asked; empty when it may be.
};

PlanDesk::PlanDesk(Post post, std::function<std::string()> load_error,
                   controller::PolicyReader policies, Finish finish, std::size_t targets_of_part)
    : post_(std::move(post)),
      load_error_(std::move(load_error)),
      policies_(std::move(policies)),
      finish_(std::move(finish)),
      targets_of_part_(targets_of_part),
      worker_([this] { Work(); }) {}

PlanDesk::~PlanDesk() {
  {
    const MutexLock lock(mutex_);
    ending_ = true;
  }
  changed_.NotifyAll();
  worker_.join();
  for (const Order& order : waiting_) {
    for (const Reply& reply : order.replies) reply(Fail(Ending()));
  }
}

void PlanDesk::Ask(std::vector<std::string> names, server::PlanAsker asker,
                   std::shared_ptr<server::PlanLines> lines, const Reply& reply) {
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  Order order{std::move(names), asker, {reply}};
  if (lines != nullptr) order.lines.push_back(std::move(lines));
  Enter(std::move(order));
}

void PlanDesk::AskAboutUpload(server::PlanUpload upload, server::PlanAsker asker,
                              const Reply& reply) {
  Order order{std::move(upload.names), asker, {reply}};
  order.upload = std::move(upload);
  Enter(std::move(order));
}

bool PlanDesk::IsFull(const Order& order) const {
  std::size_t waiting = 0;
  std::size_t uploads = 0;
  for (const Order& other : waiting_) {
    if (other.asker != order.asker) continue;
    ++waiting;
    if (other.upload) ++uploads;
  }
  return waiting >= kMostWaiting || (order.upload && uploads >= kMostUploads);
}

void PlanDesk::Enter(Order order) {
  const std::vector<Reply> replies = order.replies;
  bool full = false;
  {
    const MutexLock lock(mutex_);
    const auto same = std::ranges::find_if(waiting_, [&](const Order& other) {
      return !order.upload && !other.upload && other.asker == order.asker &&
             other.names == order.names && other.lines.empty() == order.lines.empty();
    });
    full = same == waiting_.end() && IsFull(order);
    if (same != waiting_.end()) {
      same->replies.push_back(replies.front());
      std::ranges::copy(order.lines, std::back_inserter(same->lines));
    } else if (!full) {
      waiting_.push_back(std::move(order));
    }
  }
  changed_.NotifyAll();
  if (!full) return;
  replies.front()(Fail(Exhausted("too many plans wait for their turn", std::chrono::seconds(5))));
}

std::optional<PlanDesk::Order> PlanDesk::Next() {
  const MutexLock lock(mutex_);
  changed_.Wait(mutex_, [this]() REQUIRES(mutex_) { return ending_ || !waiting_.empty(); });
  if (ending_) return std::nullopt;
  auto next = std::ranges::find(waiting_, server::PlanAsker::kLocal, &Order::asker);
  if (next == waiting_.end()) next = waiting_.begin();
  Order order = std::move(*next);
  waiting_.erase(next);
  return order;
}

void PlanDesk::Work() {
  while (const std::optional<Order> order = Next()) {
    const Expected<report::PassPlan> plan = Make(*order);
    for (const Reply& reply : order->replies) reply(plan);
  }
}

template <typename Answer>
std::optional<Answer> PlanDesk::OnLoop(
    std::function<Answer(controller::Engine&, const controller::Now&)> ask) {
  const auto promise = std::make_shared<std::promise<Answer>>();
  std::future<Answer> answer = promise->get_future();
  post_([promise, ask = std::move(ask)](controller::Engine& engine, const controller::Now& now) {
    promise->set_value(ask(engine, now));
  });
  while (answer.wait_for(kGlance) != std::future_status::ready) {
    const MutexLock lock(mutex_);
    if (ending_) return std::nullopt;
  }
  try {
    return answer.get();
  } catch (const std::future_error&) {
    return std::nullopt;  // The loop dropped it.
  }
}

bool PlanDesk::Sleep(std::chrono::nanoseconds time) {
  const MutexLock lock(mutex_);
  return !changed_.WaitFor(mutex_, time, [this]() REQUIRES(mutex_) { return ending_; });
}

Expected<PlanDesk::Asked> PlanDesk::Begin(const Order& order, Twin twin) {
  auto asked =
      OnLoop<Expected<Asked>>([this, &order, twin](controller::Engine& engine,
                                                   const controller::Now& now) -> Expected<Asked> {
        const controller::Catalog& catalog = engine.catalog();
        if (twin == Twin::kOfNone) return Asked{nullptr, load_error_()};
        // Uploaded manifests may differ.
        if (auto checked = CheckPlanned(catalog, order.names); !checked && !order.upload) {
          return Fail(checked.error());
        }
        const auto part =
            twin == Twin::kOfPart ? controller::FindPart(catalog, order.names) : std::nullopt;
        auto run = part ? std::make_unique<controller::DryRun>(engine, *part, now)
                        : std::make_unique<controller::DryRun>(engine, now);
        return Asked{std::move(run), load_error_(), part.has_value()};
      });
  if (!asked) return Fail(Ending());
  return *std::move(asked);
}

Expected<report::PassPlan> PlanDesk::Make(const Order& order) {
  const MonoTime patience_ends = std::chrono::steady_clock::now() + kLongest;
  controller::DryRun::Reads reads;
  reads.fetch = [this, patience_ends](const controller::CheckJob& job) {
    return Read(job, patience_ends);
  };
  reads.at_once = kMostReads;
  reads.stored = policies_;
  if (!order.upload) {
    GatheredPlan gathered(order.lines);
    auto made = order.names.empty() ? MakeOfAll(order, reads, gathered)
                                    : MakeOfNames(order, reads, gathered);
    if (!made) return Fail(made.error());
    report::PassPlan plan = std::move(gathered).Take();
    plan.load_error = *std::move(made);
    if (auto finished = finish_(plan, order.names); !finished) return Fail(finished.error());
    return plan;
  }
  auto asked = Begin(order, Twin::kOfAll);
  if (!asked) return Fail(asked.error());
  return MakePassPlan(*order.upload, order, *asked->run, reads);
}

Expected<std::string> PlanDesk::MakeOfNames(const Order& order,
                                            const controller::DryRun::Reads& reads,
                                            GatheredPlan& gathered) {
  auto asked = Begin(order, Twin::kOfPart);
  if (!asked) return Fail(asked.error());
  auto plan = MakePlan(*asked->run, order.names, reads);
  if (!plan) return Fail(plan.error());
  const controller::OpenOutcomes open = controller::FindOpenOutcomes(*asked->run);
  if (asked->is_part && !open.empty()) {
    asked->run.reset();
    return MakeAtOnce(order, reads, gathered);
  }
  gathered.Add(*std::move(plan));
  return std::move(asked->load_error);
}

Expected<std::string> PlanDesk::MakeAtOnce(const Order& order,
                                           const controller::DryRun::Reads& reads,
                                           GatheredPlan& gathered) {
  gathered.Clear();
  auto asked = Begin(order, Twin::kOfAll);
  if (!asked) return Fail(asked.error());
  auto plan = MakePlan(*asked->run, order.names, reads);
  if (!plan) return Fail(plan.error());
  asked->run.reset();
  gathered.Add(*std::move(plan));
  return std::move(asked->load_error);
}

Expected<std::string> PlanDesk::MakeOfAll(const Order& order,
                                          const controller::DryRun::Reads& reads,
                                          GatheredPlan& gathered) {
  const auto targets = ListTargets();
  if (!targets) return Fail(targets.error());
  Rest rest;
  rest.is_all = targets->empty();
  for (auto first = targets->begin(); !rest.is_all && first != targets->end();) {
    const auto end = first + std::min<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(targets_of_part_),
                                                      targets->end() - first);
    const auto added = AddPart({first, end}, reads, gathered, rest);
    if (!added) return Fail(added.error());
    first = end;
  }
  if (rest.is_all) return MakeAtOnce(order, reads, gathered);
  const Order others{std::move(rest.names), order.asker};
  if (others.names.empty()) {
    auto asked = Begin(others, Twin::kOfNone);
    return asked ? Expected<std::string>(std::move(asked->load_error)) : Fail(asked.error());
  }
  auto asked = Begin(others, rest.twin);
  if (!asked) return Fail(asked.error());
  auto plan = MakePlan(*asked->run, others.names, reads);
  if (!plan) return Fail(plan.error());
  gathered.Add(*std::move(plan));
  return std::move(asked->load_error);
}

Expected<void> PlanDesk::AddPart(std::vector<TargetKey> targets,
                                 const controller::DryRun::Reads& reads, GatheredPlan& gathered,
                                 Rest& rest) {
  struct Part {
    controller::PlannedPart part = {};
    std::unique_ptr<controller::DryRun> run = {};
  };
  auto begun = OnLoop<Part>(
      [targets = std::move(targets)](controller::Engine& engine, const controller::Now& now) {
        auto part = controller::FindPlannedPart(engine.catalog(), targets);
        if (!part) return Part();
        auto run = std::make_unique<controller::DryRun>(engine, part->claims, now);
        return Part{*std::move(part), std::move(run)};
      });
  if (!begun) return Fail(Ending());
  rest.is_all = begun->run == nullptr;
  if (rest.is_all) return {};
  controller::PlannedPart& part = begun->part;
  if (!part.others.empty()) rest.twin = Twin::kOfAll;
  std::ranges::move(part.others, std::back_inserter(rest.names));
  if (part.names.empty()) return {};
  auto plan = MakePlan(*begun->run, part.names, reads);
  if (!plan) return Fail(plan.error());
  plan->guard.reset();  // All removals are planned at the end.
  const controller::OpenOutcomes open = controller::FindOpenOutcomes(*begun->run);
  if (open.need_all) rest.twin = Twin::kOfAll;
  std::ranges::copy_if(part.names, std::back_inserter(rest.names),
                       [&](const std::string& name) { return open.resources.contains(name); });
  gathered.Add(open.resources.empty() ? *std::move(plan)
                                      : report::PlanWithout(*std::move(plan), open.resources));
  return {};
}

Expected<std::vector<TargetKey>> PlanDesk::ListTargets() {
  auto listed = OnLoop<std::vector<TargetKey>>(
      [](controller::Engine& engine, const controller::Now& /*now*/) {
        const controller::Claims& claims = engine.catalog().claims();
        std::vector<TargetKey> targets;
        if (std::ranges::any_of(claims.resources(), WaitsForValues)) return targets;
        targets.reserve(claims.targets().size());
        for (const auto& [key, target] : claims.targets()) targets.push_back(key);
        return targets;
      });
  if (!listed) return Fail(Ending());
  std::ranges::sort(*listed);
  return *std::move(listed);
}

Expected<report::PassPlan> PlanDesk::MakePassPlan(const server::PlanUpload& upload,
                                                  const Order& order, controller::DryRun& run,
                                                  const controller::DryRun::Reads& reads) {
  const bool knows = HasManifestsInForce(run.catalog());
  if (auto taken = TakeAsNext(ScanOfUpload(upload, run.catalog().kinds()), run); !taken) {
    return Fail(taken.error());
  }
  Expected<report::PassPlan> plan = MakePlan(run, order.names, reads);
  if (!plan) return plan;
  AddProblemsFor(run, order.names, *plan);
  if (!knows) plan->deletions_unknown = "the daemon has no manifests in force";
  return plan;
}

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
    if (!turn) return Ending();
    if (!turn->away.empty()) {
      return Error{Code::kUnavailable,
                   "calls to " + lane.host + " wait until it answers; " + turn->away};
    }
    if (!turn->go && (turn->wait > kLongestWait || turn->now + turn->wait > patience_ends)) {
      return Exhausted("the quota of provider " + lane.provider + " has no room for " +
                           FormatAge(std::chrono::ceil<milliseconds>(turn->wait)) +
                           ": ask for fewer by name, or later",
                       turn->wait);
    }
    if (turn->wait.count() > 0 && !Sleep(turn->wait)) return Ending();
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
