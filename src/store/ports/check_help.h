#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "core/settings/store_location.h"

namespace bindery::store {

/// A standby that reads targets for the replica at work.
struct HelperRecord {
  std::string id;                       ///< Made anew each time it begins to help.
  std::chrono::milliseconds silent{0};  ///< Since its last sign, by the database's clock.
};

/// Checks for a helper. The store keeps texts and does not parse them.
struct CheckBatchRecord {
  std::string id;
  std::string helper;
  std::string text;
};

struct CheckBatchAnswer {
  std::string id;
  std::string text;
};

/// The checks that the replica at work asks of helpers. The recorded state is worth nothing after a
/// minute, and is lost with a crash of the database. Single-threaded.
class CheckBatches {
 public:
  virtual ~CheckBatches() = default;

  [[nodiscard]] virtual Expected<std::vector<HelperRecord>> Helpers() = 0;
  [[nodiscard]] virtual Expected<void> Place(const std::vector<CheckBatchRecord>& batches) = 0;
  /// What was answered meanwhile: each once. Also of batches that are too old, with an empty text.
  [[nodiscard]] virtual Expected<std::vector<CheckBatchAnswer>> Collect() = 0;
};

/// The same for a helper. Single-threaded.
class CheckHelp {
 public:
  virtual ~CheckHelp() = default;

  /// The helper is there, and goes on to be for some seconds.
  [[nodiscard]] virtual Expected<void> Offer() = 0;
  /// The checks for this helper: each once.
  [[nodiscard]] virtual Expected<std::vector<CheckBatchRecord>> Take() = 0;
  /// A batch that is not waited for any more is gone: that is no error.
  [[nodiscard]] virtual Expected<void> Answer(const CheckBatchAnswer& answer) = 0;
  virtual void Leave() = 0;
};

/// Of a store in a database, which need not be reachable yet.
[[nodiscard]] std::unique_ptr<CheckHelp> OpenCheckHelp(const StoreLocation& location);

}  // namespace bindery::store
