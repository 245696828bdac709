// How soon a change is acted on while the daemon is busy reading everything else again: a change of
// a manifest, and a change in the cloud behind its back.

#include <optional>
#include <stdexcept>

#include "harness/relay.h"
#include "workloads/workloads.h"

namespace bindery::bench {
namespace {

constexpr std::size_t kTargets = 10'000;
constexpr std::chrono::milliseconds kLatency(20);
constexpr double kRoundTripMillis = 20;
constexpr double kDebounceMillis = 200;
constexpr double kAllowanceMillis = 20;

/// The figures of a distribution: its median with min and max, and its 99th percentile.
Figure Percentile99(std::string what, const std::vector<double>& values) {
  Figure figure = Plain(std::move(what), "ms", values);
  figure.value.median = PercentileOf(values, 0.99);
  return figure;
}

/// When the last read of `part` was sent that came after `since` and before the write.
double ReadBefore(const Relay& relay, const std::string& part, double since,
                  const RelayedCall& write) {
  std::optional<double> read;
  for (const RelayedCall& call : relay.Calls()) {
    const bool between = call.asked > since && call.asked < write.asked;
    if (between && call.method == "GET" && call.path.find(part) != std::string::npos) {
      read = call.asked;
    }
  }
  if (!read) throw std::runtime_error("no read of " + part + " came before its write");
  return *read;
}

/// A scene whose probes are reached through the relay, in sync, its daemon running.
class BusyScene {
 public:
  BusyScene(const Bench& bench, const Shape& shape, const std::string& interval)
      : scene(bench, shape), relay(scene.cloud.port()) {
    bench.Say("filling the store");
    std::ignore = scene.daemon.RunOnce();
    scene.settings.probe_url = relay.url();
    scene.settings.interval = interval;
    scene.daemon.Configure(scene.settings);
    scene.cloud.SetLatency(kLatency);
    scene.cloud.ResetCounts();
    scene.daemon.Start();
    // Into the second pass: a daemon that is always busy never says that it is done.
    scene.cloud.AwaitCalls({shape.targets + kTargets / 10, 0});
  }

  Scene scene;
  Relay relay;
};

}  // namespace

void EditLatency(Bench& bench) {
  constexpr std::size_t kEdits = 200;
  Shape shape;
  shape.targets = kTargets;
  shape.bindings_per_target = 10;
  shape.probes = kEdits;
  // Due again as soon as they were read: the daemon is always in the middle of a full re-check.
  BusyScene busy(bench, shape, "1s");
  busy.scene.cloud.ResetCounts();
  const double begun = ClockSeconds();
  std::vector<double> latencies;
  for (std::size_t edit = 0; edit < kEdits; ++edit) {
    WriteProbe(busy.scene.manifests(), edit, "user:new@example.com");
    const double closed = ClockSeconds();
    const RelayedCall write = busy.relay.Await("POST", "/m" + std::to_string(edit) + ":", closed);
    latencies.push_back((write.asked - closed) * 1000);
    // At another moment of the daemon's work each time.
    Pause(static_cast<double>(edit * 37 % 100) / 1000);
  }
  const double rate =
      static_cast<double>(busy.scene.cloud.Counted().reads) / (ClockSeconds() - begun);
  busy.scene.daemon.Stop();
  const std::string label = "one of 100,000 manifests changed to its write";
  bench.Add(Plain(label + ", median of 200", "ms", latencies));
  bench.Add(AtMost(Percentile99(label + ", 99th percentile", latencies),
                   kDebounceMillis + 2 * kRoundTripMillis + kAllowanceMillis));
  bench.Add(Plain("reads of the re-check meanwhile", "a second", {rate}));
}

void DriftLatency(Bench& bench) {
  constexpr std::size_t kDrifts = 100;
  constexpr double kIntervalSeconds = 10;
  Shape shape;
  shape.targets = kTargets - kDrifts;
  shape.bindings_per_file = 10;
  shape.probes = kDrifts;
  BusyScene busy(bench, shape, "10s");
  std::vector<double> drifted(kDrifts);
  for (std::size_t i = 0; i < kDrifts; ++i) {
    const std::string member = i % 2 == 0 ? "group:sre@example.com" : "user:eve@example.com";
    const Json policy = {{"version", 1},
                         {"bindings", {{{"role", "roles/backupdr.admin"}, {"members", {member}}}}}};
    // Not after the call: the daemon may see the policy before its writer has the answer.
    drifted[i] = ClockSeconds();
    busy.scene.cloud.WritePolicy(ProbeName(i), policy);
    Pause(kIntervalSeconds / kDrifts);
  }
  std::vector<double> found, issued, repaired;
  for (std::size_t i = 0; i < kDrifts; ++i) {
    const std::string part = "/m" + std::to_string(i) + ":";
    const RelayedCall write = busy.relay.Await("POST", part, drifted[i]);
    const double read = ReadBefore(busy.relay, part, drifted[i], write);
    found.push_back(read - drifted[i]);
    issued.push_back((write.asked - read) * 1000);
    repaired.push_back((write.answered - read) * 1000);
  }
  busy.scene.daemon.Stop();
  Figure late = Plain("100 of 10,000 targets drift; the last is read after", "s", found);
  late.value.median = late.value.max;
  // The jitter is a tenth of the interval.
  bench.Add(AtMost(std::move(late), kIntervalSeconds * 1.1));
  bench.Add(AtMost(Percentile99("from its read to its repair's sending, 99th percentile", issued),
                   2 * kRoundTripMillis));
  bench.Add(Plain("from its read to its repair's answer", "ms", repaired));
}

}  // namespace bindery::bench
