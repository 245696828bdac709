#include "app/observe/load_observer.h"

#include <map>

namespace bindery::app {

void LoadObserver::TellProblems(const controller::ScanInput& scan,
                                const std::vector<manifests::Problem>& conflicts) {
  // By code and severity.
  std::map<std::pair<std::string, std::string>, std::size_t> counts;
  std::set<std::string> known;
  has_errors_ = false;
  for (const auto* list : {&scan.problems, &conflicts}) {
    for (const manifests::Problem& problem : *list) {
      const bool error = problem.severity == manifests::ProblemSeverity::kError;
      ++counts[{problem.code, error ? "error" : "warning"}];
      has_errors_ = has_errors_ || error;
      const std::string text = problem.Text();
      const bool told = known_problems_.contains(text);
      if (!known.insert(text).second || told) continue;
      const telemetry::LogFields fields = {{"code", problem.code}, {"resource", problem.resource}};
      if (error) {
        log_.Error(text, fields);
      } else {
        log_.Warn(text, fields);
      }
    }
  }
  known_problems_ = std::move(known);
  std::size_t errors = 0;
  std::size_t warnings = 0;
  for (const auto& [problem, count] : counts) {
    (problem.second == "error" ? errors : warnings) += count;
  }
  metrics_.inputs.manifest_errors.Set(errors);
  metrics_.inputs.manifest_warnings.Set(warnings);
  metrics_.inputs.manifest_problems.Clear();
  for (const auto& [problem, count] : counts) {
    metrics_.inputs.manifest_problems.Set(count, {problem.first, problem.second});
  }
}

/// Once: it does not change while the daemon runs.
void LoadObserver::TellOfWriters(const controller::ScanInput& scan) {
  if (scan.facts.writers_unknown.empty() || std::exchange(told_of_writers_, true)) return;
  log_.Info(
      "cannot tell which manifest files are open for writing: they belong to another user and "
      "there "
      "is no CAP_LEASE, or their file system has no leases; a file that was opened before the "
      "start "
      "is judged by its time stamps alone",
      {{"file", scan.facts.writers_unknown}});
}

void LoadObserver::Loaded(const controller::ScanInput& scan,
                          const controller::Engine::Scanned* changes) {
  failed_ = false;
  if (!error_.empty()) {
    log_.Info("the manifests directory can be read again");
    error_.clear();
  }
  metrics_.inputs.last_load_successful.Set(1);
  metrics_.inputs.last_load.Set(clock_.Wall());
  health_.SetLoadError("");
  TellOfWriters(scan);
  if (changes == nullptr) return;
  constexpr std::size_t kMany = 500;
  const bool first = !std::exchange(loaded_, true);
  const std::size_t load = first ? scan.manifests : changes->changed_targets;
  large_load_ = large_load_ || load >= kMany;
  for (const std::string& preview : changes->previews) {
    log_.Warn("package is a preview: its behaviour may change", {{"apiVersion", preview}});
  }
  TellProblems(scan, changes->conflicts);
  log_.Info("manifests loaded", {{"files", scan.files.size()},
                                 {"manifests", scan.manifests},
                                 {"problems", scan.problems.size() + changes->conflicts.size()},
                                 {"changedTargets", changes->changed_targets},
                                 {"digest", scan.digest.substr(0, 12)}});
}

void LoadObserver::LoadFailed(const Error& error) {
  failed_ = true;
  metrics_.inputs.last_load_successful.Set(0);
  const std::string text = ToString(error);
  health_.SetLoadError(text);
  if (std::exchange(error_, text) == text) return;
  log_.Error("the manifests cannot be loaded; what is in force stays in force", {{"reason", text}});
}

}  // namespace bindery::app
