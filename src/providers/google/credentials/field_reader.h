#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/expected.h"
#include "core/base/json.h"

namespace bindery::google {

/// Reads the members of an object of a credential file. The first fault is kept, what is read after
/// it is empty: a reader of many fields looks for a fault once, at the end. The object must outlive
/// this. No fault quotes a value, but for URLs.
class FieldReader {
 public:
  /// `where` names the file, `path` the object in it, such as "credential_source."; empty for the
  /// whole file.
  FieldReader(const Json& object, std::string where, std::string path = "")
      : object_(object), where_(std::move(where)), path_(std::move(path)) {}

  /// A required, non-empty string.
  [[nodiscard]] std::string Text(const std::string& name);
  /// Empty when absent or null.
  [[nodiscard]] std::string OptionalText(const std::string& name);
  /// A URL to send secrets to: https, or http to the machine. It may have a query.
  [[nodiscard]] std::string Url(const std::string& name);
  [[nodiscard]] std::string OptionalUrl(const std::string& name);
  /// As Url, or http to the link-local network, where clouds serve tokens to their machines.
  [[nodiscard]] std::string LocalServiceUrl(const std::string& name);
  [[nodiscard]] std::vector<std::string> OptionalTexts(const std::string& name);
  /// A list of name and value from an object of strings.
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> OptionalMap(
      const std::string& name);
  /// A whole number within the bounds.
  [[nodiscard]] std::optional<std::int64_t> OptionalNumber(const std::string& name,
                                                           std::int64_t least, std::int64_t most);
  /// The object of the name; a fault, and nothing, when it must be there and is not.
  [[nodiscard]] std::optional<FieldReader> Object(const std::string& name);
  [[nodiscard]] std::optional<FieldReader> OptionalObject(const std::string& name);

  [[nodiscard]] bool Has(const std::string& name) const { return Find(name) != nullptr; }
  [[nodiscard]] const std::string& where() const { return where_; }

  /// Notes that `name` is wrong: "WHERE: "path.name" WHY".
  void Fault(const std::string& name, const std::string& why, Code code = Code::kInvalidArgument);
  /// Takes over a fault of a reader of a part.
  void TakeFault(const FieldReader& part);
  [[nodiscard]] const std::optional<Error>& fault() const { return fault_; }

 private:
  [[nodiscard]] const Json* Find(const std::string& name) const;
  [[nodiscard]] std::string CheckedUrl(const std::string& name, const std::string& url,
                                       bool link_local);

  const Json& object_;
  std::string where_;
  std::string path_;
  std::optional<Error> fault_;
};

}  // namespace bindery::google
