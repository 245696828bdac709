#include "report/forms/report_folder.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <functional>
#include <string_view>

#include "core/base/private_file.h"
#include "core/base/whole_file.h"
#include "core/text/time_text.h"
#include "manifests/files/descriptor.h"
#include "report/forms/drift_forms.h"
#include "report/text/packed_file.h"
#include "report/values/drift_budget.h"

namespace bindery::report {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kStem = "drift-";
constexpr std::string_view kUnfinished = ".drift-";
constexpr std::string_view kPacked = ".zst";
constexpr std::string_view kUnfinishedLink = ".latest.";
constexpr std::size_t kHour = std::string_view("drift-2026-11-21T11").size();

tl::unexpected<Error> CannotWrite(const fs::path& file) {
  if (errno == ECANCELED) return Fail(Code::kCancelled, "the report was dropped");
  return Fail(Code::kFailedPrecondition,
              "\"" + file.string() + "\" cannot be written: " + manifests::SystemText(errno));
}

/// Writes to a file in large pieces. A failure makes all later writes
/// fail.
class FileSink {
 public:
  FileSink(int fd, const std::atomic<bool>* dropped) : fd_(fd), dropped_(dropped) {
    buffer_.reserve(2 * kPiece);
  }

  void Add(std::string_view text) {
    buffer_ += text;
    if (buffer_.size() >= kPiece) WriteOut();
  }

  /// Everything is on the disk; else errno says why not.
  bool Finish() {
    WriteOut();
    if (failure_ == 0 && ::fsync(fd_) != 0) failure_ = errno;
    errno = failure_;
    return failure_ == 0;
  }

 private:
  static constexpr std::size_t kPiece = 64UL * 1024;

  void WriteOut() {
    if (dropped_ != nullptr && *dropped_) failure_ = ECANCELED;
    if (failure_ == 0 && !WriteAll(fd_, buffer_)) failure_ = errno;
    buffer_.clear();
  }

  int fd_;
  const std::atomic<bool>* dropped_;
  int failure_ = 0;
  std::string buffer_;
};

/// "dir/.name" of "dir/name": the name of an unfinished file, so that no reader takes half a file.
fs::path Unfinished(const fs::path& file) {
  return file.parent_path() / ("." + file.filename().string());
}

/// Writes all that `write` gives under the file's unfinished name.
Expected<void> WriteUnfinished(const fs::path& file, const std::atomic<bool>* dropped,
                               const std::function<Expected<void>(const TextSink&)>& write) {
  constexpr unsigned kMode = 0640;  // Who may do what is not for everybody.
  const manifests::Descriptor descriptor(
      OpenPrivateFile(Unfinished(file).string(), O_WRONLY | O_CREAT | O_TRUNC, kMode));
  if (!descriptor.valid()) return CannotWrite(Unfinished(file));
  FileSink sink(descriptor.get(), dropped);
  auto written = write([&sink](std::string_view text) { sink.Add(text); });
  if (written && !sink.Finish()) return CannotWrite(file);
  return written;
}

/// Makes `link` name `file` in the same folder, without a moment of a dangling link.
Expected<void> PointTo(const fs::path& link, const std::string& file) {
  const fs::path unfinished = Unfinished(link);
  ::unlink(unfinished.c_str());
  if (::symlink(file.c_str(), unfinished.c_str()) != 0) return CannotWrite(link);
  if (::rename(unfinished.c_str(), link.c_str()) != 0) return CannotWrite(link);
  return {};
}

/// "drift-2026-11-21T113000.000Z" of "2026-11-21T11:30:00.000Z": no colons, which some systems
/// refuse in names.
std::string MakeStem(const std::string& time) {
  std::string stem(kStem);
  std::copy_if(time.begin(), time.end(), std::back_inserter(stem), [](char c) { return c != ':'; });
  return stem;
}

std::optional<WallTime> GetTimeOfName(const std::string& name) {
  constexpr std::size_t kLength = std::string_view("drift-2026-11-21T113000.000Z").size();
  if (!name.starts_with(kStem) || name.size() <= kLength || name[kLength] != '.') {
    return std::nullopt;
  }
  std::string time = name.substr(0, kLength);
  time.insert(kHour + 2, ":").insert(kHour, ":").erase(0, kStem.size());
  const Expected<WallTime> parsed = ParseRfc3339(time);
  return parsed ? std::optional(*parsed) : std::nullopt;
}

/// ".json" of "….json" and of "….json.zst".
std::string FindForm(const fs::path& file) {
  return file.extension() == kPacked ? file.stem().extension().string() : file.extension().string();
}

/// The reports in the folder, oldest first; with `extension` only those of that form.
std::vector<std::string> Reports(const fs::path& directory, const std::string& extension = "") {
  std::vector<std::string> names;
  std::error_code failed;
  for (fs::directory_iterator entry(directory, failed), end; !failed && entry != end;
       entry.increment(failed)) {
    std::string name = entry->path().filename().string();
    const bool wanted = extension.empty() || FindForm(entry->path()) == extension;
    if (wanted && GetTimeOfName(name)) names.push_back(std::move(name));
  }
  std::sort(names.begin(), names.end());
  return names;
}

/// The newest report of a form that is not written any more is not the latest.
void RemoveStaleLinks(const ReportFolder::Options& options) {
  for (std::size_t i = 0; i < kReportSuffixes.size(); ++i) {
    const auto format = static_cast<ReportFormat>(i);
    if (std::ranges::find(options.formats, format) != options.formats.end()) continue;
    const fs::path link = options.directory / ("latest." + std::string(GetExtension(format)));
    std::error_code ignored;
    if (fs::is_symlink(link, ignored)) fs::remove(link, ignored);
  }
}

}  // namespace

DriftScope DriftScopeAt(WallTime now, const DriftSettings& settings) {
  DriftScope scope;
  scope.now = now;
  scope.resolved_since = now - kRecentlyCorrected;
  scope.previous = ReportFolder({.directory = settings.directory, .formats = {}}).Newest();
  scope.mode = settings.mode;
  scope.expiring_within = settings.expiring_within;
  scope.attribution = settings.attribution;
  if (settings.unmanaged) scope.unmanaged = settings.unmanaged();
  return scope;
}

std::optional<WallTime> ReportFolder::Newest() const {
  const std::vector<std::string> names = Reports(options_.directory);
  return names.empty() ? std::nullopt : GetTimeOfName(names.back());
}

void ReportFolder::RemoveUnfinished() const {
  std::error_code failed;
  std::vector<fs::path> left;
  for (fs::directory_iterator entry(options_.directory, failed), end; !failed && entry != end;
       entry.increment(failed)) {
    const std::string name = entry->path().filename().string();
    if (name.starts_with(kUnfinished) || name.starts_with(kUnfinishedLink)) {
      left.push_back(entry->path());
    }
  }
  for (const fs::path& file : left) fs::remove(file, failed);
}

Expected<void> ReportFolder::Write(DriftDocument& report) const {
  if (options_.formats.empty()) return {};
  std::error_code failed;
  fs::create_directories(options_.directory, failed);
  if (failed) {
    return Fail(Code::kFailedPrecondition,
                "the folder \"" + options_.directory.string() +
                    "\" cannot be made: " + manifests::SystemText(failed.value()));
  }
  RemoveUnfinished();
  RemoveStaleLinks(options_);
  if (auto written = WriteForms(report); !written) {
    RemoveUnfinished();
    return written;
  }
  SyncFolder(options_.directory.string());
  for (const ReportFormat format : options_.formats) Trim(format);
  Pack();
  TrimBytes();
  return {};
}

/// Only a document that is readable to its end in every form is a report.
Expected<void> ReportFolder::WriteForms(DriftDocument& report) const {
  TextStyle style;
  style.now = report.head().generated_at;
  const std::string stem = MakeStem(FormatRfc3339(report.head().generated_at));
  auto listed = BudgetedDrift::Of(report);
  if (!listed) return Fail(listed.error());
  for (const ReportFormat format : options_.formats) {
    auto written =
        WriteUnfinished(GetFile(stem, format), options_.dropped, [&](const TextSink& out) {
          return WriteDrift({format}, *listed, style, options_.version, out);
        });
    if (!written) return written;
  }
  for (const ReportFormat format : options_.formats) {
    const fs::path file = GetFile(stem, format);
    if (::rename(Unfinished(file).c_str(), file.c_str()) != 0) return CannotWrite(file);
    auto linked = PointTo(GetFile("latest", format), file.filename());
    if (!linked) return linked;
  }
  return {};
}

fs::path ReportFolder::GetFile(const std::string& stem, ReportFormat format) const {
  return options_.directory / (stem + "." + std::string(GetExtension(format)));
}

void ReportFolder::Trim(ReportFormat format) const {
  const auto names = Reports(options_.directory, "." + std::string(GetExtension(format)));
  const auto keep = static_cast<std::size_t>(options_.keep);
  for (std::size_t i = 0; i + keep < names.size(); ++i) {
    std::error_code ignored;
    fs::remove(options_.directory / names[i], ignored);
  }
}

/// All but the newest that are large enough to be worth it.
void ReportFolder::Pack() const {
  const std::vector<std::string> names = Reports(options_.directory);
  for (const std::string& name : names) {
    if (GetTimeOfName(name) == GetTimeOfName(names.back())) return;
    const fs::path file = options_.directory / name;
    std::error_code ignored;
    const std::uintmax_t size = fs::file_size(file, ignored);
    if (ignored || size < options_.pack_from || name.ends_with(kPacked)) continue;
    PackFile(file, options_.dropped);
  }
}

/// The oldest go first, whatever their form, and never those of the newest time.
void ReportFolder::TrimBytes() const {
  const std::vector<std::string> names = Reports(options_.directory);
  std::vector<std::uintmax_t> sizes;
  std::error_code ignored;
  std::uintmax_t all = 0;
  for (const std::string& name : names) {
    const std::uintmax_t size = fs::file_size(options_.directory / name, ignored);
    sizes.push_back(ignored ? 0 : size);
    all += sizes.back();
  }
  for (std::size_t i = 0; i < names.size() && all > options_.max_bytes; ++i) {
    if (GetTimeOfName(names[i]) == GetTimeOfName(names.back())) return;
    if (fs::remove(options_.directory / names[i], ignored)) all -= sizes[i];
  }
}

}  // namespace bindery::report
