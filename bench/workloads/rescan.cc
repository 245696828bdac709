// What it costs to see, again and again, that no file changed.

#include <poll.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <array>

#include "harness/relay.h"
#include "workloads/workloads.h"

namespace bindery::bench {
namespace {

constexpr std::size_t kManifests = 100'000;
constexpr double kDefaultIntervalSeconds = 30;
constexpr double kMostTimesFloor = 1.3;
constexpr double kPatienceSeconds = 120;

/// Sees from outside when a folder is listed.
class ListingWatch {
 public:
  explicit ListingWatch(const std::string& folder) : handle_(::inotify_init1(IN_CLOEXEC)) {
    if (::inotify_add_watch(handle_, folder.c_str(), IN_OPEN | IN_ONLYDIR) < 0) {
      throw std::runtime_error("cannot watch " + folder);
    }
  }
  ~ListingWatch() { ::close(handle_); }
  ListingWatch(const ListingWatch&) = delete;
  ListingWatch& operator=(const ListingWatch&) = delete;

  /// Waits for the beginning of a rescan by the daemon: the first listing after a time of quiet.
  void AwaitRescan(Daemon& daemon) const {
    const double begun = ClockSeconds();
    double quiet_since = begun;
    for (;;) {
      if (Interrupted()) throw std::runtime_error("interrupted");
      if (!daemon.Running() || ClockSeconds() - begun > kPatienceSeconds) {
        throw std::runtime_error("the daemon began no rescan: " + daemon.Log());
      }
      pollfd ready = {handle_, POLLIN, 0};
      if (::poll(&ready, 1, 100) <= 0) continue;
      std::array<char, 65536> events;
      if (::read(handle_, events.data(), events.size()) <= 0) continue;
      const double now = ClockSeconds();
      if (now - quiet_since > kQuietSeconds) return;
      quiet_since = now;
    }
  }

 private:
  static constexpr double kQuietSeconds = 0.5;

  int handle_;
};

void Measure(Bench& bench, std::size_t files) {
  Shape shape;
  shape.bindings_per_target = 10;
  shape.targets = kManifests / shape.bindings_per_target;
  shape.bindings_per_file = kManifests / files;
  DaemonSettings settings;
  settings.rescan_interval = "1s";
  Scene scene(bench, shape, settings);
  bench.Say("filling the store");
  std::ignore = scene.daemon.RunOnce();
  scene.daemon.Start();
  scene.daemon.AwaitLog("first pass done");
  Pause(5);  // Until what the start left behind is cleared away.
  std::vector<double> cpu, floor, share;
  const ListingWatch watch(scene.manifests());
  bench.InTurns(
      [&] {
        constexpr int kRescans = 3;
        watch.AwaitRescan(scene.daemon);
        const double before = scene.daemon.process().CpuSeconds();
        for (int i = 0; i < kRescans; ++i) watch.AwaitRescan(scene.daemon);
        const double one = (scene.daemon.process().CpuSeconds() - before) / kRescans;
        cpu.push_back(one * 1000);
        share.push_back(one / kDefaultIntervalSeconds * 100);
      },
      [&] {
        const Json stat = bench.Floor("stat_tree", {scene.manifests(), "--times", "5"});
        floor.push_back(stat.at("cpuSeconds").get<double>() / 5 * 1000);
      });
  scene.daemon.Stop();
  const std::string label = Digits(static_cast<double>(files)) + " files";
  bench.Add(AtMostTimes(Against("CPU of a rescan, " + label, "ms", cpu, floor), kMostTimesFloor));
  bench.Add(AtMost(Plain("of a core at the default interval, " + label, "%", share), 1));
}

}  // namespace

void Rescan(Bench& bench) { Measure(bench, kManifests); }

}  // namespace bindery::bench
