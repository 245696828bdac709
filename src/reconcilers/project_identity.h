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

}  // namespace bindery::reconcilers
