#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "core/expected.h"

namespace bindery {

/// A service account is named by its e-mail address and by its unique id, and so its policy has two
/// names. Here each has one, that with the address: which address a unique id has is asked of the
/// service, once. Until it is known, manifests that name an account of the project wait. Where the
/// service does not tell it, only the manifest with the unique id is refused.
///
/// Belongs to ProjectNames, which keeps the questions.
class AccountNames {
 public:
  /// Before the manifests of a scan are placed: forgets which names are waited for.
  void BeginScan() { waiting_.clear(); }
  /// A manifest of the scan names that account by its unique id. Returns true when the service is
  /// to be asked. Requires: IsAccountNumber(name).
  bool NoteName(const std::string& name);

  /// The one name of the policy; nothing where accounts have no part in it. kUnavailable while it
  /// is not known, kInvalidArgument where it cannot be.
  [[nodiscard]] std::optional<Expected<std::string>> Canonical(const std::string& name) const;
  /// Another manifest may name that account by a unique id whose address is not known yet.
  [[nodiscard]] bool IsInDoubt(std::string_view name) const;
  /// The service has told it, or does not tell it.
  [[nodiscard]] bool IsAnswered(const std::string& by_number) const;

  /// Returns false when that was known.
  bool Learn(const std::string& by_number, const std::string& by_address);
  void GiveUp(const std::string& by_number, const std::string& why);
  /// What was given up may be asked again.
  [[nodiscard]] std::set<std::string> TakeFailures();

 private:
  std::map<std::string, std::string> addresses_;  ///< Names with the address, by names with the id.
  std::map<std::string, std::string> given_up_;   ///< Names with the id, and why.
  std::set<std::string, std::less<>> waiting_;    ///< Names with the id.
};

}  // namespace bindery
