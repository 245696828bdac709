#pragma once

// Private to src/cel/implication.

#include <cstddef>
#include <vector>

#include "cel/implication/formula.h"
#include "cel/implication/truth.h"

namespace bindery::cel {

struct CasesOfPart;

/// A case of a subject.
struct Case {
  std::vector<Truth> truths;       ///< Of the leaves of the subject.
  std::vector<CasesOfPart> parts;  ///< The cases that are left to subjects behind.
};

/// The cases of a subject that the case of a previous subject leaves: the hours of a moment.
struct CasesOfPart {
  std::size_t subject = 0;
  std::vector<Case> cases;
};

/// The time, a name or a tag that leaves ask for. In fact exactly one case holds.
struct Subject {
  std::vector<std::size_t> leaves;
  std::vector<Case> cases;
};

/// The subjects of all leaves. Each leaf belongs to exactly one subject. Subjects whose cases leave
/// cases to a subject stand before that subject.
[[nodiscard]] std::vector<Subject> ListSubjects(const Leaves& leaves);

}  // namespace bindery::cel
