// What the drift report of a large first pass costs: the time of a stop while it is written, and
// its size.

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <stdexcept>

#include "workloads/workloads.h"

namespace bindery::bench {
namespace {

namespace fs = std::filesystem;

constexpr double kMiB = 1 << 20;

/// The bytes of all reports, the unfinished ones too.
double ReportBytes(const Scene& scene) {
  double bytes = 0;
  for (const auto& entry : fs::directory_iterator(scene.folder / "state/reports")) {
    if (!entry.is_symlink()) bytes += static_cast<double>(entry.file_size());
  }
  return bytes;
}

std::size_t ReportFiles(const Scene& scene) {
  const fs::path folder = scene.folder / "state/reports";
  if (!fs::exists(folder)) return 0;
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

bool HasUnfinished(const Scene& scene) {
  const fs::path folder = scene.folder / "state/reports";
  return fs::exists(folder) &&
         std::any_of(
             fs::directory_iterator(folder), fs::directory_iterator(),
             [](const auto& entry) { return entry.path().filename().string().starts_with("."); });
}

double StopSeconds(Scene& scene) {
  const double before = scene.daemon.SinceStart();
  scene.daemon.Stop();
  return scene.daemon.SinceStart() - before;
}

/// Right after the first pass, so that its report is in work. Everything is new each time.
void StopAfterFirstPass(Scene& scene, const Shape& shape, std::vector<double>& seconds) {
  constexpr double kReportInWork = 0.3;
  scene.cloud.Replace(MakeSeed(shape));
  scene.daemon.RemoveState();
  scene.daemon.Start();
  scene.daemon.AwaitLog("first pass done");
  Pause(kReportInWork);
  seconds.push_back(StopSeconds(scene));
  if (HasUnfinished(scene)) throw std::runtime_error("a stop left a part of a report");
}

void AwaitReports(Scene& scene) {
  while (!fs::exists(scene.folder / "state/reports/latest.html")) {
    if (!scene.daemon.Running()) throw std::runtime_error(scene.daemon.Log());
    Pause(0.1);
  }
}

/// What the first pass changed is reported after the restart, and nothing after another one.
void MeasureSize(Bench& bench, Scene& scene, const std::string& label) {
  scene.daemon.Start();
  AwaitReports(scene);
  scene.daemon.Stop();
  const double bytes = ReportBytes(scene);
  const std::size_t files = ReportFiles(scene);
  bench.Add(AtMost(Plain(label + ", reports in JSON and HTML", "MiB", {bytes / kMiB}), 50));
  scene.daemon.Start();
  scene.daemon.AwaitLog("first pass done");
  Pause(2);
  scene.daemon.Stop();
  bench.Add(AtMost(Plain(label + ", files added by a restart without a change", "files",
                         {static_cast<double>(ReportFiles(scene) - files)}),
                   0));
}

}  // namespace

void Reports(Bench& bench) {
  Shape shape;
  shape.targets = bench.options().full ? 5'000 : 1'000;
  shape.members = 500;
  Shape one;
  one.targets = 1;
  DaemonSettings settings;
  settings.extra = "reports: {minimumInterval: 0s}\n";
  Scene large(bench, shape, settings);
  Scene small(bench, one, settings);
  const std::string label = Digits(static_cast<double>(shape.targets)) + " policies × 500 members";
  std::vector<double> stops;
  std::vector<double> floor;
  bench.InTurns([&] { StopAfterFirstPass(large, shape, stops); },
                [&] { StopAfterFirstPass(small, one, floor); });
  bench.Add(AtMost(Against(label + ", stop while it is reported", "s", stops, floor), 1));
  MeasureSize(bench, large, label);
}

}  // namespace bindery::bench
