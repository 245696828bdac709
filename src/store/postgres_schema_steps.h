#pragma once

namespace bindery::store {

/// The statements that lead from no tables to version 1, and so on. A released step is never
/// edited.
[[nodiscard]] const char* PostgresVersion1();

}  // namespace bindery::store
