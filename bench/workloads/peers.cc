// The same work by what one would use instead: a thousand policies read, nothing changed; then one
// in a hundred repaired. Tools that are not on this machine are named and left out.

#include <functional>
#include <stdexcept>

#include "workloads/workloads.h"

namespace bindery::bench {
namespace {

constexpr std::size_t kPolicies = 1'000;
/// Ansible takes a good part of a second for each; --full gives it all of them.
constexpr std::size_t kFewPolicies = 100;

bool OnPath(const std::string& program) {
  return RunToEnd({"sh", "-c", "command -v " + program}).exit_code == 0;
}

/// Someone else adds a member to every hundredth policy.
void Drift(const Cloud& cloud, std::size_t policies) {
  for (std::size_t i = 0; i < policies; i += 100) {
    Json policy = cloud.ReadPolicy(TargetName(i));
    policy["bindings"][0]["members"].push_back("user:eve@example.com");
    cloud.WritePolicy(TargetName(i), policy);
  }
  cloud.ResetCounts();
}

/// Has a tool do both works; `work` gives what its run took.
void Compare(Bench& bench, const Cloud& cloud, const std::string& tool, std::size_t policies,
             const std::function<Finished()>& work) {
  const std::string count = Digits(static_cast<double>(policies));
  for (const char* what : {" policies, nothing changed", " policies, 1 % drifted"}) {
    cloud.ResetCounts();
    if (std::string(what).find("drifted") != std::string::npos) Drift(cloud, policies);
    const Finished finished = work();
    if (finished.exit_code != 0) {
      throw std::runtime_error(tool + ": " + finished.err + finished.out);
    }
    const Calls calls = cloud.Counted();
    bench.Add(PeerRun{tool, count + what, finished.wall_seconds, finished.cpu_seconds,
                      finished.peak_bytes, calls.reads, calls.writes});
  }
}

/// A pass of a running daemon, as if it were a program of its own.
Finished PassOf(const Scene& scene) {
  const Daemon& daemon = scene.daemon;
  Finished finished;
  const double begun = daemon.SinceStart();
  const double cpu = daemon.process().CpuSeconds();
  scene.CheckAll();
  finished.wall_seconds = daemon.SinceStart() - begun;
  finished.cpu_seconds = daemon.process().CpuSeconds() - cpu;
  finished.peak_bytes = daemon.process().PeakResidentBytes();
  return finished;
}

void CompareTerraform(const Bench& bench) {
  if (!OnPath("terraform")) {
    bench.Say("left out: terraform is not on this machine");
    return;
  }
  bench.Say(
      "left out: terraform is here, but it needs a provider that speaks this cloud's API "
      "(google, or one for plain HTTP) and the means to install it");
}

}  // namespace

void Peers(Bench& bench) {
  Shape shape;
  shape.targets = kPolicies;
  Scene scene(bench, shape);
  std::ignore = scene.daemon.RunOnce();
  const Cloud& cloud = scene.cloud;

  scene.daemon.Start();
  scene.daemon.AwaitLog("first pass done");
  Compare(bench, cloud, "bindery, the running daemon", kPolicies, [&] { return PassOf(scene); });
  scene.daemon.Stop();
  Compare(bench, cloud, "bindery run --once", kPolicies, [&] { return scene.daemon.RunOnce(); });

  const std::string folder = bench.options().peers;
  if (OnPath("curl") && OnPath("jq")) {
    Compare(bench, cloud, "curl and jq in a loop", kPolicies, [&] {
      return RunToEnd({folder + "/curl_loop.sh", cloud.url(), std::to_string(kPolicies)});
    });
  } else {
    bench.Say("left out: curl and jq are not both on this machine");
  }
  if (OnPath("ansible-playbook")) {
    const std::size_t policies = bench.options().full ? kPolicies : kFewPolicies;
    Compare(bench, cloud, "Ansible, module uri", policies, [&] {
      return RunToEnd({"ansible-playbook", "-i", "localhost,", "-e", "url=" + cloud.url(), "-e",
                       "count=" + std::to_string(policies), folder + "/playbook.yaml"});
    });
  } else {
    bench.Say("left out: Ansible is not on this machine");
  }
  CompareTerraform(bench);
}

}  // namespace bindery::bench
