#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/clock.h"
#include "core/base/expected.h"
#include "core/settings/keeping_rules.h"
#include "core/settings/mode.h"
#include "core/settings/report_format.h"
#include "report/values/drift_document.h"
#include "report/values/report_scopes.h"

namespace bindery::report {

/// The folder of drift reports: drift-2026-11-21T113000.000Z.json and so on, and a link
/// latest.json to the newest of each form. Large ones but the newest are compressed,
/// drift-….json.zst. Other files in it are left alone.
class ReportFolder {
 public:
  struct Options {
    std::filesystem::path directory;
    std::vector<ReportFormat> formats;
    int keep = 30;                         ///< Reports of each form.
    std::uintmax_t max_bytes = 1UL << 30;  ///< Of all of them; the newest is kept anyway.
    std::uintmax_t pack_from = 1UL << 20;  ///< Bytes of a report that is compressed once it is old.
    std::string version = {};              ///< Of bindery, for the forms that name the tool.
    /// Set from another thread: what is being written is not wanted any more. May be null.
    const std::atomic<bool>* dropped = nullptr;
  };
  explicit ReportFolder(Options options) : options_(std::move(options)) {}

  /// The time of the newest report, in any form; nothing if none exists.
  [[nodiscard]] std::optional<WallTime> Newest() const;

  /// Removes what a process that ended while it wrote has left.
  void RemoveUnfinished() const;

  /// Writes a report in every form; its time must be after that of Newest(). A reader of a
  /// file sees all of it. Then deletes what is more than is to be kept. Errors of the document,
  /// of which nothing is left then; kFailedPrecondition when the folder cannot be written;
  /// kCancelled when the report was dropped.
  [[nodiscard]] Expected<void> Write(DriftDocument& report) const;

  [[nodiscard]] const Options& options() const { return options_; }

 private:
  [[nodiscard]] Expected<void> WriteForms(DriftDocument& report) const;
  [[nodiscard]] std::filesystem::path GetFile(const std::string& stem, ReportFormat format) const;
  void Trim(ReportFormat format) const;
  void TrimBytes() const;
  void Pack() const;

  Options options_;
};

/// The settings of a drift report, for files, output and API.
struct DriftSettings {
  std::filesystem::path directory = {};  ///< Of the reports.
  Mode mode = Mode::kEnforce;            ///< Of resources that name none themselves.
  /// As DriftScope::expiring_within.
  std::chrono::milliseconds expiring_within = std::chrono::hours(7 * 24);
  bool attribution = false;         ///< As DriftScope::attribution.
  std::string repository_url = {};  ///< Of manifests; only for the pages.
  KeepingRules keeping = {};        ///< For explanations and targets.
  /// Gives DriftScope::unmanaged; may be empty. Any thread; may block on the store.
  std::function<std::shared_ptr<const UnmanagedGrants>()> unmanaged = {};
};

/// A report as of `now`: compared with the newest in the directory, with what was corrected lately.
[[nodiscard]] DriftScope DriftScopeAt(WallTime now, const DriftSettings& settings);

}  // namespace bindery::report
