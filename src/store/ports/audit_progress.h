#pragma once

#include <vector>

#include "core/base/expected.h"
#include "store/ports/records.h"

namespace bindery::store {

/// The progress of the audit feed. The progress moves by StoreChange::upsert_audit_files and
/// forget_audit_files, in one change with the read entries.
///
/// Threads: any. Errors: as of JournalReader.
class AuditProgress {
 public:
  virtual ~AuditProgress() = default;

  /// How far files of audit logs were read, by path.
  [[nodiscard]] virtual Expected<std::vector<AuditFile>> AuditFiles() const = 0;
};

}  // namespace bindery::store
