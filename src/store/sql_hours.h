#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "core/base/clock.h"
#include "core/base/expected.h"
#include "store/group_writer.h"
#include "store/ports/hour_store.h"
#include "store/read_connections.h"

namespace bindery::store {

/// The hours of a store in a database.
class SqlHours final : public HourStore {
 public:
  /// Queues a change and does not block.
  using Submit = std::function<void(GroupWriter::Work)>;

  /// `connections` and what `submit` uses must outlive it.
  SqlHours(const ReadConnections& connections, Submit submit)
      : connections_(connections), submit_(std::move(submit)) {}

  void AddToHour(const HourRecord& more) override;
  [[nodiscard]] Expected<std::vector<HourRecord>> Hours(WallTime from,
                                                        WallTime until) const override;

 private:
  const ReadConnections& connections_;
  const Submit submit_;
};

}  // namespace bindery::store
