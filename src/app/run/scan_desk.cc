#include "app/run/scan_desk.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "inventory/inventory_scan.h"
#include "inventory/targets_to_check.h"
#include "providers/inventory_source.h"

namespace bindery::app {
namespace {

/// After a cut off scan the next scan of a plan begins so soon, and goes on with the cut off scan.
constexpr std::chrono::minutes kNextTry{10};

}  // namespace

ScanDesk::ScanDesk(Parts parts) : parts_(std::move(parts)), metrics_{parts_.metrics} {}

void ScanDesk::Configure(const config::Config& config, Connections connections,
                         controller::CatalogSettings settings) {
  std::vector<Plan> plans;
  for (const auto& [name, provider] : config.providers) {
    const providers::InventorySource* source = providers::FindInventory(provider.type);
    if (source == nullptr) continue;
    const providers::InventoryPlan plan = source->ComposePlan(provider);
    if (!plan.scope.empty()) plans.push_back({name, plan.scope, plan.interval, plan.hints});
  }
  const auto shared = std::make_shared<const Connections>(connections);
  auto asker = MakeGroupAsker(
      config, parts_.clock,
      [shared](const std::string& provider) -> Expected<std::shared_ptr<const cloud::Connection>> {
        const auto found = shared->find(provider);
        if (found != shared->end()) return found->second;
        return Fail(Code::kUnavailable, "the provider is not connected yet");
      });
  const std::vector<Plan> former = Plans();
  {
    const MutexLock lock(mutex_);
    state_.group_asker = std::move(asker);
    state_.connections = std::move(connections);
    state_.settings = std::move(settings);
    state_.plans = std::move(plans);
    state_.files = AccessFiles::Of(config);
    ++state_.configuration;
  }
  // The provider may be another cloud from now on.
  for (const Plan& plan : former) {
    if (plan.hints) parts_.hint({plan.provider});
  }
}

std::optional<ScanDesk::Plan> ScanDesk::HintingPlan(const std::string& provider,
                                                    const std::string& scope) {
  const MutexLock lock(mutex_);
  for (const Plan& plan : state_.plans) {
    if (!plan.hints || plan.provider != provider || plan.scope != scope) continue;
    Memory& memory = memories_[{provider, scope}];
    if (memory.configuration != state_.configuration) memory = {state_.configuration};
    return plan;
  }
  return std::nullopt;
}

controller::CatalogSettings ScanDesk::Settings() const {
  const MutexLock lock(mutex_);
  return state_.settings;
}

Expected<report::Coverage> ScanDesk::MakeCoverage(const server::CoverageAsked& asked) const {
  return CoverageFrom(parts_.store, Settings(), asked, parts_.clock.Wall());
}

Expected<report::AccessRecords> ScanDesk::RecordsWith(const store::ReportReader& store,
                                                      const std::string& permission) const {
  AccessFiles files;
  report::AccessRecords records{store, &parts_.store.inventory()};
  {
    const MutexLock lock(mutex_);
    records.provider_types = state_.settings.provider_types;
    files = state_.files;
    records.group_asker = state_.group_asker;
  }
  if (auto read = files.ReadInto(permission, records); !read) return Fail(read.error());
  return records;
}

Expected<report::InventoryList> ScanDesk::Scans() const {
  // Before the store is read: a scan that ends meanwhile must not look like a cut off scan.
  std::optional<report::InventoryLine> last;
  {
    const MutexLock lock(mutex_);
    last = state_.running ? state_.running : state_.failed;
  }
  const auto known = parts_.store.inventory().Inventories();
  if (!known) return Fail(known.error());
  report::InventoryList list;
  if (last) list.scans.push_back(*last);
  for (const InventoryRecord& scan : *known) {
    const bool is_last =
        last && !scan.finished && last->scope == scan.scope && last->provider == scan.provider;
    if (is_last) continue;
    list.scans.push_back(report::LineOfScan(
        scan, scan.finished ? report::InventoryState::kDone : report::InventoryState::kCutOff));
  }
  return list;
}

Expected<std::shared_ptr<const cloud::Connection>> ScanDesk::FindConnection(
    const std::string& provider, const std::string& scope) const {
  std::map<std::string, std::string> types;
  for (const auto& [name, connection] : state_.connections) types[name] = connection->type;
  const auto found =
      providers::ProviderWithIndex(types, provider, [&](const providers::InventorySource& source) {
        return source.ReadScope(scope).has_value();
      });
  if (found) return state_.connections.at(*found);
  return Fail(Code::kInvalidArgument, provider.empty()
                                          ? "no provider can be scanned"
                                          : "no provider \"" + provider + "\" can be scanned");
}

Expected<report::InventoryLine> ScanDesk::Begin(const std::string& scope,
                                                const std::string& provider,
                                                const std::string& actor) {
  const MutexLock lock(mutex_);
  if (state_.ending) return Fail(Code::kUnavailable, "the daemon ends");
  const auto connection = FindConnection(provider, scope);
  if (!connection) return Fail(connection.error());
  const auto read = providers::FindInventory((*connection)->type)->ReadScope(scope);
  if (!read) return Fail(read.error());
  if (const auto& running = state_.running) {
    if (running->scope == *read && running->provider == (*connection)->provider) return *running;
    return Fail(Code::kFailedPrecondition, "a scan of " + running->scope + " is under way");
  }
  if (worker_.joinable()) worker_.join();
  report::InventoryLine line;
  line.scope = *read;
  line.provider = (*connection)->provider;
  line.started_at = parts_.clock.Wall();
  state_.running = line;
  state_.failed.reset();
  parts_.log.Info("scan begins",
                  {{"scope", line.scope}, {"provider", line.provider}, {"actor", actor}});
  worker_ = std::thread([this, order = Order{*read, *connection}] { Work(order); });
  return line;
}

std::vector<ScanDesk::Plan> ScanDesk::Plans() const {
  const MutexLock lock(mutex_);
  return state_.plans;
}

void ScanDesk::PlanAhead() {
  std::vector<Plan> plans = Plans();
  for (Plan& plan : plans) plan.due = GetDueTime(plan);
  const MutexLock lock(mutex_);
  for (const Plan& looked_up : plans) {
    for (Plan& plan : state_.plans) {
      const bool is_same = plan.provider == looked_up.provider && plan.scope == looked_up.scope &&
                           plan.interval == looked_up.interval;
      if (is_same && !plan.due) plan.due = looked_up.due;
    }
  }
}

void ScanDesk::Tick() {
  const WallTime now = parts_.clock.Wall();
  std::optional<Plan> due;
  {
    const MutexLock lock(mutex_);
    if (state_.running || state_.ending) return;
    for (Plan& plan : state_.plans) {
      if (!plan.due) continue;
      // A clock set back does not put a scan off for longer than the scan's interval.
      if (*plan.due > now + plan.interval) plan.due = now;
      if (due || *plan.due > now) continue;
      plan.due = now + kNextTry;
      due = plan;
    }
  }
  if (!due) return;
  if (const auto begun = Begin(due->scope, due->provider, "bindery"); !begun) {
    parts_.log.Warn("scan not begun", {{"scope", due->scope}, {"reason", ToString(begun.error())}});
  }
}

WallTime ScanDesk::GetDueTime(const Plan& plan) const {
  const auto known = parts_.store.inventory().Inventories();
  WallTime due = parts_.clock.Wall();
  if (!known) return due;
  for (const InventoryRecord& scan : *known) {
    const bool is_meant =
        scan.finished && scan.provider == plan.provider && scan.scope == plan.scope;
    if (is_meant) due = scan.started + plan.interval;
  }
  return due;
}

void ScanDesk::Work(const Order& order) {
  const std::string& provider = order.connection->provider;
  const MonoTime began = parts_.clock.Mono();
  const std::optional<Plan> hinting = HintingPlan(provider, order.scope);
  inventory::ScanParts parts{parts_.store.inventory(),
                             *providers::FindInventory(order.connection->type),
                             *order.connection,
                             parts_.clock,
                             [this](std::chrono::milliseconds time) { return Wait(time); },
                             [this](const InventoryRecord& scan) { Note(scan); }};
  if (hinting) parts.memory = &memories_[{provider, order.scope}].pages;
  const Expected<InventoryRecord> scan = inventory::ScanInventory(parts, order.scope);
  if (scan) {
    parts_.log.Info("scan done", {{"scope", scan->scope},
                                  {"pages", scan->pages},
                                  {"policies", scan->policies},
                                  {"containers", scan->containers}});
    if (hinting) {
      Compare(*scan, *hinting, began);
    } else {
      std::ignore = CheckChanged(*scan);
    }
  } else {
    // What the scans before say is too old from now on.
    if (hinting) parts_.hint({provider});
    parts_.log.Warn("scan cut off", {{"scope", order.scope}, {"reason", ToString(scan.error())}});
  }
  const MutexLock lock(mutex_);
  if (scan) {
    for (Plan& plan : state_.plans) {
      if (plan.scope == scan->scope && plan.provider == scan->provider) {
        plan.due = scan->started + plan.interval;
      }
    }
  } else {
    report::InventoryLine line = state_.running.value_or(report::InventoryLine());
    line.state = report::InventoryState::kCutOff;
    line.error = ToString(scan.error());
    state_.failed = std::move(line);
  }
  state_.running.reset();
}

std::optional<ScanDesk::Comparison> ScanDesk::CheckChanged(const InventoryRecord& scan) {
  // Before the store is read: what changes meanwhile is compared the next time.
  const auto content = parts_.store.ContentVersion();
  const auto facts = parts_.store.inventory().Inventory(scan.id);
  auto compared = facts ? inventory::CompareTargets(parts_.store, *facts, Settings())
                        : Expected<inventory::ComparedTargets>(Fail(facts.error()));
  Measure();
  if (!compared) {
    parts_.log.Warn("scan not compared", {{"reason", ToString(compared.error())}});
    return std::nullopt;
  }
  if (!compared->changed.empty()) {
    parts_.log.Info("scan shows changes", {{"resources", compared->changed.size()}});
    parts_.check(std::move(compared->changed));
  }
  return Comparison{
      scan.id, content,
      std::make_shared<const controller::TargetPolicies>(std::move(compared->unchanged))};
}

void ScanDesk::Compare(const InventoryRecord& scan, const Plan& plan, MonoTime began) {
  Memory& memory = memories_[{plan.provider, plan.scope}];
  std::optional<Comparison>& last = memory.comparison;
  const bool stands = memory.pages.same && last && last->scan == scan.id && last->content &&
                      last->content == parts_.store.ContentVersion();
  if (stands) {
    MeasureAge();
  } else {
    last = CheckChanged(scan);
  }
  controller::HintedTargets hinted{plan.provider};
  // Of a scan that was carried on, some pages may be old.
  if (last && memory.pages.scan == scan.id) {
    const MonoTime::duration age = parts_.clock.Mono() - began;
    hinted.targets = last->unchanged;
    hinted.until = {began + 2 * plan.interval,
                    parts_.clock.Wall() +
                        std::chrono::duration_cast<WallTime::duration>(2 * plan.interval - age)};
  }
  // Under the lock: Configure() takes back the hints that were given before it.
  const MutexLock lock(mutex_);
  if (memory.configuration == state_.configuration) parts_.hint(std::move(hinted));
}

void ScanDesk::Note(const InventoryRecord& scan) {
  const MutexLock lock(mutex_);
  state_.running = report::LineOfScan(scan, report::InventoryState::kRunning);
}

void ScanDesk::Measure() {
  const auto known = parts_.store.inventory().Inventories();
  if (!known) {
    parts_.log.Warn("coverage not counted", {{"reason", ToString(known.error())}});
    return;
  }
  std::set<std::string> providers;
  for (const InventoryRecord& scan : *known) {
    if (scan.finished) providers.insert(scan.provider);
  }
  std::optional<WallTime> oldest;
  report::CoverageClasses grants;
  const auto each_class = [](auto&& take) {
    std::apply([&](const auto&... fields) { (take(fields), ...); },
               report::kFields<report::CoverageClasses>);
  };
  for (const std::string& provider : providers) {
    const Expected<report::Coverage> coverage = MakeCoverage({.provider = provider});
    if (!coverage) {
      parts_.log.Warn("coverage not counted",
                      {{"provider", provider}, {"reason", ToString(coverage.error())}});
      continue;
    }
    oldest = std::min(oldest.value_or(coverage->as_of), coverage->as_of);
    each_class([&](const auto& field) { grants.*field.value += coverage->classes.*field.value; });
  }
  if (!oldest) return;
  metrics_.as_of.Set(*oldest);
  each_class([&](const auto& field) { metrics_.grants.Set(grants.*field.value, {field.name}); });
}

void ScanDesk::MeasureAge() {
  const auto known = parts_.store.inventory().Inventories();
  if (!known) return;
  std::map<std::string, const InventoryRecord*> last;
  for (const InventoryRecord& scan : *known) {
    if (!scan.finished) continue;
    const InventoryRecord*& of = last[scan.provider];
    if (of == nullptr || *scan.finished > *of->finished) of = &scan;
  }
  std::optional<WallTime> oldest;
  for (const auto& [provider, scan] : last) {
    oldest = std::min(oldest.value_or(scan->started), scan->started);
  }
  if (oldest) metrics_.as_of.Set(*oldest);
}

std::shared_ptr<const report::UnmanagedGrants> ScanDesk::Unmanaged() {
  constexpr std::chrono::minutes kKept{1};
  auto scans = parts_.store.inventory().Inventories();
  if (!scans) return nullptr;
  std::erase_if(*scans, [](const InventoryRecord& scan) { return !scan.finished; });
  KeptUnmanaged now{*std::move(scans), parts_.store.ContentVersion(), 0, parts_.clock.Mono()};
  {
    const MutexLock lock(mutex_);
    now.configuration = state_.configuration;
    const bool same_scans =
        unmanaged_.scans == now.scans && unmanaged_.configuration == now.configuration;
    // What could not be counted is tried again.
    const bool same_record =
        now.content && unmanaged_.content == now.content && unmanaged_.grants != nullptr;
    if (same_scans && (same_record || now.counted - unmanaged_.counted < kKept)) {
      return unmanaged_.grants;
    }
  }
  auto counted = UnmanagedIn(parts_.store, Settings(), parts_.clock.Wall());
  if (!counted) {
    parts_.log.Warn("unmanaged grants not counted", {{"reason", ToString(counted.error())}});
  } else {
    now.grants = *std::move(counted);
  }
  const MutexLock lock(mutex_);
  unmanaged_ = std::move(now);
  return unmanaged_.grants;
}

bool ScanDesk::Wait(std::chrono::milliseconds time) {
  const MutexLock lock(mutex_);
  changed_.WaitFor(mutex_, time, [this]() REQUIRES(mutex_) { return state_.ending; });
  return !state_.ending;
}

void ScanDesk::End() {
  std::thread worker;
  {
    const MutexLock lock(mutex_);
    state_.ending = true;
    changed_.NotifyAll();
    worker = std::move(worker_);
  }
  if (worker.joinable()) worker.join();
}

}  // namespace bindery::app
