#pragma once

#include <span>

#include "convert/convert.h"
#include "manifests/schema.h"
#include "yaml/node.h"

namespace bindery {

// One converter for each form of program. Drafts are not checked yet.

void ConvertPulumi(const yaml::Node& root, std::span<const KindSchema* const> kinds,
                   Conversion& conversion);

void ConvertTerraform(const yaml::Node& root, std::span<const KindSchema* const> kinds,
                      Conversion& conversion);

}  // namespace bindery
