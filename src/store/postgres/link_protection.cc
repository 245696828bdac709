#include "store/postgres/link_protection.h"

namespace bindery::store {
namespace {

/// By https://www.postgresql.org/docs/15/libpq-connect.html#LIBPQ-CONNECT-HOST a name that begins
/// with @ is an abstract socket.
bool IsSocket(std::string_view host) { return host.starts_with('/') || host.starts_with('@'); }

bool IsLoopback(std::string_view address) {
  return address.starts_with("127.") || address == "::1";
}

}  // namespace

LinkProtection JudgeProtection(const LinkFacts& facts) {
  // "verify-ca" takes a certificate of the authority for another host.
  if (facts.kerberos || (facts.tls && facts.sslmode == "verify-full")) {
    return LinkProtection::kVerified;
  }
  if (IsSocket(facts.host) || IsLoopback(facts.address)) return LinkProtection::kLocal;
  return facts.tls ? LinkProtection::kEncrypted : LinkProtection::kNone;
}

}  // namespace bindery::store
