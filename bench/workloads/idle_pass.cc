// Reads of targets that are as they should be. On demand: all targets at once, as after a start;
// periodic: passes that follow each other so closely that they overlap.

#include <future>
#include <optional>
#include <stdexcept>
#include <utility>

#include "workloads/workloads.h"

namespace bindery::bench {
namespace {

constexpr std::size_t kTargets = 10'000;
constexpr double kMostTimesFloor = 1.15;
constexpr double kMostTimesBareCpu = 2;
constexpr double kMicros = 1e6;

std::string Label(std::chrono::milliseconds latency, std::size_t concurrency) {
  return std::to_string(latency.count()) + " ms, " + std::to_string(concurrency) + " in flight";
}

/// Adds the bytes written for each of so many reads, where the kernel tells.
void AddWritten(std::vector<double>& written, std::optional<double> before,
                std::optional<double> after, double reads) {
  if (before && after) written.push_back((*after - *before) / reads);
}

/// The emulator must not be what limits a pass: what it can serve, by the bare client.
void MeasureCloud(Bench& bench, const Cloud& cloud, std::size_t concurrency) {
  std::vector<double> rates;
  std::vector<double> cpu;
  for (std::size_t run = 0; run < bench.options().runs; ++run) {
    const double before = cloud.process().CpuSeconds();
    const Json bare = bench.BareReads(cloud, kTargets, concurrency);
    rates.push_back(kTargets / bare.at("wallSeconds").get<double>());
    cpu.push_back((cloud.process().CpuSeconds() - before) / kTargets * kMicros);
  }
  const std::string in_flight = std::to_string(concurrency) + " in flight";
  bench.Add(Plain("the emulator's own limit, " + in_flight, "reads/s", rates));
  bench.Add(Plain("the emulator's CPU, " + in_flight, "µs a read", cpu));
}

void MeasureOnDemand(Bench& bench, Scene& scene, std::chrono::milliseconds latency,
                     std::size_t concurrency) {
  scene.settings.concurrency = concurrency;
  scene.daemon.Configure(scene.settings);
  scene.daemon.Start();
  scene.daemon.AwaitLog("first pass done");
  scene.cloud.SetLatency(latency);
  const ChildProcess& process = scene.daemon.process();
  std::vector<double> read, wall, bare_wall, cpu, bare_cpu, written;
  bench.InTurns(
      [&] {
        scene.cloud.ResetCounts();
        const double cpu_before = process.CpuSeconds();
        const auto written_before = process.WrittenBytes();
        const double begun = scene.daemon.SinceStart();
        std::future<void> pass = std::async(std::launch::async, [&] { scene.CheckAll(); });
        scene.cloud.AwaitCalls({kTargets, 0});
        read.push_back(scene.daemon.SinceStart() - begun);
        pass.get();
        wall.push_back(scene.daemon.SinceStart() - begun);
        cpu.push_back((process.CpuSeconds() - cpu_before) / kTargets * kMicros);
        AddWritten(written, written_before, process.WrittenBytes(), kTargets);
        const Calls calls = scene.cloud.Counted();
        // A few may have been due by themselves meanwhile.
        if (calls.reads < kTargets || calls.reads > kTargets + kTargets / 100 ||
            calls.writes != 0) {
          throw std::runtime_error("an idle pass took " + std::to_string(calls.reads) +
                                   " reads and " + std::to_string(calls.writes) + " writes");
        }
      },
      [&] {
        const Json bare = bench.BareReads(scene.cloud, kTargets, concurrency);
        const double network = static_cast<double>(kTargets) *
                               std::chrono::duration<double>(latency).count() /
                               static_cast<double>(concurrency);
        bare_wall.push_back(std::max(network, bare.at("wallSeconds").get<double>()));
        bare_cpu.push_back(bare.at("cpuSeconds").get<double>() / kTargets * kMicros);
      });
  scene.daemon.Stop();
  scene.cloud.SetLatency(std::chrono::milliseconds(0));
  const std::string label = Label(latency, concurrency);
  // Without latency it is CPU that counts, and cloud and client compete for it.
  const bool judged = latency.count() > 0;
  for (const auto& [what, times] : {std::pair{"a pass until the last read, ", &read},
                                    std::pair{"until all is answered and recorded, ", &wall}}) {
    Figure pass = Against(what + label, "s", *times, bare_wall);
    bench.Add(judged ? AtMostTimes(std::move(pass), kMostTimesFloor) : pass);
  }
  bench.Add(Against("its CPU, " + label, "µs a target", cpu, bare_cpu));
  bench.Add(Plain("its writes to disk, " + label, "bytes a target", written));
}

/// CPU of a daemon whose targets are due again as soon as they were read.
void MeasurePeriodic(Bench& bench, Scene& scene, std::size_t concurrency) {
  scene.settings.concurrency = concurrency;
  scene.settings.interval = "1s";
  scene.daemon.Configure(scene.settings);
  scene.cloud.ResetCounts();
  scene.daemon.Start();
  scene.cloud.AwaitCalls({2 * kTargets, 0});
  const ChildProcess& process = scene.daemon.process();
  std::vector<double> cpu, bare_cpu, written;
  bench.InTurns(
      [&] {
        scene.cloud.ResetCounts();
        const double cpu_before = process.CpuSeconds();
        const auto written_before = process.WrittenBytes();
        scene.cloud.AwaitCalls({3 * kTargets, 0});
        const Calls calls = scene.cloud.Counted();
        const auto reads = static_cast<double>(calls.reads);
        cpu.push_back((process.CpuSeconds() - cpu_before) / reads * kMicros);
        AddWritten(written, written_before, process.WrittenBytes(), reads);
        if (calls.writes != 0) throw std::runtime_error("an idle pass wrote");
      },
      [&] {
        const Json bare = bench.BareReads(scene.cloud, kTargets, concurrency);
        bare_cpu.push_back(bare.at("cpuSeconds").get<double>() / kTargets * kMicros);
      });
  scene.daemon.Stop();
  const std::string label = Label(std::chrono::milliseconds(0), concurrency);
  bench.Add(AtMostTimes(Against("CPU of periodic passes, " + label, "µs a target", cpu, bare_cpu),
                        kMostTimesBareCpu));
  bench.Add(Plain("their writes to disk, " + label, "bytes a target", written));
}

}  // namespace

void IdlePass(Bench& bench) {
  Shape shape;
  shape.targets = kTargets;
  shape.bindings_per_file = 10;
  Scene scene(bench, shape);
  std::ignore = scene.daemon.RunOnce();
  for (const std::size_t concurrency : {32UL, 256UL}) MeasureCloud(bench, scene.cloud, concurrency);
  for (const int latency : {0, 20}) {
    for (const std::size_t concurrency : {32UL, 256UL}) {
      MeasureOnDemand(bench, scene, std::chrono::milliseconds(latency), concurrency);
    }
  }
  for (const std::size_t concurrency : {32UL, 256UL}) MeasurePeriodic(bench, scene, concurrency);
}

}  // namespace bindery::bench
