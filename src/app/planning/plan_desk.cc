#include "app/planning/plan_desk.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

#include "app/directory/preview.h"
#include "app/planning/plan_errors.h"
#include "app/process/memory.h"
#include "controller/engine/plan_part.h"
#include "report/reports/plan_report.h"

namespace bindery::app {
namespace {

bool WaitsForValues(const controller::Claims::Resources::value_type& item) {
  const auto& [name, entry] = item;
  return !entry.accepted && entry.standing.status->reason == reason::kDependencyNotReady;
}

/// The targets in force. None where a manifest waits for values of others: these may come from
/// anywhere.
std::vector<TargetKey> ListTargets(const controller::Claims& claims) {
  std::vector<TargetKey> targets;
  if (std::ranges::any_of(claims.resources(), WaitsForValues)) return targets;
  targets.reserve(claims.targets().size());
  for (const auto& [key, target] : claims.targets()) targets.push_back(key);
  return targets;
}

}  // namespace

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
    for (const Reply& reply : order.replies) reply(Fail(DaemonEnds()));
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
  replies.front()(
      Fail(NoRoomForPlan("too many plans wait for their turn", std::chrono::seconds(5))));
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

bool PlanDesk::IsEnding() {
  const MutexLock lock(mutex_);
  return ending_;
}

bool PlanDesk::Sleep(std::chrono::nanoseconds time) {
  const MutexLock lock(mutex_);
  return !changed_.WaitFor(mutex_, time, [this]() REQUIRES(mutex_) { return ending_; });
}

PlanDesk::Asked PlanDesk::MakeTwin(const controller::Engine& engine,
                                   const std::vector<std::string>& names, Twin twin,
                                   const controller::Now& now) {
  const auto part =
      twin == Twin::kOfPart ? controller::FindPart(engine.catalog(), names) : std::nullopt;
  auto run = part ? std::make_unique<controller::DryRun>(engine, *part, now)
                  : std::make_unique<controller::DryRun>(engine, now);
  return {std::move(run), "", part.has_value()};
}

Expected<PlanDesk::Asked> PlanDesk::Begin(const Order& order, Twin twin) {
  auto asked =
      OnLoop<Expected<Asked>>([this, &order, twin](controller::Engine& engine,
                                                   const controller::Now& now) -> Expected<Asked> {
        const controller::Catalog& catalog = engine.catalog();
        // Uploaded manifests may differ.
        if (auto checked = CheckPlanned(catalog, order.names); !checked && !order.upload) {
          return Fail(checked.error());
        }
        Asked begun = MakeTwin(engine, order.names, twin, now);
        begun.load_error = load_error_();
        return begun;
      });
  if (!asked) return Fail(DaemonEnds());
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
  GiveBackMemory();
  return std::move(asked->load_error);
}

Expected<std::string> PlanDesk::MakeOfAll(const Order& order,
                                          const controller::DryRun::Reads& reads,
                                          GatheredPlan& gathered) {
  auto targets = OnLoop<std::vector<TargetKey>>(
      [](controller::Engine& engine, const controller::Now& /*now*/) {
        return ListTargets(engine.catalog().claims());
      });
  if (!targets) return Fail(DaemonEnds());
  std::ranges::sort(*targets);
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
  auto asked = BeginRest(rest);
  if (!asked) return Fail(asked.error());
  if (asked->run != nullptr) {
    auto plan = MakePlan(*asked->run, rest.names, reads);
    if (!plan) return Fail(plan.error());
    asked->run.reset();
    // A manifest may have moved meanwhile to a target whose line is given already.
    gathered.Add(report::PlanOfTargets(*std::move(plan), rest.targets));
  }
  GiveBackMemory();
  return std::move(asked->load_error);
}

/// Without a run where no names are left.
Expected<PlanDesk::Asked> PlanDesk::BeginRest(Rest& rest) {
  auto asked = OnLoop<std::pair<std::vector<std::string>, Asked>>(
      [this, names = rest.names, twin = rest.twin](controller::Engine& engine,
                                                   const controller::Now& now) mutable {
        const controller::Catalog& catalog = engine.catalog();
        std::erase_if(names, [&](const std::string& name) {
          const controller::ResourceEntry* entry = catalog.claims().FindResource(name);
          return entry == nullptr || !entry->accepted;
        });
        Asked begun = names.empty() ? Asked() : MakeTwin(engine, names, twin, now);
        begun.load_error = load_error_();
        return std::pair(std::move(names), std::move(begun));
      });
  if (!asked) return Fail(DaemonEnds());
  rest.names = std::move(asked->first);
  return std::move(asked->second);
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
  if (!begun) return Fail(DaemonEnds());
  rest.is_all = begun->run == nullptr;
  if (rest.is_all) return {};
  controller::PlannedPart& part = begun->part;
  const controller::Catalog& catalog = begun->run->catalog();
  if (!part.others.empty()) rest.twin = Twin::kOfAll;
  for (const auto& [name, target] : part.others) rest.Add(name, target);
  if (part.names.empty()) return {};
  auto plan = MakePlan(*begun->run, part.names, reads);
  if (!plan) return Fail(plan.error());
  plan->guard.reset();  // All removals are planned at the end.
  const controller::OpenOutcomes open = controller::FindOpenOutcomes(*begun->run);
  if (open.need_all) rest.twin = Twin::kOfAll;
  for (const std::string& name : part.names) {
    if (!open.resources.contains(name)) continue;
    rest.Add(name, catalog.claims().FindResource(name)->place.target);
  }
  gathered.Add(open.resources.empty() ? *std::move(plan)
                                      : report::PlanWithout(*std::move(plan), open.resources));
  return {};
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

}  // namespace bindery::app
