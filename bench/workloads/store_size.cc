// What the store takes on disk: for each binding, and for a history of small changes.

#include "workloads/workloads.h"

namespace bindery::bench {
namespace {

constexpr double kMostBytesABinding = 1536;
constexpr double kMostHistoryMiB = 5;

void MeasureBindings(Bench& bench, std::size_t per_target) {
  Shape shape;
  shape.bindings_per_target = per_target;
  shape.targets = 10'000 / per_target;
  shape.bindings_per_file = 10;
  Scene scene(bench, shape);
  std::ignore = scene.daemon.RunOnce();
  bench.Add(AtMost(
      Plain("10,000 bindings after their first pass, " + std::to_string(per_target) + " a target",
            "bytes a binding", {scene.daemon.StoreBytes() / 10'000}),
      kMostBytesABinding));
}

void MeasureHistory(Bench& bench) {
  constexpr std::size_t kMembers = 1'500;
  constexpr std::size_t kChanges = 1'000;
  Shape shape;
  shape.targets = 1;
  DaemonSettings settings;
  settings.debounce = "5ms";
  settings.settle = "0s";
  Scene scene(bench, shape, settings);
  WriteLongBinding(scene.manifests(), kMembers, kMembers);
  std::ignore = scene.daemon.RunOnce();
  const double before = scene.daemon.StoreBytes();
  scene.cloud.ResetCounts();
  scene.daemon.Start();
  scene.daemon.AwaitLog("first pass done");
  for (std::size_t change = 0; change < kChanges; ++change) {
    // One member less, then that member back and another one less, and so on.
    WriteLongBinding(scene.manifests(), kMembers, change);
    scene.cloud.AwaitCalls({0, change + 1});
  }
  scene.daemon.Stop();
  const double grown = (scene.daemon.StoreBytes() - before) / (1 << 20);
  bench.Add(AtMost(Plain("1,000 small changes of a 1,500-member policy add", "MiB", {grown}),
                   kMostHistoryMiB));
}

}  // namespace

void StoreSize(Bench& bench) {
  for (const std::size_t per_target : {1UL, 10UL}) MeasureBindings(bench, per_target);
  MeasureHistory(bench);
}

}  // namespace bindery::bench
