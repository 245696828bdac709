#pragma once

#include <string>
#include <vector>

namespace bindery::identity {

/// Somebody whom an identity provider vouches for. The key of a person is `issuer` and `subject`:
/// names and addresses may be given to somebody else later.
struct Person {
  std::string issuer;
  std::string subject;
  std::string email;                ///< Only when the provider has verified the address.
  std::vector<std::string> groups;  ///< As of the sign-in.

  /// What people read: the address, else the subject.
  [[nodiscard]] const std::string& name() const { return email.empty() ? subject : email; }
};

}  // namespace bindery::identity
