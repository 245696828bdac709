// What YAML costs: text to checked tree beside the events of libyaml, and the command that checks
// manifests without a daemon.

#include <stdexcept>

#include "harness/child_process.h"
#include "workloads/workloads.h"

namespace bindery::bench {
namespace {

constexpr double kMostTimesFloor = 2.5;
constexpr double kMostCpuOfValidate = 2.5;
constexpr std::size_t kFiles = 1'000;

void MeasureDocuments(Bench& bench, std::size_t documents) {
  const TempFolder folder;
  const std::string manifests = folder / "m";
  Shape shape;
  shape.bindings_per_target = 10;
  shape.targets = documents / shape.bindings_per_target;
  shape.bindings_per_file = documents / kFiles;
  WriteManifests(manifests, shape);
  std::vector<double> trees, validate, floor;
  const auto cpu_of = [&](const char* program) {
    const Json result = bench.Floor(program, {manifests});
    if (result.at("documents") != documents) throw std::runtime_error("not all documents");
    return result.at("cpuSeconds").get<double>();
  };
  bench.InTurns(
      [&] {
        trees.push_back(cpu_of("yaml_trees"));
        const Finished checked = RunToEnd({bench.options().bindery, "validate", manifests});
        if (checked.exit_code != 0) throw std::runtime_error("validate: " + checked.err);
        validate.push_back(checked.cpu_seconds);
      },
      [&] { floor.push_back(cpu_of("libyaml_events")); });
  const std::string label = Digits(static_cast<double>(documents)) + " documents in " +
                            Digits(static_cast<double>(kFiles)) + " files";
  bench.Add(AtMostTimes(Against("CPU of trees, " + label, "s", trees, floor), kMostTimesFloor));
  bench.Add(AtMost(Against("CPU of validate", "s", validate, floor), kMostCpuOfValidate));
}

}  // namespace

void Documents(Bench& bench) { MeasureDocuments(bench, 100'000); }

}  // namespace bindery::bench
