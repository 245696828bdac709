#pragma once

#include "core/grant.h"

namespace bindery {

/// Whether a grant is one that Google makes for one of its own services: a service agent in the
/// …serviceAgent role that Google gives it. Google grants it once; a service that loses it stays
/// broken until somebody grants it again. The member is matched as a whole; the number in it is not
/// compared with the target's project. Default accounts, which hold roles that everybody can, are
/// no agents here. Pure; any thread.
[[nodiscard]] bool IsOfServiceAgent(const Grant& grant);

}  // namespace bindery
