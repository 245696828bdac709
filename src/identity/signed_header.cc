#include "identity/signed_header.h"

#include <utility>

#include "identity/token.h"

namespace bindery::identity {
namespace {

/// What the documentation of Identity-Aware Proxy allows clocks to differ.
constexpr std::chrono::seconds kLeeway{30};

}  // namespace

SignedHeader::SignedHeader(cloud::Transport& transport, const Clock& clock,
                           config::WebSignedHeader settings)
    : clock_(clock), settings_(std::move(settings)), keys_(transport, clock, settings_.keys_url) {}

Expected<Person> SignedHeader::Read(std::string_view text) {
  const auto token = ParseToken(text);
  if (!token) return Fail(token.error());
  if (auto good = keys_.Verify(*token); !good) return Fail(good.error());
  const TokenRules rules{settings_.issuer, settings_.audience, "", kLeeway};
  if (auto good = CheckClaims(token->claims, rules, clock_.Wall()); !good) {
    return Fail(good.error());
  }
  // Identity-Aware Proxy has checked the address, and no claim says so.
  return Person{settings_.issuer,
                StringMember(token->claims, "sub"),
                VerifiedEmail(token->claims, /*unless_said=*/true),
                {}};
}

}  // namespace bindery::identity
