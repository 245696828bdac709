#pragma once

#include "manifests/schema/schema.h"
#include "providers/google/rows/iam_kinds.h"

namespace bindery::google {

/// What manifests of the lookup hold. Lives as long as the program.
[[nodiscard]] const manifests::KindSchema& GetImportDataFileSchema();

}  // namespace bindery::google
