// Targets that are not as they should be yet: each read once and written once.

#include "workloads/workloads.h"

namespace bindery::bench {
namespace {

constexpr std::size_t kTargets = 10'000;
constexpr double kMostTimesFloor = 1.2;
constexpr double kMicros = 1e6;

void Measure(Bench& bench, const Shape& shape, std::size_t concurrency) {
  constexpr std::chrono::milliseconds kLatency(20);
  std::vector<double> wall, floor, cpu;
  DaemonSettings settings;
  settings.concurrency = concurrency;
  Scene scene(bench, shape, settings);
  const std::string seed = MakeSeed(shape);
  bench.InTurns(
      [&] {
        scene.cloud.Replace(seed);
        scene.daemon.RemoveState();
        scene.cloud.SetLatency(kLatency);
        scene.cloud.ResetCounts();
        scene.daemon.Start();
        scene.cloud.AwaitCalls({1, 0});
        const double begun = scene.daemon.SinceStart();
        const double cpu_before = scene.daemon.process().CpuSeconds();
        scene.cloud.AwaitCalls({kTargets, kTargets});
        wall.push_back(scene.daemon.SinceStart() - begun);
        cpu.push_back((scene.daemon.process().CpuSeconds() - cpu_before) / kTargets * kMicros);
        scene.daemon.Stop();
      },
      [&] {
        scene.cloud.SetLatency(kLatency);
        const Json bare = bench.BareReads(scene.cloud, kTargets, concurrency);
        const double network = static_cast<double>(kTargets) *
                               std::chrono::duration<double>(kLatency).count() /
                               static_cast<double>(concurrency);
        floor.push_back(2 * std::max(network, bare.at("wallSeconds").get<double>()));
      });
  const std::string label = "20 ms, " + std::to_string(concurrency) + " in flight";
  bench.Add(AtMostTimes(Against("read and written, " + label, "s", wall, floor), kMostTimesFloor));
  bench.Add(Plain("its CPU, " + label, "µs a target", cpu));
}

}  // namespace

void FirstPass(Bench& bench) {
  Shape shape;
  shape.targets = kTargets;
  shape.bindings_per_file = 10;
  for (const std::size_t concurrency : {32UL, 256UL}) Measure(bench, shape, concurrency);
}

}  // namespace bindery::bench
