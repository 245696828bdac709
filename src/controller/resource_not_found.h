#pragma once

#include <string>

#include "controller/catalog.h"
#include "core/error.h"

namespace bindery {

/// kNotFound for a name that the catalog does not have, with the nearest one it has.
[[nodiscard]] Error ResourceNotFound(const Catalog& catalog, const std::string& name);

}  // namespace bindery
