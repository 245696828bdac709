#include "cel/implication/implication.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "cel/implication/formula.h"
#include "cel/implication/subjects.h"
#include "cel/implication/truth.h"

namespace bindery::cel {
namespace {

/// Expressions with more leaves are not compared as a whole: conditions have at most 13.
constexpr std::size_t kMostLeaves = 40;
/// What the subjects of a leaf take of the budget.
constexpr std::size_t kCostOfLeaf = 200;

/// The search for a case in which `inner` can be true and `outer` not.
class CaseSearch {
 public:
  CaseSearch(const Formula& inner, const Formula& outer, const Leaves& leaves, ProofBudget& budget)
      : budget_(budget),
        outer_(outer),
        inner_(inner),
        subjects_(ListSubjects(leaves)),
        truths_(leaves.all().size(), kAnyTruth),
        left_(subjects_.size(), nullptr) {}

  [[nodiscard]] bool FindsNone() { return HoldsFrom(0); }

 private:
  /// Whether `outer` holds in all cases of the subjects from this one on.
  // NOLINTNEXTLINE(misc-no-recursion): as deep as there are subjects
  [[nodiscard]] bool HoldsFrom(std::size_t at) {
    if (!budget_.Spend(inner_.size() + outer_.size())) return false;
    if ((inner_.Judge(truths_) & kTrue) == 0 || outer_.Judge(truths_) == kTrue) return true;
    if (at == subjects_.size()) return false;
    const Subject& subject = subjects_[at];
    const std::vector<Case>& cases = left_[at] != nullptr ? *left_[at] : subject.cases;
    const bool holds = std::ranges::all_of(cases, [&](const Case& each) {
      for (std::size_t i = 0; i < subject.leaves.size(); ++i) {
        truths_[subject.leaves[i]] = each.truths[i];
      }
      for (const CasesOfPart& part : each.parts) left_[part.subject] = &part.cases;
      const bool here = HoldsFrom(at + 1);
      for (const CasesOfPart& part : each.parts) left_[part.subject] = nullptr;
      return here;
    });
    for (const std::size_t leaf : subject.leaves) truths_[leaf] = kAnyTruth;
    return holds;
  }

  ProofBudget& budget_;
  const Formula& outer_;
  const Formula& inner_;
  std::vector<Subject> subjects_;
  std::vector<Truth> truths_;                   ///< Of the leaves, in the present case.
  std::vector<const std::vector<Case>*> left_;  ///< Of the subjects; null: all cases.
};

}  // namespace

bool Implies(const Expr& inner, const Expr& outer, ProofBudget& budget) {
  Leaves leaves;
  const Formula outer_formula(outer, leaves);
  const Formula inner_formula(inner, leaves);
  const std::size_t count = leaves.all().size();
  if (count > kMostLeaves || !budget.Spend(count * kCostOfLeaf)) return false;
  return CaseSearch(inner_formula, outer_formula, leaves, budget).FindsNone();
}

}  // namespace bindery::cel
