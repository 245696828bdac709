#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "store/postgres/postgres_link.h"

namespace bindery::store {

/// A session for single statements that are repeated, which is made again when it was lost. For a
/// single thread at a time.
class LookingLink {
 public:
  /// `patience` as for PostgresLink::Connect.
  explicit LookingLink(std::string url,
                       std::chrono::milliseconds patience = PostgresLink::kPatience)
      : url_(std::move(url)), patience_(patience) {}

  /// Runs a statement with parameters of type text, as a separate transaction. Throws
  /// EngineError.
  PostgresResult Run(const std::string& sql, std::vector<std::string> values = {});

 private:
  PostgresLink& Reach();

  const std::string url_;
  const std::chrono::milliseconds patience_;
  std::unique_ptr<PostgresLink> link_;
};

}  // namespace bindery::store
