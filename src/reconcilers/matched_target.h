#pragma once

#include "core/access/target.h"
#include "core/settings/target_rules.h"
#include "reconcilers/kind.h"

namespace bindery::reconcilers {

/// The target as rules see the target. All kinds that declare parts of one policy give the same
/// result; null: no kind is known. The result has parts of the arguments.
[[nodiscard]] inline MatchedTarget MatchTarget(const Target& target, const Kind* kind) {
  if (kind == nullptr) return {target.name, "", target.kind.str()};
  const KindTraits& traits = kind->traits();
  return {target.name, traits.judged_as, target.kind.str(), traits.is_container};
}

}  // namespace bindery::reconcilers
