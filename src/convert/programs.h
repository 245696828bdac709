#pragma once

#include <vector>

#include "convert/convert.h"
#include "manifests/schema/kind_schemas.h"
#include "yaml/node.h"

namespace bindery::convert {

// One converter for each format. Drafts are not checked yet.

void ConvertPulumi(const yaml::Node& root, const ConvertWish& wish,
                   const manifests::KindSchemas& kinds, Conversion& conversion);
void ConvertPulumiExport(const yaml::Node& root, const ConvertWish& wish,
                         const manifests::KindSchemas& kinds, Conversion& conversion);

void ConvertTerraform(const yaml::Node& root, const ConvertWish& wish,
                      const manifests::KindSchemas& kinds, Conversion& conversion);
void ConvertTerraformState(const yaml::Node& root, const ConvertWish& wish,
                           const manifests::KindSchemas& kinds, Conversion& conversion);

/// At least one document.
void ConvertGcloudPolicies(const std::vector<yaml::Node>& documents, const ConvertWish& wish,
                           const manifests::KindSchemas& kinds, Conversion& conversion);

void ConvertConfigConnector(const std::vector<yaml::Node>& documents, const ConvertWish& wish,
                            const manifests::KindSchemas& kinds, Conversion& conversion);

}  // namespace bindery::convert
