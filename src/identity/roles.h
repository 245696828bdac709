#pragma once

#include <string>
#include <vector>

#include "config/web_config.h"
#include "core/settings/role.h"

namespace bindery::identity {

/// The role of a user by a password, or of the owner of a verified certificate ("CN=ana"). Without
/// `roles` in the configuration these users may do everything, as before roles existed.
[[nodiscard]] Role RoleOfUser(const config::WebConfig& config, const std::string& name);
[[nodiscard]] Role RoleOfCertificate(const config::WebConfig& config, const std::string& subject);

/// The role of somebody known to a provider: the highest role that the configuration gives
/// to the verified address or to a group. kNone when the configuration names neither: a provider
/// knows many people who have nothing to do with bindery.
[[nodiscard]] Role RoleOfPerson(const config::WebConfig& config, const std::string& email,
                                const std::vector<std::string>& groups);

}  // namespace bindery::identity
