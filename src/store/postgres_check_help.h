#pragma once

#include <memory>
#include <string>
#include <vector>

#include "store/check_help.h"
#include "store/postgres_link.h"

namespace bindery::store {

/// A session for single statements, which is made again when it was lost.
class LookingLink {
 public:
  explicit LookingLink(std::string url) : url_(std::move(url)) {}

  /// Runs a statement with parameters of type text, as a transaction of its own. Throws
  /// EngineError.
  PostgresResult Run(const std::string& sql, std::vector<std::string> values = {});

 private:
  PostgresLink& Reach();

  const std::string url_;
  std::unique_ptr<PostgresLink> link_;
};

/// The tables `helpers` and `check_batches`. They are no part of the store's schema: nothing in
/// them is worth keeping, so they are not logged, not copied, and made by who needs them.
class PostgresCheckBatches final : public CheckBatches {
 public:
  explicit PostgresCheckBatches(std::string url);

  [[nodiscard]] Expected<std::vector<HelperRecord>> Helpers() override;
  [[nodiscard]] Expected<void> Place(const std::vector<CheckBatchRecord>& batches) override;
  [[nodiscard]] Expected<std::vector<CheckBatchAnswer>> Collect() override;

 private:
  const std::string id_;  ///< One whose lease ended takes no answers of the next one.
  LookingLink link_;
  bool made_ = false;  ///< The tables are there.
};

class PostgresCheckHelp final : public CheckHelp {
 public:
  explicit PostgresCheckHelp(std::string url);

  [[nodiscard]] Expected<void> Offer() override;
  [[nodiscard]] Expected<std::vector<CheckBatchRecord>> Take() override;
  [[nodiscard]] Expected<void> Answer(const CheckBatchAnswer& answer) override;
  void Leave() override;

 private:
  const std::string id_;
  LookingLink link_;
};

}  // namespace bindery::store
