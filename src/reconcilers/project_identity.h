#pragma once

#include <string>
#include <string_view>

namespace bindery::reconcilers {

/// The two names of a project, or of a service account.
struct ProjectIdentity {
  std::string id;      ///< "acme"; "projects/acme/serviceAccounts/ci@acme.iam.gserviceaccount.com"
  std::string number;  ///< "415104041262"; "projects/acme/serviceAccounts/107734218812345678901"
};

/// "projects/12345/…": the number, or empty where the name has none.
[[nodiscard]] std::string GetProjectNumber(std::string_view name);

/// "projects/P/serviceAccounts/12345": a service account by its unique id.
[[nodiscard]] bool IsAccountNumber(std::string_view name);
/// "projects/P/serviceAccounts/A@D": an account by its e-mail address.
[[nodiscard]] bool IsAccountAddress(std::string_view name);

/// The name has the number of a project, or the unique id of a service account: the policy has a
/// second name.
[[nodiscard]] bool HasNumber(std::string_view name);

/// Two names that may be of one policy as far as the names tell: projects, or accounts, of which
/// one is named by its number. False for equal names.
[[nodiscard]] bool MayBeOnePolicy(std::string_view name, std::string_view other);

}  // namespace bindery::reconcilers
