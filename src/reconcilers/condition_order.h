#pragma once

#include <optional>

#include "core/access/grant.h"

namespace bindery::reconcilers {

/// Whether `outer` permits everything that `inner` permits, as far as provable: no condition
/// permits everything; else the proof goes by cases (cel/implication), for the whole and for the
/// parts that `&&` and `||` join, and by the value of `outer` where `inner` fixes an attribute by
/// `==`. False without a proof. The texts for people are ignored. Pure except for files of time
/// zones.
[[nodiscard]] bool IsContained(const std::optional<Condition>& inner,
                               const std::optional<Condition>& outer);

}  // namespace bindery::reconcilers
