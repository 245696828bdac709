#pragma once

#include "convert/convert.h"
#include "manifests/kind_schemas.h"
#include "yaml/node.h"

namespace bindery {

// One converter for each form of program. Drafts are not checked yet.

void ConvertPulumi(const yaml::Node& root, const KindSchemas& kinds, Conversion& conversion);

void ConvertTerraform(const yaml::Node& root, const KindSchemas& kinds, Conversion& conversion);

}  // namespace bindery
