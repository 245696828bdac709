#include "store/sql_hours.h"

#include "store/tables/hours.h"

namespace bindery::store {

void SqlHours::AddToHour(const HourRecord& more) {
  submit_([more](Connection& connection) -> Expected<void> {
    store::AddToHour(connection, more);
    return {};
  });
}

Expected<std::vector<HourRecord>> SqlHours::Hours(WallTime from, WallTime until) const {
  return connections_.Read("hours", [from, until](Connection& connection) {
    return ReadHours(connection, from, until);
  });
}

}  // namespace bindery::store
