#pragma once

#include <vector>

#include "core/expected.h"
#include "store/records.h"

namespace bindery {

/// What the audit feed reads: how far it came. That moves by StoreChange::upsert_audit_files and
/// forget_audit_files, in one change with the entries that were read.
///
/// Threads: any. Errors: as of JournalReader.
class AuditProgress {
 public:
  virtual ~AuditProgress() = default;

  /// How far files of audit logs were read, by path.
  [[nodiscard]] virtual Expected<std::vector<AuditFile>> AuditFiles() const = 0;
};

}  // namespace bindery
