#pragma once

namespace bindery::store {

// The steps of the schema, one file each.
[[nodiscard]] const char* SchemaVersion1();
[[nodiscard]] const char* SchemaVersion2();  ///< Needs RegisterUpgradeFunctions().
[[nodiscard]] const char* SchemaVersion3();
[[nodiscard]] const char* SchemaVersion4();
[[nodiscard]] const char* SchemaVersion5();
[[nodiscard]] const char* SchemaVersion6();
[[nodiscard]] const char* SchemaVersion7();
[[nodiscard]] const char* SchemaVersion8();

}  // namespace bindery::store
