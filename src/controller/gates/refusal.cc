#include "controller/gates/refusal.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <utility>

#include "core/text/ascii.h"

namespace bindery::controller {
namespace {

constexpr std::string_view kDeletedPrincipal = "deleted:";

bool IsPartOfName(char c) {
  constexpr std::string_view kSigns = "@_%+-/~";
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
         kSigns.find(c) != std::string_view::npos;
}

/// A name goes on behind a dot, and does not where the dot ends a sentence.
bool GoesOnAt(std::string_view text, std::size_t at) {
  if (at >= text.size()) return false;
  if (text[at] != '.') return IsPartOfName(text[at]);
  return at + 1 < text.size() && IsPartOfName(text[at + 1]);
}

/// As a whole name. Both in lower case.
bool HasName(std::string_view text, std::string_view name) {
  if (name.empty()) return false;
  for (auto at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    const bool begins = at == 0 || (!IsPartOfName(text[at - 1]) && text[at - 1] != '.');
    if (begins && !GoesOnAt(text, at + name.size())) return true;
  }
  return false;
}

/// In lower case, and with the signs that services encode in names.
std::string Comparable(std::string_view message) {
  constexpr std::array<std::pair<std::string_view, char>, 3> kEncoded = {
      {{"%3a", ':'}, {"%40", '@'}, {"%2f", '/'}}};
  std::string text = AsciiLower(message);
  for (const auto& [code, sign] : kEncoded) {
    for (auto at = text.find(code); at != std::string::npos; at = text.find(code, at)) {
      text.replace(at, code.size(), 1, sign);
    }
  }
  return text;
}

/// "ana@example.com" of "user:ana@example.com" and of "deleted:user:ana@example.com?uid=7". Empty
/// for what an answer may hold for another reason: an ordinary word, a domain.
std::string_view MakeAddress(std::string_view principal) {
  constexpr std::string_view kSigns = "@-/";
  if (principal.starts_with("domain:")) return {};
  if (principal.starts_with(kDeletedPrincipal)) {
    principal.remove_prefix(kDeletedPrincipal.size());
    principal = principal.substr(0, principal.find("?uid="));
  }
  const auto colon = principal.find(':');
  if (colon == std::string_view::npos) return {};
  const std::string_view address = principal.substr(colon + 1);
  return address.find_first_of(kSigns) == std::string_view::npos ? std::string_view() : address;
}

/// `text`: as Comparable.
bool NamesPrincipalIn(std::string_view text, std::string_view principal) {
  const std::string lower = AsciiLower(principal);
  return HasName(text, lower) || HasName(text, MakeAddress(lower));
}

/// The first account address in the text; empty if none.
std::string AddressIn(std::string_view text) {
  const auto sign = text.find('@');
  if (sign == std::string_view::npos) return "";
  std::size_t begin = sign;
  while (begin > 0 && (IsPartOfName(text[begin - 1]) || text[begin - 1] == '.')) --begin;
  std::size_t end = sign + 1;
  while (GoesOnAt(text, end)) ++end;
  return begin == sign || end == sign + 1 ? "" : std::string(text.substr(begin, end - begin));
}

/// "roles/viewer". The relations of a restriction policy are ordinary words.
bool NamesRoleIn(std::string_view text, const std::string& role) {
  return role.find('/') != std::string::npos && HasName(text, AsciiLower(role));
}

/// Grants with a named principal and role; if none, grants with a named principal.
std::vector<Grant> ListNamed(std::string_view text, const std::vector<Grant>& grants) {
  std::vector<Grant> by_both;
  std::vector<Grant> by_principal;
  for (const Grant& grant : grants) {
    if (!NamesPrincipalIn(text, grant.principal)) continue;
    by_principal.push_back(grant);
    if (NamesRoleIn(text, grant.role)) by_both.push_back(grant);
  }
  return by_both.empty() ? by_principal : by_both;
}

/// Grants of a named role.
std::vector<Grant> OfNamedRole(std::string_view text, const std::vector<Grant>& grants) {
  std::vector<Grant> named;
  std::ranges::copy_if(grants, std::back_inserter(named),
                       [&](const Grant& grant) { return NamesRoleIn(text, grant.role); });
  return named;
}

/// Remaining grants of the policy with a named principal.
std::vector<Grant> NamedOfPolicy(std::string_view text, const WrittenGrants& written) {
  std::vector<Grant> named;
  std::ranges::copy_if(written.before, std::back_inserter(named), [&](const Grant& grant) {
    const bool goes = std::ranges::find(written.removes, grant) != written.removes.end();
    return !goes && NamesPrincipalIn(text, grant.principal);
  });
  return named;
}

bool MayRefuseContent(const Error& error) {
  constexpr int kFirstRefusal = 400;
  constexpr int kLastRefusal = 499;
  const bool answered = error.http_status >= kFirstRefusal && error.http_status <= kLastRefusal;
  return answered && !error.outcome_unknown;
}

}  // namespace

bool NamesPrincipal(std::string_view message, std::string_view principal) {
  return NamesPrincipalIn(Comparable(message), principal);
}

bool TellsOfSize(const Error& error) {
  constexpr std::array<std::string_view, 5> kSigns = {"maximum", "larger than", "too many",
                                                      "too large", "exceed"};
  const std::string text = AsciiLower(error.message);
  return std::ranges::any_of(
      kSigns, [&](std::string_view sign) { return text.find(sign) != std::string::npos; });
}

std::optional<Refusal> FindRefusal(const Error& error, const WrittenGrants& written) {
  if (!MayRefuseContent(error)) return std::nullopt;
  const bool invalid =
      error.code == Code::kInvalidArgument || error.code == Code::kFailedPrecondition;
  if (!invalid && error.code != Code::kNotFound) return std::nullopt;
  const std::string text = Comparable(error.message);
  Refusal refusal;
  refusal.named = ListNamed(text, written.adds);
  if (!refusal.named.empty()) return refusal;
  // A principal is named rather than a role: that of the policy, or somebody else.
  std::vector<Grant> of_policy = NamedOfPolicy(text, written);
  const std::string elsewhere = of_policy.empty() ? AddressIn(text) : "";
  if (of_policy.empty() && elsewhere.empty()) refusal.named = OfNamedRole(text, written.adds);
  if (!refusal.named.empty()) return refusal;
  // The etag of a write is the service's own word.
  if (!invalid || HasName(text, "etag")) return std::nullopt;
  refusal.of_policy = std::move(of_policy);
  refusal.elsewhere = elsewhere;
  return refusal;
}

}  // namespace bindery::controller
