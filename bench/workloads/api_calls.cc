// How many calls the daemon makes: they, not CPU, are what a quota pays for.

#include "workloads/workloads.h"

namespace bindery::bench {
namespace {

/// Counts until nothing more comes.
Calls Settle(const Cloud& cloud) {
  Calls before = cloud.Counted();
  for (;;) {
    Pause(1.5);
    const Calls now = cloud.Counted();
    if (now.reads == before.reads && now.writes == before.writes) return now;
    before = now;
  }
}

void AddCalls(Bench& bench, const std::string& what, const Calls& calls, double reads,
              double writes) {
  bench.Add(AtMost(Plain(what + ": reads", "calls", {static_cast<double>(calls.reads)}), reads));
  bench.Add(AtMost(Plain(what + ": writes", "calls", {static_cast<double>(calls.writes)}), writes));
}

}  // namespace

void ApiCalls(Bench& bench) {
  Shape shape;
  shape.targets = 1'000;
  shape.bindings_per_target = 10;
  shape.bindings_per_file = 10;
  shape.probes = 1;
  Scene scene(bench, shape);
  scene.daemon.Start();
  scene.daemon.AwaitLog("first pass done");
  const auto targets = static_cast<double>(shape.targets + shape.probes);
  AddCalls(bench, "first pass over 1,001 targets", Settle(scene.cloud), targets, targets);

  scene.cloud.ResetCounts();
  scene.CheckAll();
  AddCalls(bench, "idle pass over 1,001 targets", Settle(scene.cloud), targets, 0);

  scene.cloud.ResetCounts();
  WriteTargetFile(scene.manifests(), 7, shape, "user:new@example.com");
  scene.cloud.AwaitCalls({1, 1});
  AddCalls(bench, "10 changed bindings of a target", Settle(scene.cloud), 1, 1);

  scene.cloud.ResetCounts();
  for (int edit = 0; edit < 10; ++edit) {
    WriteProbe(scene.manifests(), 0, "user:new" + std::to_string(edit) + "@example.com");
    Pause(0.01);
  }
  scene.cloud.AwaitCalls({1, 1});
  AddCalls(bench, "10 edits within the debounce", Settle(scene.cloud), 1, 1);
  scene.daemon.Stop();
}

}  // namespace bindery::bench
