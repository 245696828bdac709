#pragma once

#include <string>
#include <vector>

#include "store/ports/check_help.h"
#include "store/postgres/looking_link.h"

namespace bindery::store {

/// The tables `helpers` and `check_batches`. The tables are no part of the store's schema: their
/// rows are not worth keeping, so the tables are not logged, not copied, and made by their users.
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
