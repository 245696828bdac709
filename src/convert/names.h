#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace bindery::convert {

/// The name as metadata.name takes it, without dots: "paymentsViewers_eu" becomes
/// "payments-viewers-eu".
[[nodiscard]] std::string GetManifestName(std::string_view name);

/// "resource_id" of "resourceId".
[[nodiscard]] std::string SnakeCase(std::string_view name);

/// "iam-deep-viewers-key" of the resource `name` with the key in Terraform's
/// "module.iam.module.deep"; the module and the key may be empty. Text in brackets is a word too.
[[nodiscard]] std::string MakeModuleName(std::string_view module, const std::string& name,
                                         const std::string& key);

/// Gives out names, each once.
class NameMaker {
 public:
  /// The manifest name of `wish`; with "-2", "-3", … appended when taken.
  [[nodiscard]] std::string Make(std::string_view wish);

 private:
  std::set<std::string> taken_;
  std::map<std::string, std::size_t> next_;  ///< By the name that is taken.
};

}  // namespace bindery::convert
