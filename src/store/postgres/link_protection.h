#pragma once

#include <string_view>

namespace bindery::store {

/// The protection of the connection between the program and its database against reading and
/// changing.
enum class LinkProtection {
  kLocal,      ///< It does not leave this machine.
  kVerified,   ///< Encrypted, with a server whose name and certificate were verified.
  kEncrypted,  ///< Encrypted, with a server that may be any.
  kNone,
};

/// What libpq says of a session: https://www.postgresql.org/docs/15/libpq-status.html.
struct LinkFacts {
  std::string_view host;     ///< A name, an address, or the folder of a socket.
  std::string_view address;  ///< Empty for a socket.
  std::string_view sslmode;
  bool tls = false;
  bool kerberos = false;  ///< Encrypted by GSSAPI, which proves both sides to each other.
};
[[nodiscard]] LinkProtection JudgeProtection(const LinkFacts& facts);

}  // namespace bindery::store
