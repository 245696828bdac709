#pragma once

#include "manifests/schema/schema.h"
#include "providers/google/rows/iam_kinds.h"

namespace bindery {

/// What manifests of the lookup hold. Lives as long as the program.
[[nodiscard]] const KindSchema& GetImportDataFileSchema();

}  // namespace bindery
