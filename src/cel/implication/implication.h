#pragma once

#include <cstddef>

#include "cel/syntax/ast.h"

namespace bindery::cel {

/// How much work proofs may take together: parts of expressions that are judged.
class ProofBudget {
 public:
  /// False: there is none left, and the proof ends without a result.
  [[nodiscard]] bool Spend(std::size_t parts) {
    left_ = parts < left_ ? left_ - parts : 0;
    return left_ > 0;
  }

 private:
  std::size_t left_ = 1'000'000;
};

/// Whether `outer` is true in every case in which `inner` can be true. A case fixes what the two
/// expressions ask for, all of it together: the moment of `request.time` with the values of its
/// getters, names by the texts they equal, begin and end with, ports and other numbers, tags, lists
/// of `hasOnly`. A request whose resource has a name has its type and service too, as the
/// services give these attributes. Anything else is true, false or an error, as one part with its
/// text. A case may be impossible in fact, but none that is possible is left out. False without a
/// proof. Pure except for files of time zones.
[[nodiscard]] bool Implies(const Expr& inner, const Expr& outer, ProofBudget& budget);

}  // namespace bindery::cel
