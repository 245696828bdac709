#pragma once

#include <string>

#include "controller/catalog/catalog.h"
#include "core/base/error.h"

namespace bindery::controller {

/// kNotFound for a name that is missing in the catalog, with the nearest existing name.
[[nodiscard]] Error ResourceNotFound(const Catalog& catalog, const std::string& name);

}  // namespace bindery::controller
