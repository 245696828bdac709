#pragma once

#include <string_view>

namespace bindery::google {

/// Whether "iap.tunnelInstances.accessViaIAP" is the name of a permission: a type of a service and
/// what can be done with it, both known from Google's API documents and lists of roles
/// (permissions.inc). False says little: the lists do not have all.
[[nodiscard]] bool IsKnownPermission(std::string_view name);

}  // namespace bindery::google
