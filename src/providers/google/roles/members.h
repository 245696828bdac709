#pragma once

#include <string>
#include <string_view>

#include "reconcilers/principals.h"

namespace bindery::google {

/// Between a log type and a member that it leaves out, in a unit of an audit configuration.
inline constexpr std::string_view kExempts = " exempts ";

/// The form in which two spellings of one IAM member are equal: for user, serviceAccount, group and
/// domain the part behind the first colon in lower case (also behind "deleted:", up to "?uid=");
/// everything else is case-sensitive and stays. Likewise for the member of an exemption from audit
/// logs. For comparison only, never for writing: services
/// have refused whole policies over a rewritten spelling.
[[nodiscard]] std::string NormalMember(const std::string& member);

/// "user:ana@example.com" for "deleted:user:Ana@example.com?uid=123", also as the member of an
/// exemption from audit logs; empty for anything else.
[[nodiscard]] std::string DeletedMember(const std::string& member);

/// How members of allow policies compare.
[[nodiscard]] const reconcilers::PrincipalRules& MemberRules();

}  // namespace bindery::google
