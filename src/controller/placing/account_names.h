#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "core/base/expected.h"

namespace bindery::controller {

/// A service account has an e-mail address and a unique id, and so its policy has two names. Here
/// each account has one name, with the address: the service is asked once for the address of a
/// unique id. Until the service answers, manifests that name an account of the project wait. If the
/// service does not tell the address, only the manifest with the unique id is refused.
///
/// Belongs to ProjectNames, the keeper of the questions.
class AccountNames {
 public:
  /// Before the manifests of a scan are placed: forgets which names are waited for.
  void BeginScan() { waiting_.clear(); }
  /// A manifest of the scan names that account by its unique id. Returns true when the service is
  /// to be asked. Requires: IsAccountNumber(name).
  bool NoteName(const std::string& name);

  /// The canonical name of the policy; nothing if no account is part of the name. kUnavailable
  /// while the name is unknown, kInvalidArgument if the name cannot be known.
  [[nodiscard]] std::optional<Expected<std::string>> Canonical(const std::string& name) const;
  /// A second manifest may name the account by a unique id whose address is not known yet.
  [[nodiscard]] bool IsInDoubt(std::string_view name) const;
  /// The service has told the address, or refuses to.
  [[nodiscard]] bool IsAnswered(const std::string& by_number) const;

  /// Returns false if the address was known.
  bool Learn(const std::string& by_number, const std::string& by_address);
  void GiveUp(const std::string& by_number, const std::string& why);
  /// What was given up may be asked again.
  [[nodiscard]] std::set<std::string> TakeFailures();

 private:
  std::map<std::string, std::string> addresses_;  ///< Names with the address, by names with the id.
  std::map<std::string, std::string> given_up_;   ///< Names with the id, and why.
  std::set<std::string, std::less<>> waiting_;    ///< Names with the id.
};

}  // namespace bindery::controller
