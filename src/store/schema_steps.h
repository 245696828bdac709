#pragma once

namespace bindery::store {

// The steps of the schema, one file each.
extern const char* const kSchemaVersion1;
extern const char* const kSchemaVersion2;  ///< Needs the functions of RegisterUpgradeFunctions().

}  // namespace bindery::store
