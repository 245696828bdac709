// What the daemon occupies, by what is declared, and that it stays so.

#include "workloads/workloads.h"

namespace bindery::bench {
namespace {

constexpr double kMiB = 1 << 20;

struct Occupied {
  double loaded = 0;  ///< After the first pass of a restart.
  double idle = 0;    ///< After three more passes.
};

/// Of a daemon that knows everything already: what it keeps, not what a first pass needed. Passes
/// come by themselves; a request for one would leave its own long answer in memory.
Occupied Measure(Scene& scene, std::size_t targets) {
  scene.cloud.ResetCounts();
  scene.daemon.Start();
  scene.cloud.AwaitCalls({targets, 0});
  Occupied occupied;
  occupied.loaded = scene.daemon.process().ResidentBytes();
  scene.cloud.AwaitCalls({4 * targets, 0});
  occupied.idle = scene.daemon.process().ResidentBytes();
  scene.daemon.Stop();
  return occupied;
}

Occupied MeasureAndAdd(Bench& bench, std::size_t bindings, std::size_t per_target,
                       std::optional<double> most) {
  Shape shape;
  shape.bindings_per_target = per_target;
  shape.targets = bindings / per_target;
  shape.bindings_per_file = 100;
  Scene scene(bench, shape);
  bench.Say("filling the store");
  std::ignore = scene.daemon.RunOnce();
  scene.settings.interval = "2s";
  scene.daemon.Configure(scene.settings);
  std::vector<double> loaded, idle;
  // Memory hardly varies: three runs show it.
  for (std::size_t run = 0; run < std::min<std::size_t>(bench.options().runs, 3); ++run) {
    const Occupied occupied = Measure(scene, shape.targets);
    loaded.push_back(occupied.loaded / kMiB);
    idle.push_back(occupied.idle / kMiB);
  }
  const std::string label = Digits(static_cast<double>(bindings)) + " bindings on " +
                            Digits(static_cast<double>(shape.targets)) + " targets";
  bench.Add(Plain(label + ", loaded", "MiB", loaded));
  Figure figure = Plain(label + ", after 3 idle passes", "MiB", idle);
  bench.Add(most ? AtMost(std::move(figure), *most) : figure);
  return {SpreadOf(loaded).median * kMiB, SpreadOf(idle).median * kMiB};
}

/// Of passes that come by themselves: a request for one is an event, which is kept.
void MeasureGrowthOverPasses(Bench& bench) {
  Shape shape;
  shape.bindings_per_target = 10;
  shape.bindings_per_file = 100;
  constexpr std::size_t kSettling = 4;
  constexpr std::size_t kPasses = 100;
  Scene scene(bench, shape);
  std::ignore = scene.daemon.RunOnce();
  scene.settings.interval = "1s";
  scene.daemon.Configure(scene.settings);
  scene.cloud.ResetCounts();
  scene.daemon.Start();
  scene.cloud.AwaitCalls({kSettling * shape.targets, 0});
  const double memory = scene.daemon.process().ResidentBytes();
  const double store = FileBytes(scene.daemon.Store());
  const double wal = FileBytes(scene.daemon.Store() + "-wal");
  scene.cloud.AwaitCalls({(kSettling + kPasses) * shape.targets, 0});
  const std::string label = "100 idle passes over 1,000 targets add: ";
  bench.Add(AtMost(
      Plain(label + "memory", "MiB", {(scene.daemon.process().ResidentBytes() - memory) / kMiB}),
      1));
  bench.Add(AtMost(Plain(label + "store", "bytes", {FileBytes(scene.daemon.Store()) - store}), 0));
  bench.Add(
      Plain(label + "write-ahead log", "bytes", {FileBytes(scene.daemon.Store() + "-wal") - wal}));
  scene.daemon.Stop();
}

}  // namespace

void Memory(Bench& bench) {
  for (const std::size_t per_target : {1UL, 10UL}) {
    const Occupied small = MeasureAndAdd(bench, 10'000, per_target, 48);
    const Occupied large = MeasureAndAdd(bench, 100'000, per_target, 160);
    bench.Add(Plain("growth, " + std::to_string(per_target) + " a target", "bytes a binding",
                    {(large.idle - small.idle) / 90'000}));
  }
  if (bench.options().full) MeasureAndAdd(bench, 1'000'000, 50, std::nullopt);
  MeasureGrowthOverPasses(bench);
}

}  // namespace bindery::bench
