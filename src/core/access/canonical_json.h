#pragma once

#include <string>
#include <string_view>

#include "core/access/grant.h"
#include "core/base/json.h"

namespace bindery {

/// CanonicalJson (json.h) of smaller or simpler things than a whole value, without making the value
/// first.

/// CanonicalJson(value) as if an object `value` had no member of the name.
[[nodiscard]] std::string CanonicalJsonWithout(const Json& value, std::string_view member);

/// value.dump() as if an object `value` had no member of the name; what is no UTF-8 is replaced.
[[nodiscard]] std::string DumpWithout(const Json& value, std::string_view member);

/// CanonicalJson(ToJson(grant, kIamWords)): the identity of a grant as text.
[[nodiscard]] std::string CanonicalGrant(const Grant& grant);

}  // namespace bindery
