// From the start of the process until the manifests are in force: without a store, and with one
// that knows them all.

#include <filesystem>

#include "workloads/workloads.h"

namespace bindery::bench {
namespace {

constexpr double kMostTimesFloor = 1.5;
constexpr const char* kLoaded = "manifests loaded";

Shape GetShape(std::size_t bindings, std::size_t files) {
  Shape shape;
  shape.bindings_per_target = 10;
  shape.targets = bindings / shape.bindings_per_target;
  shape.bindings_per_file = bindings / files;
  return shape;
}

std::string Label(const Shape& shape) {
  return Digits(static_cast<double>(shape.bindings())) + " manifests in " +
         Digits(static_cast<double>(shape.bindings() / shape.bindings_per_file)) + " files";
}

void MeasureColdStart(Bench& bench, const Shape& shape) {
  Scene scene(bench, shape);
  std::vector<double> wall, floor, cpu, floor_cpu, peak;
  bench.InTurns(
      [&] {
        scene.daemon.RemoveState();
        scene.daemon.Start();
        scene.daemon.AwaitLog(kLoaded);
        wall.push_back(scene.daemon.SinceStart());
        cpu.push_back(scene.daemon.process().CpuSeconds());
        peak.push_back(scene.daemon.process().PeakResidentBytes() / (1 << 20));
        scene.daemon.Kill();
      },
      [&] {
        const Json events = bench.Floor("parse_events", {scene.manifests()});
        floor.push_back(events.at("wallSeconds"));
        floor_cpu.push_back(events.at("cpuSeconds"));
      });
  bench.Add(AtMostTimes(Against(Label(shape), "s", wall, floor), kMostTimesFloor));
  bench.Add(Against("its CPU", "s", cpu, floor_cpu));
  bench.Add(Plain("its peak memory", "MiB", peak));
}

void MeasureRestart(Bench& bench, const Shape& shape) {
  Scene scene(bench, shape);
  bench.Say("filling the store");
  std::ignore = scene.daemon.RunOnce();
  // A second start takes over what the first could not yet be sure of.
  std::ignore = scene.daemon.RunOnce();
  std::vector<double> wall, floor, cpu, floor_cpu;
  bench.InTurns(
      [&] {
        scene.daemon.Start();
        scene.daemon.AwaitLog(kLoaded);
        wall.push_back(scene.daemon.SinceStart());
        cpu.push_back(scene.daemon.process().CpuSeconds());
        scene.daemon.Stop();
      },
      [&] {
        const Json stat = bench.Floor("stat_tree", {scene.manifests()});
        const Json rows = bench.Floor("read_rows", {scene.daemon.Store(), "resources", "targets",
                                                    "target_keys", "files", "observations"});
        floor.push_back(stat.at("wallSeconds").get<double>() +
                        rows.at("wallSeconds").get<double>());
        floor_cpu.push_back(stat.at("cpuSeconds").get<double>() +
                            rows.at("cpuSeconds").get<double>());
      });
  bench.Add(AtMostTimes(Against(Label(shape), "s", wall, floor), kMostTimesFloor));
  bench.Add(Against("its CPU", "s", cpu, floor_cpu));
}

}  // namespace

void ColdStart(Bench& bench) {
  for (const std::size_t files : {1'000UL, 100'000UL}) {
    MeasureColdStart(bench, GetShape(100'000, files));
  }
}

void Restart(Bench& bench) {
  for (const std::size_t files : {1'000UL, 100'000UL})
    MeasureRestart(bench, GetShape(100'000, files));
}

}  // namespace bindery::bench
