// Idle checks of large policies: most read the etag alone, and a few the policy, against checks
// that all read the policy.

#include <stdexcept>

#include "workloads/workloads.h"

namespace bindery::bench {
namespace {

constexpr std::size_t kTargets = 1'000;
constexpr std::size_t kMembers = 500;
constexpr std::size_t kPasses = 20;  // Twice as often as the policy is read at least.

struct Costs {
  std::vector<double> bytes;
  std::vector<double> cpu;
  std::vector<double> cloud_cpu;
};

/// Periodic passes of a daemon that has found everything as declared.
void Measure(Scene& scene, std::size_t full_read_every, Costs& costs) {
  scene.settings.interval = "1s";
  scene.settings.full_read_every = full_read_every;
  scene.daemon.Configure(scene.settings);
  scene.cloud.ResetCounts();
  scene.daemon.Start();
  scene.cloud.AwaitCalls({3 * kTargets, 0});
  const ChildProcess& daemon = scene.daemon.process();
  const ChildProcess& cloud = scene.cloud.process();
  scene.cloud.ResetCounts();
  const double before = daemon.CpuSeconds();
  const double cloud_before = cloud.CpuSeconds();
  scene.cloud.AwaitCalls({kPasses * kTargets, 0});
  const Calls calls = scene.cloud.Counted();
  const auto checks = static_cast<double>(calls.reads);
  if (calls.writes != 0) throw std::runtime_error("an idle pass wrote");
  constexpr double kMicros = 1e6;
  costs.bytes.push_back(scene.cloud.AnsweredBytes() / checks);
  costs.cpu.push_back((daemon.CpuSeconds() - before) / checks * kMicros);
  costs.cloud_cpu.push_back((cloud.CpuSeconds() - cloud_before) / checks * kMicros);
  scene.daemon.Stop();
}

}  // namespace

void LargePolicies(Bench& bench) {
  constexpr double kMostOfBytes = 0.12;  // One check of ten, and the etags.
  Shape shape;
  shape.targets = kTargets;
  shape.members = kMembers;
  Scene scene(bench, shape);
  std::ignore = scene.daemon.RunOnce();
  Costs etags;
  Costs policies;
  bench.InTurns([&] { Measure(scene, 10, etags); }, [&] { Measure(scene, 1, policies); });
  bench.Add(AtMostTimes(Against("answered to an idle check", "bytes", etags.bytes, policies.bytes),
                        kMostOfBytes));
  bench.Add(Against("CPU of an idle check", "µs", etags.cpu, policies.cpu));
  bench.Add(Against("the emulator's CPU for it", "µs", etags.cloud_cpu, policies.cloud_cpu));
}

}  // namespace bindery::bench
