#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace bindery::report {

/// The principals a question is about, and what to tell of how they were found.
struct AskedPrincipals {
  std::vector<std::string> all;
  std::string note;  ///< Empty: exactly what was asked.
};

/// It says of what sort it is ("user:ana@example.com", "allUsers"), so that it can be looked up as
/// it stands.
[[nodiscard]] bool IsWholePrincipal(std::string_view principal);

/// Which of the principals that policies name are meant by one without a prefix: those whose part
/// behind the prefix it is, else those whose e-mail address begins with it. An address that no
/// policy names is asked for as a user's, or a service account's: it may hold something through
/// others.
[[nodiscard]] AskedPrincipals FindPrincipals(const std::string& asked,
                                             const std::set<std::string>& named);

/// "serviceAccount:ana@example.com" when that is what policies name instead of
/// "user:ana@example.com"; empty when they do not.
[[nodiscard]] std::string OfAnotherSort(const std::string& asked,
                                        const std::set<std::string>& named);

}  // namespace bindery::report
