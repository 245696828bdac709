#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace bindery::report {

/// The principals of a question, with notes about their search.
struct AskedPrincipals {
  std::vector<std::string> all;
  std::string note;  ///< Empty: exactly what was asked.
};

/// The text has a prefix ("user:ana@example.com", "allUsers"), and can be looked up
/// unchanged.
[[nodiscard]] bool IsWholePrincipal(std::string_view principal);

/// A principal of a policy may be the one that a question names: what `named` of the functions
/// below needs.
[[nodiscard]] bool MayBeMeant(const std::string& asked, const std::string& principal);

/// The principals in policies for a name without a prefix: principals with the name behind the
/// prefix, else principals whose e-mail address begins with the name. An address without a match
/// is looked up as a user's, or a service account's: the principal may hold something
/// indirectly.
[[nodiscard]] AskedPrincipals FindPrincipals(const std::string& asked,
                                             const std::set<std::string>& named);

/// "serviceAccount:ana@example.com" if policies name this principal in place of
/// "user:ana@example.com"; empty otherwise.
[[nodiscard]] std::string OfAnotherSort(const std::string& asked,
                                        const std::set<std::string>& named);

}  // namespace bindery::report
