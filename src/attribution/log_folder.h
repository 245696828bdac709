#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <system_error>
#include <vector>

#include "attribution/audit_log.h"
#include "attribution/log_records.h"
#include "core/access/audit_entry.h"
#include "core/base/expected.h"

namespace bindery::attribution {

/// The result of one look through a folder of audit logs.
struct Harvest {
  std::vector<AuditEntry> entries;
  std::size_t grant_bytes = 0;          ///< Of the entries' grants, in memory.
  std::vector<AuditFile> files;         ///< That were read on, and how far.
  std::vector<std::string> gone;        ///< Files that are not there any more.
  std::int64_t ignored = 0;             ///< Records that are none of ours.
  std::int64_t malformed = 0;           ///< Records that are none.
  std::vector<std::string> complaints;  ///< "FILE:LINE: …": the first of each file.
  std::optional<WallTime> newest;       ///< Of all records.
  bool more = false;                    ///< There is more to read right away.
};

/// A folder into which exports of audit logs are put, and the folders below it: *.json, *.jsonl and
/// *.ndjson. Files may grow, be replaced and vanish at any time. For a single thread at a time.
class LogFolder {
 public:
  /// `known`: how far files were read, by an earlier process. `readers`: of the clouds whose logs
  /// may be there.
  LogFolder(std::filesystem::path root, std::vector<AuditFile> known,
            std::vector<AuditLogReader> readers);

  /// Reads what is new since the last call, in parts that can be kept in memory.
  /// kFailedPrecondition when the folder cannot be listed. A file, or a folder below it, that
  /// cannot be read is a complaint, once, and tried again.
  [[nodiscard]] Expected<Harvest> Read();

 private:
  struct State {
    AuditFile file;
    std::int64_t seen_size = -1;  ///< Up to there nothing is left to be read for now,
    std::int64_t seen_mtime = 0;  ///< while the file is of this time.
    RecordCutter::Skip skip;
    bool complained = false;
    bool unreadable = false;
  };
  struct Found {
    std::string path;  ///< Within the folder.
    std::int64_t inode = 0;
    std::int64_t size = 0;
    std::int64_t mtime = 0;  ///< In nanoseconds.
  };

  [[nodiscard]] Expected<std::vector<Found>> List(Harvest& harvest);
  [[nodiscard]] std::error_code ListFolder(const std::filesystem::path& folder,
                                           std::vector<std::filesystem::path>& folders,
                                           std::vector<Found>& files) const;
  void ReadFile(const Found& found, State& state, Harvest& harvest) const;
  void TakeRecords(const Found& found, std::ifstream& file, RecordForm form, State& state,
                   Harvest& harvest) const;
  static void ComplainAbout(const Found& found, State& state, Harvest& harvest);
  void TakeRecord(const std::string& path, const RecordCutter::Record& record, State& state,
                  Harvest& harvest) const;

  std::filesystem::path root_;
  std::vector<AuditLogReader> readers_;
  std::map<std::string, State> states_;  ///< By path.
  std::set<std::string> unreadable_;     ///< Folders.
};

}  // namespace bindery::attribution
