#pragma once

#include <memory>

#include "store/ports/audit_progress.h"
#include "store/ports/check_help.h"
#include "store/ports/hour_store.h"
#include "store/ports/inventory_store.h"
#include "store/ports/journal_reader.h"
#include "store/ports/report_reader.h"
#include "store/ports/requests.h"
#include "store/ports/startup_reader.h"
#include "store/ports/state_writer.h"
#include "store/ports/store_health.h"

namespace bindery::store {

/// bindery's memory. An engine implements all ports; the opener of a store gives each user the
/// required port.
class Store : public StateWriter,
              public StartupReader,
              public ReportReader,
              public JournalReader,
              public AuditProgress,
              public StoreHealth {
 public:
  // A start and reports ask for the same.
  using ReportReader::Drift;
  using ReportReader::Holds;
  using ReportReader::LastGeneration;
  using ReportReader::ReadCatalog;
  using ReportReader::Revision;

  /// At the end of a process: reads that take long, on any thread, fail soon with kCancelled or
  /// kUnavailable, those under way and later ones. A short one may still be answered. Changes are
  /// written as before.
  virtual void EndReads() = 0;

  /// The scans of clouds. As long-lived as the store.
  [[nodiscard]] virtual InventoryStore& inventory() const = 0;
  /// What the daemon saw and did, by hours. Likewise.
  [[nodiscard]] virtual HourStore& hours() const = 0;

  /// The requests of replicas that stand by, of a store that was opened for writing; null where no
  /// other replica can be.
  [[nodiscard]] virtual std::unique_ptr<RequestInbox> OpenInbox() const = 0;

  /// What helpers are asked for. Null under the same conditions.
  [[nodiscard]] virtual std::unique_ptr<CheckBatches> OpenCheckBatches() const = 0;
};

}  // namespace bindery::store
