// Hours of use in small: readers, edits and foreign changes at the same time, and what the daemon
// occupies meanwhile.

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <future>
#include <mutex>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "harness/http_call.h"
#include "harness/relay.h"
#include "workloads/workloads.h"

namespace bindery::bench {
namespace {

constexpr double kMiB = 1 << 20;
constexpr std::size_t kReaders = 8;
constexpr std::size_t kProbes = 20;

/// The things and parts of lists that people look at; `number` varies the thing.
std::string PathOfThing(const Scene& scene, std::size_t number) {
  const std::string& name = scene.one_of_each.at(number * 7919 % scene.one_of_each.size());
  const std::string target = "targets/AuthorizationPolicyIamBinding/" + TargetName(number % 1'000);
  const std::string part = "offset=" + std::to_string(number * 31 % 900);
  const std::array<std::string, 16> paths = {
      "/",
      "/resources/" + name,
      "/" + target,
      "/resources?" + part,
      "/drift?sort=principal&" + part,
      "/events",
      "/api/v1",
      "/api/v1/resources/" + name,
      "/api/v1/" + target,
      "/api/v1/resources?limit=100&" + part,
      "/api/v1/drift?limit=100&" + part,
      "/api/v1/events?limit=100",
      "/api/v1/plan?name=" + name,
      "/access?principal=user:ana" + std::to_string(number % 50) + "@example.com",
      "/guard",
      "/metrics"};
  return paths.at(number % paths.size());
}

/// The long answers.
std::string PathOfList(std::size_t number) {
  constexpr std::array<const char*, 10> kPaths = {"/api/v1/resources",
                                                  "/api/v1/access?limit=10000",
                                                  "/api/v1/targets",
                                                  "/targets?sort=-grants",
                                                  "/api/v1/drift",
                                                  "/api/v1/access",
                                                  "/api/v1/resources?sort=-changed",
                                                  "/api/v1/events?limit=10000",
                                                  "/coverage",
                                                  "/api/v1/plan"};
  return kPaths.at(number % kPaths.size());
}

/// Readers, an editor and somebody who changes policies in the cloud, until it is destroyed.
class Traffic {
 public:
  /// The scene must outlive it.
  explicit Traffic(const Scene& scene) : scene_(scene) {
    for (std::size_t reader = 0; reader + 1 < kReaders; ++reader) {
      Go([this, reader](std::size_t turn) {
        Read(PathOfThing(scene_, turn * kReaders + reader), /*counts=*/true);
        return 0.5;
      });
    }
    Go([this](std::size_t turn) {
      Read(PathOfList(turn), /*counts=*/false);
      return 5.0;
    });
    Go([this](std::size_t turn) {
      WriteProbe(scene_.manifests(), turn % kProbes, turn % 2 == 0 ? "user:new@example.com" : "");
      return 2.0;
    });
    Go([this](std::size_t turn) {
      const Json policy = {
          {"version", 1},
          {"bindings",
           {{{"role", "roles/viewer"},
             {"members", {"user:eve" + std::to_string(turn % 100) + "@example.com"}}}}}};
      scene_.cloud.WritePolicy(TargetName(turn % scene_.one_of_each.size()), policy);
      return 2.0;
    });
  }
  ~Traffic() { ends_ = true; }
  Traffic(const Traffic&) = delete;
  Traffic& operator=(const Traffic&) = delete;

  /// Throws what ended one of them, if one ended.
  void Check() {
    for (auto& worker : workers_) {
      if (worker.wait_for(std::chrono::seconds(0)) == std::future_status::ready) worker.get();
    }
  }
  /// Ends all of it; throws what one of them threw.
  void End() {
    ends_ = true;
    for (auto& worker : workers_) worker.get();
    workers_.clear();
  }

  /// How long the answers of things took, in milliseconds.
  [[nodiscard]] std::vector<double> waited() const {
    const std::lock_guard lock(mutex_);
    return waited_;
  }
  [[nodiscard]] std::size_t lists() const { return lists_; }
  /// Long answers that were told to come later: status 503.
  [[nodiscard]] std::size_t refused() const { return refused_; }

 private:
  /// `act` gives the seconds until its next turn.
  template <typename Act>
  void Go(Act act) {
    workers_.push_back(std::async(std::launch::async, [this, act] {
      for (std::size_t turn = 0; !ends_; ++turn) {
        const double pause = act(turn);
        for (double slept = 0; slept < pause && !ends_; slept += 0.5) Pause(0.5);
      }
    }));
  }

  void Read(const std::string& path, bool counts) {
    const double begun = ClockSeconds();
    const HttpAnswer answer = Send({"GET", "http://bindery" + path, "", scene_.daemon.Socket()});
    const bool busy = answer.status == 503 && !counts;
    if (answer.status != 200 && !busy) throw std::runtime_error(path + ": " + answer.body);
    if (busy) ++refused_;
    if (!counts) {
      ++lists_;
      return;
    }
    const std::lock_guard lock(mutex_);
    waited_.push_back((ClockSeconds() - begun) * 1000);
  }

  const Scene& scene_;
  std::atomic<bool> ends_ = false;
  std::atomic<std::size_t> lists_ = 0;
  std::atomic<std::size_t> refused_ = 0;
  mutable std::mutex mutex_;
  std::vector<double> waited_;
  std::vector<std::future<void>> workers_;  // Last: they use the others.
};

}  // namespace

void Soak(Bench& bench) {
  constexpr double kMostGrowth = 1.1;
  constexpr double kMostAboveIdle = 64;
  const bool full = bench.options().full;
  const std::size_t minutes = full ? 60 : 6;
  const std::size_t settled = minutes / 6;  // The tenth of an hour's minutes.
  Shape shape;
  shape.targets = full ? 100'000 : 10'000;
  shape.bindings_per_file = 100;
  shape.probes = kProbes;
  DaemonSettings settings;
  settings.interval = "10m";
  Scene scene(bench, shape, settings);
  bench.Say("filling the store");
  std::ignore = scene.daemon.RunOnce();
  scene.daemon.Start();
  scene.daemon.AwaitLog("first pass done");
  Pause(10);  // Until what the start left behind is cleared away.
  scene.daemon.process().ForgetPeak();
  const double idle = scene.daemon.process().ResidentBytes() / kMiB;
  Traffic traffic(scene);
  double then = 0;
  double last = 0;
  for (std::size_t minute = 1; minute <= minutes; ++minute) {
    // The middle of some moments: a long answer that is just made belongs to none of them.
    std::vector<double> moments;
    for (int moment = 0; moment < 60; ++moment) {
      Pause(1);
      traffic.Check();
      moments.push_back(scene.daemon.process().ResidentBytes() / kMiB);
    }
    last = SpreadOf(std::move(moments)).median;
    if (minute == settled) then = last;
    bench.Say("minute " + std::to_string(minute) + ": " + Digits(last) + " MiB");
  }
  traffic.End();
  const double peak = scene.daemon.process().PeakResidentBytes() / kMiB;
  const std::string label = Digits(static_cast<double>(shape.targets)) + " resources, " +
                            std::to_string(kReaders) + " readers, " + std::to_string(minutes) +
                            " minutes: ";
  bench.Add(Plain(label + "memory when idle", "MiB", {idle}));
  bench.Add(AtMostTimes(Against(label + "memory in the last minute, beside a sixth of the time",
                                "MiB", {last}, {then}),
                        kMostGrowth));
  bench.Add(
      AtMost(Plain(label + "the most memory, above idle", "MiB", {peak - idle}), kMostAboveIdle));
  const std::vector<double> waited = traffic.waited();
  Figure late = Plain(label + "an answer for one thing or part, 95th percentile", "ms", waited);
  late.value.median = PercentileOf(waited, 0.95);
  bench.Add(std::move(late));
  bench.Add(Plain(label + "such answers", "answers", {static_cast<double>(waited.size())}));
  bench.Add(Plain(label + "long answers", "answers", {static_cast<double>(traffic.lists())}));
  bench.Add(Plain(label + "long answers told to come later", "answers",
                  {static_cast<double>(traffic.refused())}));
  scene.daemon.Stop();
}

}  // namespace bindery::bench
