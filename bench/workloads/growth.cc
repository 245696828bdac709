// How costs grow from a hundred bindings to a hundred thousand (a million with --full). Ten times
// as many may cost ten times as much, and not more.

#include "workloads/workloads.h"

namespace bindery::bench {
namespace {

constexpr double kMicros = 1e6;
constexpr std::size_t kLargest = 100'000;
constexpr std::size_t kLargestOfAll = 1'000'000;

/// What was measured at one size.
struct Costs {
  double cold_start = 0;  ///< CPU seconds until the manifests are in force.
  double restart = 0;     ///< The same with a store that knows them.
  double idle_pass = 0;   ///< CPU seconds.
  double memory = 0;      ///< Bytes, idle.
  double store = 0;       ///< Bytes.
};

double CpuUntilLoaded(Scene& scene) {
  scene.daemon.Start();
  scene.daemon.AwaitLog("manifests loaded");
  return scene.daemon.process().CpuSeconds();
}

/// The median of as many runs as are asked for.
double Repeat(const Bench& bench, const std::function<double()>& measure) {
  std::vector<double> values;
  for (std::size_t run = 0; run < bench.options().runs; ++run) values.push_back(measure());
  return SpreadOf(values).median;
}

Costs MeasureAt(Bench& bench, std::size_t bindings) {
  bench.Say(Digits(static_cast<double>(bindings)) + " bindings");
  Shape shape;
  shape.bindings_per_target = 10;
  shape.targets = bindings / shape.bindings_per_target;
  shape.bindings_per_file = 10;
  Scene scene(bench, shape);
  Costs costs;
  costs.cold_start = Repeat(bench, [&] {
    scene.daemon.RemoveState();
    const double cpu = CpuUntilLoaded(scene);
    scene.daemon.Kill();
    return cpu;
  });
  scene.daemon.RemoveState();
  // Files that changed just now would be read again at the next start, whatever is on record.
  Pause(2);
  std::ignore = scene.daemon.RunOnce();
  costs.restart = Repeat(bench, [&] {
    const double cpu = CpuUntilLoaded(scene);
    scene.daemon.Stop();
    return cpu;
  });
  scene.daemon.Start();
  scene.daemon.AwaitLog("first pass done");
  const ChildProcess& process = scene.daemon.process();
  // On the corrections of the first pass: no part of an idle one.
  while (scene.daemon.Metric("bindery_drift_reports_total") < 1) Pause(0.01);
  Pause(2);  // Until what is given back on a timer is given back.
  costs.memory = process.ResidentBytes();
  costs.idle_pass = Repeat(bench, [&] {
    const double before = process.CpuSeconds();
    scene.CheckAll();
    return process.CpuSeconds() - before;
  });
  scene.daemon.Stop();
  costs.store = scene.daemon.StoreBytes();
  return costs;
}

}  // namespace

void GrowthSweep(Bench& bench) {
  Growth cold = {"cold_start", "µs of CPU", "bindings", kMicros, 0.1, {}};
  Growth restart = {"restart", "µs of CPU", "bindings", kMicros, 0.1, {}};
  Growth pass = {"idle_pass", "µs of CPU", "targets", kMicros, 0.02, {}};
  Growth memory = {"memory", "bytes", "bindings", 1, 4 << 20, {}};
  Growth store = {"store_size", "bytes", "bindings", 1, 1 << 20, {}};
  // What even an almost empty daemon occupies is no growth.
  const double empty = MeasureAt(bench, 10).memory;
  const std::size_t largest = bench.options().full ? kLargestOfAll : kLargest;
  for (std::size_t bindings = 100; bindings <= largest; bindings *= 10) {
    const Costs costs = MeasureAt(bench, bindings);
    const auto size = static_cast<double>(bindings);
    cold.points.push_back({size, costs.cold_start});
    restart.points.push_back({size, costs.restart});
    pass.points.push_back({size / 10, costs.idle_pass});
    memory.points.push_back({size, std::max(costs.memory - empty, 0.0)});
    store.points.push_back({size, costs.store});
  }
  for (Growth* growth : {&cold, &restart, &pass, &memory, &store}) bench.Add(std::move(*growth));
}

}  // namespace bindery::bench
