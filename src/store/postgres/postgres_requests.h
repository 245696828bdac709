#pragma once

#include <set>
#include <string>
#include <vector>

#include "store/ports/requests.h"
#include "store/postgres/looking_link.h"
#include "store/postgres/postgres_connection.h"

namespace bindery::store {

/// The table `requests`, under the lease.
class PostgresInbox final : public RequestInbox {
 public:
  /// `fence` as Lease::fence().
  PostgresInbox(std::string url, std::string fence);

  [[nodiscard]] Expected<std::vector<RequestRecord>> Take() override;
  [[nodiscard]] Expected<void> Answer(const std::string& id, const std::string& answer) override;

 private:
  [[nodiscard]] Expected<bool> SomethingWaits();
  [[nodiscard]] std::vector<RequestRecord> TakeAll();

  /// Looks every second: one statement of a session is less work than a transaction.
  LookingLink looks_;
  PostgresConnection connection_;
  std::set<std::string> given_;  ///< Taken and not answered yet.
  bool in_doubt_ = false;        ///< Something may have been taken by a transaction that failed.
};

/// The same table for standbys.
class PostgresOutbox final : public RequestOutbox {
 public:
  explicit PostgresOutbox(std::string url);

  [[nodiscard]] Expected<void> Ask(const RequestRecord& request) override;
  [[nodiscard]] Expected<RequestProgress> Progress(const std::string& id) override;
  [[nodiscard]] Expected<bool> Withdraw(const std::string& id) override;

 private:
  PostgresConnection connection_;
};

}  // namespace bindery::store
