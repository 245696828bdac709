#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "store/ports/report_reader.h"
#include "store/sql/connection.h"
#include "store/sql/engine.h"

namespace bindery::store {

/// As ReportReader::DriftNumbered(), one after the other. Throws EngineError.
void EachDriftNumbered(Connection& connection, const std::vector<std::int64_t>& ids,
                       const std::function<void(const DriftEntry&)>& take);

/// A reading transaction on a separate connection.
class SqlDriftSnapshot final : public DriftSnapshot {
 public:
  /// As OpenReader of `engine`, with reports of failed reads to the engine.
  [[nodiscard]] static Expected<std::unique_ptr<DriftSnapshot>> Open(Engine& engine);

  Expected<void> EachSince(std::optional<WallTime> resolved_since,
                           const std::function<void(const DriftEntry&)>& take) override;
  Expected<void> VisitEach(const std::vector<std::int64_t>& ids,
                           const std::function<void(const DriftEntry&)>& take) override;

 private:
  SqlDriftSnapshot(Engine& engine, std::unique_ptr<Connection> connection);

  template <typename F>
  Expected<void> Read(F&& read);

  Engine& engine_;
  std::unique_ptr<Connection> connection_;
  ReadTransaction transaction_;
};

}  // namespace bindery::store
