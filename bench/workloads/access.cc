// What questions about access cost, by how many grants there are.

#include <array>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "harness/http_call.h"
#include "workloads/workloads.h"

namespace bindery::bench {
namespace {

constexpr double kMilli = 1000;
constexpr double kMebibyte = 1 << 20;
constexpr double kMostMilliseconds = 300;
constexpr double kMostMebibytes = 64;
constexpr std::size_t kGrantsOfTarget = 8;
constexpr std::array<std::size_t, 3> kSizes = {5'000, 20'000, 40'000};
constexpr const char* kRolesFile = "roles.json";

struct Question {
  const char* what;
  std::vector<std::string> command;  ///< After `access`.
  const char* path;                  ///< Of the API.
};

/// Of a principal with one grant, and perhaps all grants of a group on each target.
std::vector<Question> Questions() {
  return {{"of a principal",
           {"of", "user:ana7@example.com"},
           "/access?principal=user:ana7@example.com"},
          {"of a name", {"of", "ana7"}, "/access?principal=ana7"},
          {"who can, one target", {"who-can", "*", TargetName(7)}, nullptr},
          {"who can, everywhere", {"who-can", "*", "*"}, "/access?role=*"},
          {"at a time", {"at", "now"}, "/access?at=now"},
          {"diff of a day", {"diff", "--since", "24h"}, "/access/diff?since=24h"},
          {"by a permission", {"who-can", "--permission", "a.b.get", TargetName(7)}, nullptr}};
}

/// The costs of one command: milliseconds of CPU, and mebibytes at most.
std::pair<double, double> CostOf(const Bench& bench, const Scene& scene,
                                 const std::vector<std::string>& words) {
  std::vector<std::string> command = {bench.options().bindery};
  command.insert(command.end(), words.begin(), words.end());
  command.insert(command.end(), {"-o", "json", "-c", scene.folder / "bindery.yaml"});
  const Finished finished = RunToEnd(command);
  // A diff with changes ends in one.
  if (finished.exit_code > 1) throw std::runtime_error(words.at(1) + ": " + finished.err);
  return {finished.cpu_seconds * kMilli, finished.peak_bytes / kMebibyte};
}

void Commands(Bench& bench, const Scene& scene, const std::string& label) {
  for (const Question& question : Questions()) {
    std::vector<std::string> words = question.command;
    words.insert(words.begin(), "access");
    std::vector<double> cpu, memory;
    for (std::size_t run = 0; run < bench.options().runs; ++run) {
      const double idle = CostOf(bench, scene, {"events", "--limit", "1"}).second;
      const auto [milliseconds, mebibytes] = CostOf(bench, scene, words);
      cpu.push_back(milliseconds);
      memory.push_back(mebibytes - idle);
    }
    const std::string what = std::string(question.what) + ", " + label;
    bench.Add(AtMost(Plain("CPU of the command: " + what, "ms", cpu), kMostMilliseconds));
    bench.Add(
        AtMost(Plain("memory above a short command: " + what, "MiB", memory), kMostMebibytes));
  }
}

void Answers(Bench& bench, Scene& scene, const std::string& label) {
  scene.daemon.Start();
  scene.daemon.AwaitLog("first pass done");
  Pause(5);  // Until what the start left behind is cleared away.
  const ChildProcess& process = scene.daemon.process();
  for (const Question& question : Questions()) {
    if (question.path == nullptr) continue;
    std::vector<double> cpu, memory;
    for (std::size_t run = 0; run < bench.options().runs; ++run) {
      const double idle = process.ResidentBytes();
      const double before = process.CpuSeconds();
      const HttpAnswer answer = Send(
          {"GET", std::string("http://bindery/api/v1") + question.path, "", scene.daemon.Socket()});
      if (answer.status != 200) throw std::runtime_error(answer.body);
      cpu.push_back((process.CpuSeconds() - before) * kMilli);
      memory.push_back((process.PeakResidentBytes() - idle) / kMebibyte);
    }
    const std::string what = std::string(question.what) + ", " + label;
    bench.Add(AtMost(Plain("CPU of the daemon: " + what, "ms", cpu), kMostMilliseconds));
    bench.Add(Plain("most memory of the daemon so far: " + what, "MiB", memory));
  }
  scene.daemon.Stop();
}

}  // namespace

void Access(Bench& bench) {
  for (const std::size_t grants : kSizes) {
    Shape shape;
    shape.members = kGrantsOfTarget;
    shape.targets = grants / kGrantsOfTarget;
    shape.bindings_per_file = 100;
    DaemonSettings settings;
    // The line ends the endpoints.
    settings.endpoints = std::string("    roles: {files: [") + kRolesFile + "]}\n";
    Scene scene(bench, shape, settings);
    WriteText(scene.folder / kRolesFile,
              R"([{"name": "projects/acme/roles/r0", "includedPermissions": ["a.b.get"]}])");
    bench.Say("filling the store");
    std::ignore = scene.daemon.RunOnce();
    const std::string label = Digits(static_cast<double>(grants)) + " grants";
    Commands(bench, scene, label);
    Answers(bench, scene, label);
  }
}

}  // namespace bindery::bench
