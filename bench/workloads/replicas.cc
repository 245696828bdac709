// How many checks replicas make together that share them, each with so few calls at once that their
// number is the limit, and what a check costs them.

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "harness/database.h"
#include "workloads/workloads.h"

namespace bindery::bench {
namespace {

constexpr std::chrono::milliseconds kAway(20);
constexpr std::size_t kCallsAtOnce = 8;
/// More than can be checked in the interval of a second.
constexpr std::size_t kMostTargets = 4'000;
constexpr double kMicros = 1e6;
/// Until those that help are asked for as much as they can do.
constexpr double kWarmUpSeconds = 10;
constexpr double kSeconds = 15;

struct Together {
  std::vector<double> checks, cpu_at_work, cpu_of_all, statements, shared;
};

/// One that stands by, in a folder of its own.
struct Helper {
  explicit Helper(const Bench& bench) : daemon(bench.options().bindery, folder / "", "") {}
  TempFolder folder;
  Daemon daemon;
};

void Measure(const Bench& bench, const Shape& shape, std::size_t replicas, Together& together) {
  Database database(kAway);
  database.Begin();
  DaemonSettings settings;
  settings.store_url = database.Url();
  settings.concurrency = 256;
  settings.share_checks = true;
  Scene scene(bench, shape, settings);
  std::ignore = scene.daemon.RunOnce();
  scene.cloud.SetLatency(kAway);
  scene.settings.interval = "1s";
  scene.settings.concurrency = kCallsAtOnce;
  scene.daemon.Configure(scene.settings);
  scene.daemon.Start();
  scene.daemon.AwaitLog("first pass done");
  std::vector<std::unique_ptr<Helper>> helpers;
  settings = scene.settings;
  settings.manifests = scene.manifests();
  while (helpers.size() + 1 < replicas) {
    const auto& helper = helpers.emplace_back(std::make_unique<Helper>(bench));
    helper->daemon.Configure(settings);
    helper->daemon.Start();
    helper->daemon.AwaitLog("reads targets for the replica at work");
  }
  Pause(kWarmUpSeconds);
  const auto cpu_of_helpers = [&helpers] {
    double sum = 0;
    for (const auto& helper : helpers) sum += helper->daemon.process().CpuSeconds();
    return sum;
  };
  const DatabaseWork before = database.Work();
  const double at_work = scene.daemon.process().CpuSeconds();
  const double helping = cpu_of_helpers();
  const double shared = scene.daemon.Metric("bindery_shared_checks_total");
  scene.cloud.ResetCounts();
  Pause(kSeconds);
  const auto checks = static_cast<double>(scene.cloud.Counted().reads);
  const double spent = scene.daemon.process().CpuSeconds() - at_work;
  together.checks.push_back(checks / kSeconds);
  together.cpu_at_work.push_back(spent / checks * kMicros);
  together.cpu_of_all.push_back((spent + cpu_of_helpers() - helping) / checks * kMicros);
  together.statements.push_back((database.Work() - before).statements / checks);
  together.shared.push_back((scene.daemon.Metric("bindery_shared_checks_total") - shared) / checks);
  for (const auto& helper : helpers) helper->daemon.Stop();
  scene.daemon.Stop();
}

}  // namespace

void ReplicasThatShare(Bench& bench) {
  if (!Database::Installed()) {
    bench.Say(
        "no PostgreSQL server is installed here (package postgresql-15): nothing is measured");
    return;
  }
  Shape shape;
  shape.targets = std::min(bench.options().targets, kMostTargets);
  shape.bindings_per_file = 10;
  Together alone;
  for (const std::size_t replicas : {1U, 2U, 4U}) {
    Together together;
    for (std::size_t run = 0; run < bench.options().runs; ++run) {
      Measure(bench, shape, replicas, together);
    }
    if (replicas == 1) alone = together;
    const std::string of =
        ", " + std::to_string(replicas) + (replicas == 1 ? " replica" : " replicas");
    bench.Add(Against("checks" + of, "a second", together.checks, alone.checks));
    bench.Add(Plain("CPU of the one at work" + of, "µs a check", together.cpu_at_work));
    bench.Add(Plain("CPU of all" + of, "µs a check", together.cpu_of_all));
    bench.Add(Plain("statements" + of, "a check", together.statements));
    bench.Add(Plain("checks made by others" + of, "of all", together.shared));
  }
}

}  // namespace bindery::bench
