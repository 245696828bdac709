#pragma once

#include "manifests/schema/schema.h"

namespace bindery {

/// Lives as long as the program.
[[nodiscard]] const KindSchema& AcceptedDriftSchema();

}  // namespace bindery
