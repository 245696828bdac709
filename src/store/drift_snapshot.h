#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "store/connection.h"
#include "store/engine.h"
#include "store/report_reader.h"

namespace bindery::store {

/// A reading transaction on a connection of its own.
class SqlDriftSnapshot final : public DriftSnapshot {
 public:
  /// As OpenReader of `engine`. `note` is told how each read ended.
  [[nodiscard]] static Expected<std::unique_ptr<DriftSnapshot>> Open(
      const Engine& engine, std::function<void(const Expected<void>&)> note);

  Expected<void> EachSince(std::optional<WallTime> resolved_since,
                           const std::function<void(const DriftEntry&)>& take) override;
  Expected<void> EachOf(const std::vector<std::int64_t>& ids,
                        const std::function<void(const DriftEntry&)>& take) override;

 private:
  SqlDriftSnapshot(std::unique_ptr<Connection> connection,
                   std::function<void(const Expected<void>&)> note);

  template <typename F>
  Expected<void> Read(F&& read);

  const std::function<void(const Expected<void>&)> note_;
  std::unique_ptr<Connection> connection_;
  ReadTransaction transaction_;
};

}  // namespace bindery::store
