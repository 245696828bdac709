// Scans with hints in the place of reads: what a pass costs in which nothing changed, and how soon
// a foreign change is found, beside periodic reads of every target.

#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "harness/http_call.h"
#include "harness/relay.h"
#include "workloads/workloads.h"

namespace bindery::bench {
namespace {

constexpr std::size_t kTargets = 10'000;
constexpr std::size_t kMostOfAPage = 500;
constexpr std::size_t kChanges = 20;
constexpr double kIntervalSeconds = 60;
constexpr double kPollSeconds = 0.05;
/// Each question whether a scan is over costs the daemon CPU, and a slow emulator would make more
/// questions necessary. A scan of a daemon that has a plan needs no question.
constexpr double kScanPollSeconds = 0.5;
constexpr double kPatienceSeconds = 600;
constexpr double kMicros = 1e6;
constexpr double kMostMicros = 8;

/// Has the daemon scan the project, and waits for the end.
Json Scan(const Daemon& daemon) {
  const std::string url = "http://bindery/api/v1/scans";
  std::ignore = SendForJson({"POST", url, R"({"scope": "projects/acme"})", daemon.Socket()});
  const double begun = ClockSeconds();
  for (;;) {
    const Json list = SendForJson({"GET", url, "", daemon.Socket()});
    const Json& scan = list.at("scans").at(0);
    const auto state = scan.at("state").get<std::string>();
    if (state == "done") return scan;
    if (state != "running" || ClockSeconds() - begun > kPatienceSeconds) {
      throw std::runtime_error("a scan ended: " + scan.dump());
    }
    Pause(kScanPollSeconds);
  }
}

/// Somebody else takes the access of every target among so many that differ.
void Change(const Cloud& cloud, std::size_t first) {
  for (std::size_t i = 0; i < kChanges; ++i) {
    cloud.WritePolicy(TargetName(first + i), {{"version", 1}, {"bindings", Json::array()}});
  }
}

/// The seconds from `since` until each of them was repaired.
std::vector<double> Repairs(const Cloud& cloud, std::size_t first, double since) {
  std::vector<double> repaired(kChanges, 0);
  for (std::size_t open = kChanges; open > 0; Pause(kPollSeconds)) {
    if (ClockSeconds() - since > kPatienceSeconds) throw std::runtime_error("no repair");
    for (std::size_t i = 0; i < kChanges; ++i) {
      if (repaired[i] > 0 || !cloud.ReadPolicy(TargetName(first + i)).contains("bindings"))
        continue;
      repaired[i] = ClockSeconds() - since;
      --open;
    }
  }
  return repaired;
}

/// All targets were read since the first scan, and only scans read from now on.
void Settle(Scene& scene) {
  scene.daemon.Start();
  scene.daemon.AwaitLog("first pass done");
  std::ignore = Scan(scene.daemon);
  Pause(2.2 * kIntervalSeconds);
}

void MeasureIdle(Bench& bench, Scene& scene) {
  const ChildProcess& process = scene.daemon.process();
  std::vector<double> cpu, wall, calls;
  for (std::size_t run = 0; run < bench.options().runs; ++run) {
    scene.cloud.ResetCounts();
    const double cpu_before = process.CpuSeconds();
    const double begun = ClockSeconds();
    const Json scan = Scan(scene.daemon);
    wall.push_back(ClockSeconds() - begun);
    // Every target has its turn once, and is not read in it.
    Pause(std::max(0.0, begun + kIntervalSeconds - ClockSeconds()));
    cpu.push_back((process.CpuSeconds() - cpu_before) / kTargets * kMicros);
    calls.push_back(static_cast<double>(scene.cloud.Counted().reads));
    if (scan.at("policies") != kTargets) throw std::runtime_error("not all targets are shown");
    // The pages of the policies, the hierarchy, and the targets whose exact interval is over.
    if (calls.back() > 2.0 * kTargets / kMostOfAPage) {
      throw std::runtime_error("an idle pass took " + Digits(calls.back()) + " calls");
    }
  }
  bench.Add(AtMost(Plain("CPU of an idle pass by a scan", "µs a policy", cpu), kMostMicros));
  bench.Add(Plain("its calls, for 10,000 policies", "calls", calls));
  bench.Add(Plain("the scan", "s", wall));
}

}  // namespace

void ScannedPass(Bench& bench) {
  Shape shape;
  shape.targets = kTargets;
  shape.bindings_per_file = 10;
  DaemonSettings settings;
  settings.interval = Digits(kIntervalSeconds) + "s";
  Scene scene(bench, shape, settings);
  std::ignore = scene.daemon.RunOnce();

  scene.daemon.Start();
  scene.daemon.AwaitLog("first pass done");
  Pause(kIntervalSeconds);
  double changed = ClockSeconds();
  Change(scene.cloud, 0);
  const std::vector<double> periodic = Repairs(scene.cloud, 0, changed);
  scene.daemon.Stop();

  scene.settings.endpoints = "      cloudasset: \"" + scene.cloud.url() +
                             "\"\n    scan: {scope: projects/acme, interval: 24h, hints: true}\n";
  scene.settings.exact_interval = "10d";
  scene.daemon.Configure(scene.settings);
  Settle(scene);
  MeasureIdle(bench, scene);
  changed = ClockSeconds();
  Change(scene.cloud, kChanges);
  std::ignore = Scan(scene.daemon);
  const std::vector<double> scanned = Repairs(scene.cloud, kChanges, changed);
  scene.daemon.Stop();
  bench.Add(Plain("a foreign change until its repair, reads every 60 s", "s", periodic));
  bench.Add(Plain("a foreign change until its repair, by the scan after the change", "s", scanned));
}

}  // namespace bindery::bench
