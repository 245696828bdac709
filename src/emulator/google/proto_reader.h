#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json.h"
#include "emulator/google/error.h"

namespace bindery::emulator {

/// Reads a JSON body as Google's front end reads a proto message: members in lowerCamelCase or with
/// their proto names, null for absent, unknown members refused. Complaints are collected in the
/// words of the real service; ask violations() at the end.
///
/// Paths are those of the complaints: "policy.bindings[0]"; the root's is empty.
class ProtoReader {
 public:
  /// Complains unless `value` is an object with these members only.
  bool CheckMessage(const Json& value, const std::string& path, std::string_view type,
                    const std::vector<std::string_view>& fields);

  /// The member; null if absent or null.
  [[nodiscard]] static const Json* Field(const Json& message, std::string_view name);

  [[nodiscard]] std::string String(const Json& message, std::string_view name,
                                   const std::string& path);
  /// Numbers and numeric strings.
  [[nodiscard]] int Int32(const Json& message, std::string_view name, const std::string& path);
  /// The decoded bytes of a base64 text; nothing when absent.
  [[nodiscard]] std::optional<std::string> Bytes(const Json& message, std::string_view name,
                                                 const std::string& path);
  [[nodiscard]] std::vector<std::string> Strings(const Json& message, std::string_view name,
                                                 const std::string& path);
  /// The elements of a repeated message; `type` is its full proto name.
  [[nodiscard]] const std::vector<Json>& Messages(const Json& message, std::string_view name,
                                                  const std::string& path, std::string_view type);

  void PrintError(std::string field, std::string description);
  [[nodiscard]] const std::vector<FieldViolation>& violations() const { return violations_; }

 private:
  std::vector<FieldViolation> violations_;
};

/// "policy" + "bindings" -> "policy.bindings"
[[nodiscard]] std::string JoinPath(const std::string& path, std::string_view name);

/// "updateMask" -> "update_mask": how complaints spell a field.
[[nodiscard]] std::string ProtoName(std::string_view json_name);

}  // namespace bindery::emulator
