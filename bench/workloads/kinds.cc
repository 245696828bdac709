// What a second kind costs: 10,000 targets of 200 kinds beside as many of one kind.

#include <future>
#include <stdexcept>
#include <string_view>

#include "providers/google/rows/iam_rows.h"
#include "support/iam_names.h"
#include "workloads/workloads.h"

namespace bindery::bench {
namespace {

constexpr std::size_t kTargets = 10'000;
constexpr std::size_t kKinds = 200;
constexpr double kMostTimesOneKind = 1.05;
constexpr double kMicros = 1e6;
constexpr double kMiB = 1 << 20;

/// A row whose targets differ in the last part of their name.
TargetForm FindForm(const google::IamRow& row, const std::string& name) {
  const std::string module(row.id.substr(0, row.id.find(':')));
  return {"cloudnative:" + module, std::string(row.kind) + "IamBinding", name,
          std::string(row.host)};
}

/// One form for each kind.
std::vector<TargetForm> Forms() {
  std::vector<TargetForm> forms;
  for (const google::IamRow& row : google::IamRows()) {
    const bool ends_with_variable = row.names.substr(0, row.names.find(' ')).back() == '}';
    // The kinds of the interface have sections of their own in the seed.
    const bool has_section = row.kind == "AuthorizationPolicy" ||
                             (row.kind == "ManagementServer" && row.service == "backupdr");
    if (!ends_with_variable || has_section || !row.retired.empty()) continue;
    if (forms.size() < kKinds) forms.push_back(FindForm(row, testing::SampleNames(row).front()));
  }
  if (forms.size() < kKinds) throw std::runtime_error("the table has too few kinds");
  return forms;
}

/// As many forms of one kind, whose names are as long as those of `forms`: what differs is the
/// kinds.
std::vector<TargetForm> OfOneKind(const std::vector<TargetForm>& forms) {
  const google::IamRow& topic = *google::FindIamRow("pubsub/v1:Topic");
  std::vector<TargetForm> same;
  for (const TargetForm& form : forms) {
    std::string name = "projects/acme/topics/a";
    if (form.name.size() > name.size()) name.append(form.name.size() - name.size(), 'x');
    same.push_back(FindForm(topic, name));
  }
  return same;
}

std::string Endpoints(const std::string& cloud_url) {
  std::string text;
  std::string_view last;
  for (const google::IamRow& row : google::IamRows()) {
    const std::string service(row.service);
    if (row.service == last || text.find("      " + service + ":") != std::string::npos) continue;
    last = row.service;
    if (service == "networksecurity" || service == "backupdr" || service == "migrationcenter")
      continue;
    text += "      " + service + ": \"" + cloud_url + "/" + std::string(row.host) + "\"\n";
  }
  return text;
}

struct Costs {
  std::vector<double> start_cpu, start, pass, pass_cpu, memory;
};

/// Targets of some kinds, with a daemon that knows them already.
struct Side {
  Side(const Bench& bench, std::vector<TargetForm> forms)
      : scene(bench, GetShape(std::move(forms))) {
    scene.settings.endpoints = Endpoints(scene.cloud.url());
    scene.settings.full_read_every = 1;
    scene.daemon.Configure(scene.settings);
    std::ignore = scene.daemon.RunOnce();
    // A second start takes over what the first could not yet be sure of.
    std::ignore = scene.daemon.RunOnce();
  }

  static Shape GetShape(std::vector<TargetForm> forms) {
    Shape shape;
    shape.targets = kTargets;
    shape.bindings_per_file = 100;
    shape.forms = std::move(forms);
    return shape;
  }

  void Measure() {
    scene.daemon.Start();
    scene.daemon.AwaitLog("manifests loaded");
    costs.start.push_back(scene.daemon.SinceStart());
    costs.start_cpu.push_back(scene.daemon.process().CpuSeconds());
    scene.daemon.AwaitLog("first pass done");
    const double begun = scene.daemon.SinceStart();
    const double before = scene.daemon.process().CpuSeconds();
    scene.cloud.ResetCounts();
    scene.CheckAll();
    costs.pass.push_back(scene.daemon.SinceStart() - begun);
    costs.pass_cpu.push_back((scene.daemon.process().CpuSeconds() - before) / kTargets * kMicros);
    costs.memory.push_back(scene.daemon.process().ResidentBytes() / kMiB);
    const Calls calls = scene.cloud.Counted();
    scene.daemon.Stop();
    if (calls.writes != 0 || calls.reads < kTargets) {
      throw std::runtime_error("an idle pass took " + std::to_string(calls.reads) + " reads and " +
                               std::to_string(calls.writes) + " writes");
    }
  }

  Scene scene;
  Costs costs;
};

}  // namespace

void KindsInUse(Bench& bench) {
  bench.Say("filling the stores");
  Side many(bench, Forms());
  Side one(bench, OfOneKind(Forms()));
  bench.InTurns([&] { many.Measure(); }, [&] { one.Measure(); });
  const auto add = [&](const char* what, const char* unit, std::vector<double> Costs::*cost) {
    bench.Add(
        AtMostTimes(Against(what, unit, many.costs.*cost, one.costs.*cost), kMostTimesOneKind));
  };
  add("restart with 200 kinds, beside one", "s", &Costs::start);
  add("its CPU", "s", &Costs::start_cpu);
  add("an idle pass", "s", &Costs::pass);
  add("its CPU a target", "µs a target", &Costs::pass_cpu);
  add("memory after it", "MiB", &Costs::memory);
}

}  // namespace bindery::bench
