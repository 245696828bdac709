#pragma once

#include "controller/gates/target_work.h"

namespace bindery::controller {

/// Fits the desired state to the live state, where manifests ask for it: fields under
/// options.ignoreChanges take their live value; a resource to adopt (options.import) is left alone
/// unless the live state equals the declaration. Claims that cannot continue are frozen and noted
/// in `desired.refused`. Requires: `desired` was made of `job`. Pure.
void ApplyIgnoreChanges(const CheckJob& job, const reconcilers::Observation& seen,
                        reconcilers::Desired& desired);

/// The manifest ignores all who hold what it claims: the list of members, of bindings or of
/// principals as a whole. Pure.
[[nodiscard]] bool IgnoresAllMembers(const manifests::Manifest& manifest);

}  // namespace bindery::controller
