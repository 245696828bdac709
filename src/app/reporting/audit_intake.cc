#include "app/reporting/audit_intake.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "providers/registry/providers.h"

namespace bindery::app {
namespace {

/// An entry further in the future has not happened; it would be the newest entry for as long as
/// that takes.
constexpr std::chrono::minutes kClocksApart(10);

void RefuseLaterThan(WallTime latest, std::vector<AuditEntry>& entries,
                     attribution::Harvest& harvest) {
  const auto is_later = [latest](const AuditEntry& entry) { return entry.time > latest; };
  const auto first = std::find_if(entries.begin(), entries.end(), is_later);
  if (first != entries.end()) harvest.complaints.push_back(first->source + ": is yet to happen");
  harvest.malformed += static_cast<std::int64_t>(std::erase_if(entries, is_later));
  if (harvest.newest && *harvest.newest > latest) harvest.newest.reset();
}

}  // namespace

AuditIntake::AuditIntake(store::StateWriter& writer, const store::AuditProgress& progress,
                         telemetry::Logger& log, telemetry::Metrics& metrics, const Clock& clock)
    : writer_(writer), progress_(progress), log_(log), metrics_(metrics), clock_(clock) {}

bool AuditIntake::ReadPiece(const std::filesystem::path& directory,
                            std::chrono::milliseconds keep) try {
  if (directory != directory_) {
    directory_ = directory;
    folder_.reset();
  }
  if (directory_.empty()) return false;
  const Expected<bool> more = TakeHarvest(keep);
  const std::string error = more ? "" : ToString(more.error());
  if (std::exchange(last_error_, error) != error && !error.empty()) {
    log_.Warn("audit logs cannot be read", {{"directory", directory_.string()}, {"reason", error}});
  }
  return more && *more;
} catch (const std::exception& failure) {
  folder_.reset();
  if (std::exchange(last_error_, failure.what()) != failure.what()) {
    log_.Error("audit logs cannot be read",
               {{"directory", directory_.string()}, {"reason", failure.what()}});
  }
  return false;
}

Expected<bool> AuditIntake::TakeHarvest(std::chrono::milliseconds keep) {
  if (!folder_) {
    auto known = progress_.AuditFiles();
    if (!known) return Fail(known.error());
    folder_.emplace(directory_, std::move(*known), providers::AuditLogReaders());
  }
  Expected<attribution::Harvest> harvest = folder_->Read();
  if (!harvest) return Fail(harvest.error());
  store::StoreChange change;
  change.audit_entries = std::move(harvest->entries);
  RefuseLaterThan(clock_.Wall() + kClocksApart, change.audit_entries, *harvest);
  const WallTime oldest = clock_.Wall() - keep;
  std::erase_if(change.audit_entries,
                [oldest](const AuditEntry& entry) { return entry.time < oldest; });
  change.upsert_audit_files = std::move(harvest->files);
  change.forget_audit_files = std::move(harvest->gone);
  const auto kept = static_cast<std::int64_t>(change.audit_entries.size());
  if (auto applied = writer_.Apply(std::move(change)); !applied) {
    // How far the files were read is not on record: they are read again.
    folder_.reset();
    return Fail(applied.error());
  }
  Tell(*harvest, kept);
  return harvest->more;
}

void AuditIntake::Tell(const attribution::Harvest& harvest, std::int64_t kept) {
  if (harvest.newest) newest_ = std::max(newest_.value_or(*harvest.newest), *harvest.newest);
  metrics_.audit.entries.Increment(kept, {"kept"});
  metrics_.audit.entries.Increment(harvest.ignored, {"ignored"});
  metrics_.audit.entries.Increment(harvest.malformed, {"malformed"});
  if (newest_) metrics_.audit.newest_entry.Set(*newest_);
  for (const std::string& complaint : harvest.complaints) {
    log_.Warn("an audit log has what is no entry; more of that file is only counted",
              {{"reason", complaint}});
  }
}

}  // namespace bindery::app
