#pragma once

#include "controller/target_work.h"

namespace bindery {

/// Fits what is desired to what is there, where manifests ask for it: fields under
/// options.ignoreChanges take their live value; what is to be adopted (options.import) is left
/// alone unless it is there just as declared. Claims that cannot go on are frozen and noted in
/// `desired.refused`. Requires: `desired` was made of `job`. Pure.
void ApplyIgnoreChanges(const CheckJob& job, const Observation& seen, Desired& desired);

/// The manifest ignores all who hold what it claims: the list of members, of bindings or of
/// principals as a whole. Pure.
[[nodiscard]] bool IgnoresAllMembers(const Manifest& manifest);

}  // namespace bindery
