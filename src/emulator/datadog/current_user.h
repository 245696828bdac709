#pragma once

#include <string>
#include <vector>

#include "core/base/json.h"

namespace bindery::emulator {

/// The answer of GET /api/v2/current_user for a user of the seed: the user with its organisation
/// and roles, and in `included` the organisation, the roles and every permission of the roles.
/// Whatever the seed leaves out is made up, the same each time. A seeded JSON:API document
/// ({"data": …}) is returned as it is; null gives an administrator of an example organisation.
[[nodiscard]] Json CurrentUserDocument(const Json& seeded);

/// The user of the seed as it is in a list of users. Null as above.
[[nodiscard]] Json UserData(const Json& seeded);

/// A role of the seed, which is a name or a map, as it is in a list of roles.
[[nodiscard]] Json RoleData(const Json& seeded);

/// The roles of a seeded user. Null as above.
[[nodiscard]] std::vector<Json> RolesData(const Json& user);

/// A team of the seed as it is in a list of teams.
[[nodiscard]] Json TeamData(const Json& seeded);

/// An identifier in UUID form that depends on the name only.
[[nodiscard]] std::string MakeUuid(const std::string& name);

/// The principals a seeded user certainly is: itself, its organisation, its roles. As in a policy:
/// "user:…", "org:…", "role:…". None for null.
[[nodiscard]] std::vector<std::string> ListPrincipals(const Json& seeded);

}  // namespace bindery::emulator
