#include "emulator/google/members.h"

#include <algorithm>
#include <array>

#include "core/text/ascii.h"
#include "core/text/digest.h"
#include "providers/google/roles/member_forms.h"

namespace bindery::emulator {
namespace {

constexpr std::string_view kDeleted = "deleted:";
constexpr std::string_view kUid = "?uid=";
constexpr std::array<std::string_view, 4> kMailTypes = {"user", "serviceAccount", "group",
                                                        "domain"};
constexpr const char* kInvalid = "Request contains an invalid argument.";

struct MemberParts {
  std::string_view type;
  std::string_view value;
};
MemberParts SplitMember(std::string_view member) {
  const std::size_t colon = member.find(':');
  if (colon == std::string_view::npos) return {{}, member};
  return {member.substr(0, colon), member.substr(colon + 1)};
}

bool IsMailType(std::string_view type) {
  return std::find(kMailTypes.begin(), kMailTypes.end(), type) != kMailTypes.end();
}

/// "deleted:user:a@b?uid=1" -> "user:a@b"; further members unchanged.
std::string_view Plain(std::string_view member) {
  if (!member.starts_with(kDeleted)) return member;
  member.remove_prefix(kDeleted.size());
  return member.substr(0, member.find(kUid));
}

bool HasSpace(std::string_view text) {
  return text.find_first_of(" \t\r\n\f\v") != std::string_view::npos;
}

bool IsMail(std::string_view text) {
  const std::size_t at = text.find('@');
  if (at == std::string_view::npos || at == 0 || at + 1 == text.size() || HasSpace(text)) {
    return false;
  }
  return text.find('@', at + 1) == std::string_view::npos;
}

/// "PROJECT.svc.id.goog[NAMESPACE/ACCOUNT]", and the group of a cluster's identities.
bool IsClusterIdentity(std::string_view text) {
  return text.find(".svc.id.goog") != std::string_view::npos && !HasSpace(text);
}

bool IsDomain(std::string_view text) {
  return text.find('.') != std::string_view::npos && text.front() != '.' && text.back() != '.' &&
         text.find_first_of("@/:") == std::string_view::npos && !HasSpace(text);
}

std::string DefaultUid(const std::string& member) {
  constexpr std::size_t kDigits = 20;
  std::string uid = "1";
  for (const char c : Sha256Hex(NormalMember(member)).substr(0, kDigits)) {
    uid += static_cast<char>('0' + (c >= 'a' ? c - 'a' + 3 : c - '0') % 10);
  }
  return uid;
}

/// The service's text about an unknown principal.
std::string DoesNotExist(std::string_view member) {
  const auto [type, value] = SplitMember(member);
  std::string noun = "Principal";
  if (type == "user") noun = "User";
  if (type == "serviceAccount") noun = "Service account";
  if (type == "group") noun = "Group";
  if (type == "domain") noun = "Domain";
  return noun + " " + std::string(value) + " does not exist.";
}

std::string UnknownType(const std::string& member) {
  return "The member " + member +
         " is of an unknown type. Please set a valid type prefix for the member.";
}

/// Identifiers of foreign policies, and pools without a full name.
std::optional<std::string> RefuseIdentifier(const std::string& member) {
  switch (google::FormOfPrincipal(member)) {
    case google::PrincipalForm::kAllowed:
    case google::PrincipalForm::kAlsoAccount:  // What the service answers is not known.
    case google::PrincipalForm::kOtherType:    // Such a member is accepted, and never anybody.
      return std::nullopt;
    case google::PrincipalForm::kProjectId:
      return "Identity Pool does not exist (" + std::string(google::PoolInPrincipal(member)) +
             "). Please check that you specified a valid resource name as returned in the `name` "
             "attribute in the configuration API.";
    default:
      return UnknownType(member);
  }
}

std::optional<std::string> RefuseDeleted(const std::string& member, const Principals& principals,
                                         const std::set<std::string>& shown) {
  if (shown.count(member) > 0) return std::nullopt;
  const Principal* known = principals.Find(Plain(member));
  if (known != nullptr && known->deleted && member.find(kUid) != std::string::npos &&
      member.substr(member.find(kUid) + kUid.size()) == known->uid) {
    return "Deleted member '" + member + "' cannot be added to a policy.";
  }
  return kInvalid;
}

}  // namespace

Principal PrincipalFromJson(const Json& value) {
  Principal principal;
  principal.member = StringMember(value, "member");
  principal.deleted = StringMember(value, "state") == "deleted";
  principal.uid = StringMember(value, "uid");
  principal.stored_as = StringMember(value, "storedAs");
  if (principal.deleted && principal.uid.empty()) principal.uid = DefaultUid(principal.member);
  return principal;
}

void Principals::Add(Principal principal) {
  std::string key = NormalMember(principal.member);
  by_member_.insert_or_assign(std::move(key), std::move(principal));
}

const Principal* Principals::Find(std::string_view member) const {
  if (by_member_.empty()) return nullptr;
  const auto found = by_member_.find(NormalMember(member));
  return found == by_member_.end() ? nullptr : &found->second;
}

std::string NormalMember(std::string_view member) {
  const auto [type, value] = SplitMember(member);
  if (!IsMailType(type) || value.find("allAuthenticatedUsers") != std::string_view::npos) {
    return std::string(member);
  }
  return std::string(type) + ":" + AsciiLower(value);
}

std::string ShownMember(const std::string& member, const Principals& principals) {
  const Principal* principal = principals.Find(member);
  if (principal == nullptr || !principal->deleted) return member;
  return std::string(kDeleted) + member + std::string(kUid) + principal->uid;
}

std::string KeptMember(const std::string& member, const Principals& principals,
                       bool preserve_case) {
  if (member.starts_with(kDeleted)) {
    const Principal* principal = principals.Find(Plain(member));
    const bool shown = principal != nullptr && principal->deleted &&
                       member.ends_with(std::string(kUid) + principal->uid);
    return shown ? std::string(Plain(member)) : member;
  }
  const Principal* known = principals.Find(member);
  if (known != nullptr && !known->stored_as.empty()) return known->stored_as;
  return preserve_case ? member : NormalMember(member);
}

std::optional<std::string> RefuseMember(const std::string& member, const Principals& principals,
                                        const std::set<std::string>& shown) {
  if (member == "allUsers" || member == "allAuthenticatedUsers") return std::nullopt;
  const auto [type, value] = SplitMember(member);
  if (type.empty() || value.empty()) {
    return "Policy members must be of the form \"<type>:<value>\".";
  }
  if (type == "deleted") return RefuseDeleted(member, principals, shown);
  const bool resource_name = type == "principal" || type == "principalSet";
  if (!IsMailType(type) && !resource_name) return UnknownType(member);
  if (resource_name) {
    if (!value.starts_with("//") || value.size() < 4 || HasSpace(value)) return kInvalid;
    if (auto text = RefuseIdentifier(member)) return text;
  }
  if (const std::string fitting = google::MemberOfItsType(member); !fitting.empty()) {
    return "Principal " + std::string(value) + " is of type \"" +
           std::string(SplitMember(fitting).type) + "\". The principal should appear as \"" +
           fitting + "\". See https://cloud.google.com/iam/help/members/types for additional " +
           "documentation.";
  }
  if (type == "domain" && !IsDomain(value)) return kInvalid;
  if (IsMailType(type) && type != "domain" && !IsMail(value) && !IsClusterIdentity(value)) {
    return kInvalid;
  }
  if (principals.DoesNotExist(member)) return DoesNotExist(member);
  return std::nullopt;
}

}  // namespace bindery::emulator
