#include "report/report_folder.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string_view>

#include "core/time_text.h"
#include "manifests/descriptor.h"
#include "report/drift_forms.h"

namespace bindery {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kStem = "drift-";
constexpr std::string_view kUnfinished = ".drift-";
constexpr std::size_t kHour = std::string_view("drift-2026-11-21T11").size();

tl::unexpected<Error> CannotWrite(const fs::path& file) {
  return Fail(Code::kFailedPrecondition,
              "\"" + file.string() + "\" cannot be written: " + SystemText(errno));
}

bool WriteAll(int fd, std::string_view text) {
  while (!text.empty()) {
    const ::ssize_t written = ::write(fd, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

/// All of the text under that name, or what was there before.
Expected<void> WriteWhole(const fs::path& file, std::string_view text) {
  constexpr ::mode_t kMode = 0640;  // Who may do what is not for everybody.
  const fs::path unfinished = file.parent_path() / ("." + file.filename().string());
  const Descriptor descriptor(
      ::open(unfinished.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, kMode));
  if (!descriptor.valid()) return CannotWrite(unfinished);
  if (!WriteAll(descriptor.get(), text) || ::fsync(descriptor.get()) != 0 ||
      ::rename(unfinished.c_str(), file.c_str()) != 0) {
    const int reason = errno;
    ::unlink(unfinished.c_str());
    errno = reason;
    return CannotWrite(file);
  }
  return {};
}

/// Makes `link` name `file` in the same folder, without a moment in which it names nothing.
Expected<void> PointTo(const fs::path& link, const std::string& file) {
  const fs::path unfinished = link.parent_path() / ("." + link.filename().string());
  ::unlink(unfinished.c_str());
  if (::symlink(file.c_str(), unfinished.c_str()) != 0) return CannotWrite(link);
  if (::rename(unfinished.c_str(), link.c_str()) != 0) return CannotWrite(link);
  return {};
}

/// "drift-2026-11-21T113000.000Z" of "2026-11-21T11:30:00.000Z": no colons, which some systems
/// refuse in names.
std::string StemOf(const std::string& time) {
  std::string stem(kStem);
  std::copy_if(time.begin(), time.end(), std::back_inserter(stem), [](char c) { return c != ':'; });
  return stem;
}

std::optional<WallTime> TimeOf(const std::string& name) {
  constexpr std::size_t kLength = std::string_view("drift-2026-11-21T113000.000Z").size();
  if (!name.starts_with(kStem) || name.size() <= kLength || name[kLength] != '.') {
    return std::nullopt;
  }
  std::string time = name.substr(0, kLength);
  time.insert(kHour + 2, ":").insert(kHour, ":").erase(0, kStem.size());
  const Expected<WallTime> parsed = ParseRfc3339(time);
  return parsed ? std::optional(*parsed) : std::nullopt;
}

/// The reports in the folder, oldest first; with `extension` only those that end so.
std::vector<std::string> Reports(const fs::path& directory, const std::string& extension = "") {
  std::vector<std::string> names;
  std::error_code failed;
  for (fs::directory_iterator entry(directory, failed), end; !failed && entry != end;
       entry.increment(failed)) {
    std::string name = entry->path().filename().string();
    const bool wanted = extension.empty() || entry->path().extension() == extension;
    if (wanted && TimeOf(name)) names.push_back(std::move(name));
  }
  std::sort(names.begin(), names.end());
  return names;
}

/// What a process that was killed while it wrote has left.
void RemoveUnfinished(const fs::path& directory) {
  std::error_code failed;
  std::vector<fs::path> left;
  for (fs::directory_iterator entry(directory, failed), end; !failed && entry != end;
       entry.increment(failed)) {
    if (entry->path().filename().string().starts_with(kUnfinished)) left.push_back(entry->path());
  }
  for (const fs::path& file : left) fs::remove(file, failed);
}

/// The newest report of a form that is not written any more is not the latest.
void RemoveStaleLinks(const ReportFolder::Options& options) {
  for (std::size_t i = 0; i < kReportFormatNames.size(); ++i) {
    const auto format = static_cast<ReportFormat>(i);
    if (std::ranges::find(options.formats, format) != options.formats.end()) continue;
    const fs::path link = options.directory / ("latest." + std::string(ExtensionOf(format)));
    std::error_code ignored;
    if (fs::is_symlink(link, ignored)) fs::remove(link, ignored);
  }
}

}  // namespace

DriftScope DriftScopeAt(WallTime now, const DriftSettings& settings) {
  DriftScope scope;
  scope.now = now;
  scope.resolved_since = now - kRecentlyCorrected;
  scope.previous = ReportFolder({settings.directory, {}}).Newest();
  scope.mode = settings.mode;
  scope.expiring_within = settings.expiring_within;
  scope.attribution = settings.attribution;
  return scope;
}

std::optional<WallTime> ReportFolder::Newest() const {
  const std::vector<std::string> names = Reports(options_.directory);
  return names.empty() ? std::nullopt : TimeOf(names.back());
}

Expected<void> ReportFolder::Write(const Json& report) const {
  if (options_.formats.empty()) return {};
  std::error_code failed;
  fs::create_directories(options_.directory, failed);
  if (failed) {
    return Fail(Code::kFailedPrecondition, "the folder \"" + options_.directory.string() +
                                               "\" cannot be made: " + SystemText(failed.value()));
  }
  RemoveUnfinished(options_.directory);
  RemoveStaleLinks(options_);
  const std::string stem = StemOf(StringMember(report, "generatedAt"));
  for (const ReportFormat format : options_.formats) {
    if (auto written = WriteForm(format, stem, report); !written) return written;
  }
  const Descriptor directory(
      ::open(options_.directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (directory.valid()) ::fsync(directory.get());
  for (const ReportFormat format : options_.formats) Trim(format);
  return {};
}

Expected<void> ReportFolder::WriteForm(ReportFormat format, const std::string& stem,
                                       const Json& report) const {
  TextStyle style;
  style.now = ParseRfc3339(StringMember(report, "generatedAt")).value_or(WallTime{});
  const std::string extension = "." + std::string(ExtensionOf(format));
  const std::string name = stem + extension;
  auto written =
      WriteWhole(options_.directory / name, DriftIn(format, report, style, options_.version));
  if (!written) return written;
  return PointTo(options_.directory / ("latest" + extension), name);
}

void ReportFolder::Trim(ReportFormat format) const {
  const auto names = Reports(options_.directory, "." + std::string(ExtensionOf(format)));
  const auto keep = static_cast<std::size_t>(options_.keep);
  for (std::size_t i = 0; i + keep < names.size(); ++i) {
    std::error_code ignored;
    fs::remove(options_.directory / names[i], ignored);
  }
}

}  // namespace bindery
