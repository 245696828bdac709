#pragma once

#include <string>

#include "core/base/expected.h"
#include "manifests/schema/manifest.h"
#include "reconcilers/kind.h"

namespace bindery::reconcilers {

/// The declaration of a manifest of the kind, without references: Kind::Declare of its spec,
/// decoded only for this call.
[[nodiscard]] Expected<Declaration> MakeDeclaration(const Kind& kind,
                                                    const manifests::Manifest& manifest,
                                                    const std::string& default_project);

}  // namespace bindery::reconcilers
