#include "store/schema_functions.h"

#include <SQLiteCpp/Database.h>
#include <sqlite3.h>

#include "store/digest_bytes.h"
#include "store/policy_codec.h"

namespace bindery::store {
namespace {

std::string_view Argument(sqlite3_value* value) {
  const auto* text = static_cast<const char*>(sqlite3_value_blob(value));
  if (text == nullptr) return {};
  return {text, static_cast<std::size_t>(sqlite3_value_bytes(value))};
}

void GiveBlob(sqlite3_context* context, std::string_view bytes) {
  sqlite3_result_blob64(context, bytes.data(), bytes.size(), SQLITE_TRANSIENT);
}

void DigestBytes(sqlite3_context* context, int /*count*/, sqlite3_value** arguments) {
  std::array<char, kDigestBytes> bytes{};
  if (BytesOfDigest(Argument(arguments[0]), bytes)) {
    GiveBlob(context, {bytes.data(), bytes.size()});
  } else {
    sqlite3_result_value(context, arguments[0]);
  }
}

void PackedPolicy(sqlite3_context* context, int /*count*/, sqlite3_value** arguments) {
  const std::string_view body = Argument(arguments[0]);
  const std::string packed = PackPolicy(body, {});
  if (packed.size() < body.size()) {
    GiveBlob(context, packed);
  } else {
    sqlite3_result_value(context, arguments[0]);
  }
}

}  // namespace

void RegisterUpgradeFunctions(SQLite::Database& database) {
  const auto add = [&database](const char* name, auto* function) {
    const int result = sqlite3_create_function_v2(database.getHandle(), name, 1,
                                                  SQLITE_UTF8 | SQLITE_DETERMINISTIC, nullptr,
                                                  function, nullptr, nullptr, nullptr);
    if (result != SQLITE_OK) throw SQLite::Exception(database.getHandle(), result);
  };
  add("digest_bytes", &DigestBytes);
  add("packed_policy", &PackedPolicy);
}

}  // namespace bindery::store
