#pragma once

#include "manifests/schema/schema.h"

namespace bindery::providers {

/// Lives as long as the program.
[[nodiscard]] const manifests::KindSchema& AcceptedDriftSchema();

}  // namespace bindery::providers
